"""The course of hold'em tournaments on paper: start, levels, breaks, the end; chips are counted after every event."""

from __future__ import annotations

import pytest
from tests.tournaments.paper import MINUTE, Paper, person

from parlour.games.contract import Illegal
from parlour.tables.errors import Busy, NotAllowed
from parlour.tournaments import decisions, view
from parlour.tournaments import events as ev
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.settings import read

LEVELS = [[10, 25, 50], [10, 50, 100, 10], [10, 100, 200, 25]]


def test_a_sit_and_go_starts_when_it_is_full():
    paper = Paper("sitngo", entries_max=3)
    paper.enter(1)
    paper.enter(2)
    assert paper.state.status == "registering"
    assert paper.kinds(paper.enter(3))[:2] == ["EntryMade", "Began"]
    assert paper.state.status == "running"
    assert paper.playing() == [1]


def test_a_multi_table_tournament_starts_at_its_time():
    paper = Paper(entries=5, start=False, start_at=2_000_000)
    paper.wait(999_999)
    assert paper.state.status == "registering"
    assert TournamentGame().deadline(paper.state).at == 2_000_000
    paper.wait(1)
    assert paper.state.status == "running"


def test_with_too_few_the_start_is_put_off_for_an_hour_and_then_it_is_closed():
    paper = Paper(entries=3, start=False, start_at=2_000_000, entries_min=4)
    paper.wait(1_000_000)
    assert paper.state.start_at == 2_060_000
    for _ in range(60):
        paper.wait(MINUTE)
    assert (paper.state.status, paper.state.reason, paper.state.standings) == ("finished", "too_few", [])


def test_the_host_cannot_start_alone():
    paper = Paper(entries=1, start=False)
    with pytest.raises(Busy, match="at least 2"):
        paper.start()


def test_somebody_who_withdraws_before_the_start_pays_nothing_and_may_come_back():
    paper = Paper(entries=4, start=False)
    paper.tell(decisions.withdraw(paper.state, person(2)))
    paper.tell(decisions.withdraw(paper.state, person(3)))
    paper.enter(3)
    paper.start()
    assert [entry.status for entry in paper.state.entries] == ["playing", "withdrawn", "playing", "playing"]
    assert paper.pool() == 30


def test_levels_rise_by_the_clock_and_the_last_one_stays():
    paper = Paper(entries=4, levels=LEVELS, breaks=[], late_until=0)
    assert paper.state.p.level == 1
    paper.wait(10 * MINUTE - 1)
    assert paper.state.p.level == 1
    paper.wait(1)
    assert paper.state.p.level == 2
    paper.wait(10 * MINUTE)
    assert (paper.state.p.level, paper.state.clock.ends_at) == (3, None)
    paper.wait(100 * MINUTE)
    assert paper.state.p.level == 3


def test_levels_rise_by_the_hands_of_the_table_that_has_played_most():
    paper = Paper(entries=12, levels=[[3, 1, 2], [3, 2, 4], [3, 4, 8]], level_by="hands", stack=1000)
    for _ in range(2):
        paper.hand(1)
        paper.hand(2)
    paper.hand(1)
    assert paper.state.p.level == 2
    assert [table.hands for table in paper.tables()] == [0, 0]
    paper.hand(2)  # began at level 1
    for _ in range(2):
        paper.hand(2)
    assert paper.state.p.level == 3


def test_in_a_break_hands_are_finished_and_none_begins():
    paper = Paper(entries=12, levels=LEVELS, breaks=[[1, 5]])
    paper.wait(10 * MINUTE)
    assert paper.state.status == "break"
    paper.hand(1)
    paper.hand(2)
    assert paper.playing() == []
    happened = paper.wait(5 * MINUTE)
    assert paper.kinds(happened) == ["LevelBegan", "RoundOrdered"]
    assert (paper.state.status, paper.state.p.level, paper.playing()) == ("running", 2, [1, 2])


def test_a_pause_stops_the_clock_and_the_next_hands():
    paper = Paper(entries=12, levels=LEVELS, breaks=[])
    paper.wait(4 * MINUTE)
    paper.host("pause")
    assert paper.state.clock.remaining == 6 * MINUTE
    paper.hand(1)
    assert paper.playing() == [2]
    paper.wait(60 * MINUTE)
    assert paper.state.p.level == 1
    paper.host("resume")
    assert paper.playing() == [1, 2]
    paper.wait(6 * MINUTE)
    assert paper.state.p.level == 2


def test_a_level_that_the_host_sets_in_a_pause_has_all_its_time():
    paper = Paper(entries=4, levels=LEVELS, breaks=[])
    paper.wait(4 * MINUTE)
    paper.host("pause")
    paper.host("level", number=2)
    assert (paper.state.p.level, paper.state.clock.remaining) == (2, 10 * MINUTE)
    paper.wait(60 * MINUTE)
    paper.host("resume")
    paper.wait(10 * MINUTE - 1)
    assert paper.state.p.level == 2
    paper.wait(1)
    assert paper.state.p.level == 3


