"""A freeze-out: one game until somebody has all chips, and the next one at the same table."""

import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.registry import Listing

from .test_table import acts, deck, kinds, player, refused, stacks, table

ACES_BEAT_KINGS = deck("KsKh", "AsAh", board="2c 7d 9h 4s 3c")


def won(**settings):
    """A freeze-out of two that the button has won in its first hand."""
    trial = table([100, 100], ACES_BEAT_KINGS, freeze_out=True, rebuy=False, **settings)
    return acts(trial, "allin", "call")


def test_a_freeze_out_has_no_rebuys():
    settings = {"freeze_out": True, "rebuy": True}
    refused("freeze_out_rebuys", Listing(Holdem()).settings, settings)
    trial = won()
    assert "rebuy" not in trial.game.options(trial.state, 0)
    refused("no_rebuy", trial.act, 0, "rebuy")


def test_nobody_sits_down_after_the_start():
    trial = table([100, 100, None], freeze_out=True, rebuy=False)
    refused("freeze_out_running", trial.join, 2)
    acts(trial, "fold")
    refused("freeze_out_running", trial.join, 2)


def test_the_game_is_over_when_one_has_all_chips():
    trial = won()
    assert sorted(stacks(trial)) == [0, 200]
    assert trial.game.status(trial.state) == "waiting"
    assert trial.game.deadline(trial.state) is None


def test_the_game_is_over_when_all_others_have_left():
    trial = acts(table([100, 100, 100], freeze_out=True, rebuy=False), "fold", "fold")
    for seat in (0, 1):
        trial.leave(seat)
    assert trial.game.status(trial.state) == "waiting"
    trial.join(0)
    assert trial.game.deadline(trial.state) is None, "the next game waits for the host"


def test_the_host_starts_the_next_game_with_new_stacks_for_everyone():
    trial = won(seats=3)
    trial.join(2)
    trial.start()
    assert [row["stack"] + row["bet"] for row in trial.public["players"]] == [100, 100, 100]
    assert trial.public["hand"] == 2
    assert all(player(trial, seat)["holds"] == 2 for seat in range(3)), "nobody waits for the big blind"
    ledger = [trial.game.stakes(event) for event in kinds(trial, (ev.BoughtIn, ev.CashedOut))]
    assert sum(chips for _, chips in ledger) == 300, "every chip on the table was bought and not cashed out"


def test_the_blinds_of_the_next_game_begin_at_the_first_level():
    trial = won(levels=[[1, 1, 2, 0], [1, 5, 10, 0]])
    trial.now += 3_600_000
    trial.start()
    assert tuple(trial.public["blinds"]) == (1, 2)
    assert trial.public["next_level_at"] == trial.now + 60_000


def test_without_a_freeze_out_an_empty_table_waits_for_players_and_goes_on():
    trial = acts(table([100, 100], ACES_BEAT_KINGS, rebuy=False, seats=3), "allin", "call")
    trial.join(2)
    assert trial.game.deadline(trial.state) is not None


@pytest.mark.parametrize("hand_delay", [0, 4])
def test_the_next_game_goes_on_hand_after_hand(hand_delay):
    trial = won(hand_delay=hand_delay)
    trial.start()
    acts(trial, "fold")
    trial.wait(hand_delay * 1000)
    assert trial.public["hand"] == 3
    assert [row["stack"] + row["bet"] for row in trial.public["players"]] in ([99, 101], [101, 99])


def test_the_absent_are_blinded_out_of_a_freeze_out_unless_the_host_waits_for_them():
    listing = Listing(Holdem())
    assert listing.settings({"freeze_out": True, "rebuy": False}).blinds_out
    assert not listing.settings({"freeze_out": True, "rebuy": False, "absent": "sit_out"}).blinds_out
