"""The short form of `python -m proofs.verify_tournaments`, and that its referee sees what is wrong."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.tournaments.field import large, sit_and_go
from proofs.tournaments.paper import Paper
from proofs.tournaments.referee import Referee
from proofs.tournaments.story import Fault

ROOT = Path(__file__).parents[2]


def test_every_chip_place_and_prize_is_right_in_tournaments_at_tables():
    options = ["--sitngos", "6", "--large", "2", "--people", "30", "--entries", "60"]
    run = subprocess.run(
        [sys.executable, "-m", "proofs.verify_tournaments", *options], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-1000:] + run.stderr[-3000:]
    assert "6 sit-and-gos and 2 tournaments of 30: every check held" in run.stdout


def played(plan):
    paper = Paper(plan)
    paper.play()
    return paper.logs()


@pytest.mark.parametrize("seed", range(8))
def test_every_chip_place_and_prize_is_right_in_tournaments_on_paper(seed):
    for plan in (sit_and_go(seed), large(seed, 40)):
        Referee(*played(plan)).check()


@pytest.fixture(scope="module")
def logs():
    """A tournament of several tables in which nobody buys or enters again."""
    plan = large(13, 60)
    settings = {name: plan.settings[name] for name in ("seats", "stack", "levels", "level_by", "buy_in", "hand_delay")}
    plan.settings = {**settings, "late_until": 0, "bounty": 2, "breaks": []}
    return played(plan)


@pytest.fixture
def written(logs):
    return copy.deepcopy(logs)


def find(log, kind, **fields):
    return next(
        event for event in log if event["type"] == kind and all(event.get(name) == fields[name] for name in fields)
    )


def everywhere(tables, kind, **fields):
    return [
        event for log in tables.values() for event in log if event["type"] == kind and fields.items() <= event.items()
    ]


def refused(written, *words):
    with pytest.raises(Fault) as fault:
        Referee(*written).check()
    assert all(word in str(fault.value) for word in words), fault.value


def test_the_logs_are_right_before_they_are_changed(written):
    seen = Referee(*written).check()
    assert seen["balancing moves"] > 3
    assert seen["moves carried out"] > 10


def test_the_referee_misses_a_chip_that_is_lost_on_the_way(written):
    _, tables = written
    arrived = [event for log in tables.values() for event in log if event["type"] == "bought_in"]
    arrived[-1]["chips"] -= 1
    refused(written)


def test_the_referee_misses_a_chip_that_a_hand_makes(written):
    _, tables = written
    ended = everywhere(tables, "hand_ended")[3]
    seat = max(ended["stacks"], key=ended["stacks"].get)
    ended["stacks"][seat] += 1
    refused(written, "chips")


def test_the_referee_sees_a_player_at_two_tables(written):
    _, tables = written
    for log in tables.values():
        for event in log:
            if event["type"] == "unseated" and event["reason"] == "moved":
                log.remove(event)
                for number, later in enumerate(log, start=1):
                    later["seq"] = number
                refused(written)
                return


def test_the_referee_sees_places_that_are_exchanged(written):
    standings = find(written[0], "finished")["standings"]
    standings[1]["entry"], standings[4]["entry"] = standings[4]["entry"], standings[1]["entry"]
    refused(written, "came in at")


def test_the_referee_sees_a_prize_that_is_not_paid(written):
    find(written[0], "finished")["standings"][0]["prize"] -= 1
    refused(written, "are paid out of")


def test_the_referee_sees_that_somebody_else_than_the_next_big_blind_is_moved(written):
    log, _ = written
    moves = [event for event in log if event["type"] == "moved" and event.get("why", "balance") == "balance"]
    at_the_table = find(log, "seats_given", table=moves[0]["source"])["seats"].values()
    moves[0]["entry"] = next(entry for entry in at_the_table if entry != moves[0]["entry"])
    refused(written)


def test_the_referee_sees_a_table_that_deals_without_being_told(written):
    order = [event for event in written[0] if event["type"] == "round_ordered"][5]
    order["tables"] = []
    refused(written, "nobody said so")


def test_the_referee_sees_a_hand_at_the_blinds_of_another_level(written):
    everywhere(written[1], "hand_started")[4]["blinds"] = [1, 2]
    refused(written, "at level")


def test_the_referee_sees_a_log_with_a_gap(written):
    del written[0][7]
    refused(written, "gap")