def test_the_clock_is_given_back_what_nobody_was_there_for():
    paper = Paper(entries=4, levels=LEVELS)
    paper.game.shift(paper.state, 7 * MINUTE)
    paper.now += 7 * MINUTE
    paper.wait(10 * MINUTE - 1)
    assert paper.state.p.level == 1


def test_the_host_sets_the_level():
    paper = Paper(entries=4, levels=LEVELS)
    paper.host("level", number=3)
    assert paper.state.p.level == 3
    for number in (0, 4, True, "2", None):
        with pytest.raises(Exception, match="'number' is a level"):
            paper.host("level", number=number)


def test_the_last_one_with_chips_wins_and_the_places_are_the_order_of_going_out():
    paper = Paper("sitngo", 4)
    paper.hand(1, {1: 0})
    paper.hand(1, {3: 0})
    paper.hand(1, {4: 0})
    assert (paper.state.status, paper.state.reason) == ("finished", "played")
    assert paper.places() == {2: (1, 1, 40), 4: (2, 2, 0), 3: (3, 3, 0), 1: (4, 4, 0)}


def test_prizes_are_those_of_the_host_and_sum_to_the_pool():
    paper = Paper("sitngo", 5, buy_in=33, payouts=[50, 30, 20])
    for loser in (1, 2, 3, 4):
        paper.hand(1, {loser: 0})
    prizes = [one.prize for one in paper.state.standings]
    assert prizes == [83, 49, 33, 0, 0]


def test_nobody_enters_or_withdraws_after_the_end():
    paper = Paper("sitngo", 2)
    paper.hand(1, {1: 0})
    for asked in (
        lambda: decisions.enter(paper.state, person(9), 0, paper.now, paper.entropy),
        lambda: decisions.withdraw(paper.state, person(1)),
        lambda: decisions.start(paper.state, paper.now, paper.entropy),
        lambda: decisions.use(paper.state, "pause", {}, paper.now),
        lambda: decisions.rebuy(paper.state, person(1), paper.now),
    ):
        with pytest.raises(Busy, match="over") as refused:
            asked()
        assert refused.value.code == "finished"


def test_who_is_removed_is_placed_last_and_their_chips_leave():
    paper = Paper("sitngo", 4, late_until=0)
    paper.hand(1, {1: 0})
    paper.host("remove", entry=3)  # a hand is being played: what is left of the stack is known when it is over
    assert paper.state.p.chips == 6000
    paper.tell([ev.HandReported(1, 2, {2: 4000, 3: 1000, 4: 1000})])
    assert (paper.state.p.chips, paper.state.p.removed_chips) == (5000, 1000)
    paper.hand(1, {4: 0})
    assert paper.places() == {2: (1, 1, 40), 4: (2, 2, 0), 1: (3, 3, 0), 3: (4, 4, 0)}
    with pytest.raises(Busy, match="over"):
        paper.enter(3)


def test_who_was_removed_before_the_start_cannot_come_back():
    paper = Paper(entries=3, start=False)
    paper.host("remove", entry=2)
    with pytest.raises(NotAllowed, match="removed you"):
        paper.enter(2)
    paper.start()
    assert paper.state.p.left == 2


def test_closing_before_the_start_pays_nobody():
    paper = Paper(entries=3, start=False)
    paper.host("close")
    assert (paper.state.status, paper.state.reason, paper.state.standings) == ("finished", "closed", [])


def test_closing_shares_what_is_left_of_the_pool_among_those_still_in():
    paper = Paper("sitngo", 9, payouts=[50, 30, 20])
    for loser in (1, 2, 3, 4, 5, 6):
        paper.hand(1, {loser: 0})
    paper.host("close")
    prizes = {one.entry: one.prize for one in paper.state.standings}
    assert sum(prizes.values()) == 90
    assert all(prizes[entry] >= 18 for entry in (7, 8, 9))
    assert [one.place for one in paper.state.standings] == [1, 2, 2, 4, 5, 6, 7, 8, 9]


def test_closing_with_many_still_in_shares_by_chips():
    paper = Paper(entries=40)
    paper.hand(1, {paper.at(1)[1]: 0})
    paper.host("close")
    assert sum(one.prize for one in paper.state.standings) == 400
    assert next(one.prize for one in paper.state.standings) == max(one.prize for one in paper.state.standings)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "settings",
    [
        {"entries": 2},
        {"entries": 30, "bounty": 4, "late_until": 0},
        {"entries": 61, "seats": 6, "breaks": [[1, 1], [2, 2]], "levels": LEVELS},
        {"entries": 40, "seats": 8, "races": "race", "chips": [25, 100, 500, 1000], "stack": 5000, "seed": 7},
        {"entries": 23, "seats": 2, "hand_for_hand": True, "payouts": [40, 20, 10, 10, 10, 10]},
    ],
    ids=str,
)
def test_random_courses_end_with_all_prizes_paid(settings, seed):
    paper = Paper(**{"seed": seed, **settings})
    paper.play_on()
    state = paper.state
    assert (state.status, state.reason) == ("finished", "played")
    assert sum(one.prize for one in state.standings) == paper.pool()
    assert sum(one.bounty for one in state.standings) == state.p.bounties
    assert sorted(one.entry for one in state.standings) == list(range(1, len(state.entries) + 1))
    assert not paper.tables()


def test_a_snapshot_is_the_state():
    paper = Paper(entries=30, bounty=4)
    paper.play_on(hands=40)
    thawed = paper.game.thaw(paper.state.settings, paper.game.freeze(paper.state))
    assert thawed == paper.state


def test_settings_that_do_not_fit():
    for form, settings in [
        ("mtt", {"stack": 10, "levels": [[10, 25, 50]]}),
        ("mtt", {"payouts": [50, 40]}),
        ("mtt", {"payouts": [40, 60]}),
        ("mtt", {"bounty": 11}),
        ("mtt", {"rebuys": 1}),
        ("mtt", {"reentries": 1, "late_until": 0}),
        ("mtt", {"add_on": 100, "breaks": []}),
        ("mtt", {"levels": [[10, 50, 25]]}),
        ("mtt", {"races": "race", "chips": [25]}),
        ("mtt", {"races": "race", "chips": [25, 110]}),
        ("mtt", {"breaks": [[200, 5]], "levels": [[10, 25, 50]]}),
        ("mtt", {"table": {"small_blind": 5}}),
        ("mtt", {"entries_min": 5, "entries_max": 3}),
        ("mtt", {"nonsense": 1}),
        ("sitngo", {"seats": 11}),
        ("swiss", {}),
    ]:
        with pytest.raises(Illegal):
            read("holdem", form, settings)


def test_prizes_before_the_start_are_those_of_who_has_entered():
    paper = Paper(entries=9, start=False, bounty=4)
    shown = view.whole(paper.state)
    assert shown["pool"] == sum(line["prize"] for line in shown["payouts"]) == 54
    assert [line["place"] for line in shown["payouts"]] == [1, 2, 3]
    paper.tell(decisions.withdraw(paper.state, person(9)))
    assert view.whole(paper.state)["pool"] == 48


def test_the_view_says_that_it_is_paused():
    paper = Paper("sitngo", 3, level_by="hands")
    assert view.whole(paper.state)["paused"] is False
    paper.host("pause")
    assert (view.whole(paper.state)["status"], view.whole(paper.state)["paused"]) == ("running", True)
    paper.host("resume")
    assert view.whole(paper.state)["paused"] is False


def test_where_everybody_left_is_away_it_ends_by_chips_instead_of_never():
    paper = Paper("sitngo", 3, payouts=[60, 30, 10], buy_in=10)
    paper.hand(1, {1: 1000}, away=True)
    for _ in range(98):
        paper.hand(1, away=True)
    assert paper.state.status == "running"
    paper.hand(1, away=True)
    assert paper.places() == {2: (1, 1, 18), 3: (2, 2, 9), 1: (3, 3, 3)}


def test_two_who_are_away_do_not_pass_the_blinds_for_ever():
    paper = Paper("sitngo", 2)
    for _ in range(99):
        paper.hand(1, away=True)
    assert paper.state.status == "running"
    paper.hand(1, away=True)
    assert paper.state.status == "finished"


def test_one_who_plays_keeps_it_going():
    paper = Paper("sitngo", 3)
    for _ in range(99):
        paper.hand(1, away=True)
    paper.hand(1)
    paper.hand(1, away=True)
    assert paper.state.status == "running"


def test_with_several_tables_it_ends_when_everybody_is_away_at_all_of_them():
    paper = Paper("mtt", 6, seats=3, late_until=0, payouts=[60, 40], buy_in=10)
    for _ in range(150):
        paper.hand(1, away=True)
    assert paper.playing() == [1, 2], "people play at the other table"
    for _ in range(99):
        paper.hand(2, away=True)
    paper.hand(2, away=True)
    assert (paper.playing(), paper.state.status) == ([1], "running"), "a hand is still being played"
    paper.hand(1)
    assert paper.playing() == [1, 2], "somebody is back"
    for _ in range(100):
        paper.hand(1, away=True)
    paper.hand(2, away=True)
    assert paper.state.status == "finished"
