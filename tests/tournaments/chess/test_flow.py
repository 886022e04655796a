"""Chess tournaments from the first entry to the last place, without tables: what follows from what."""

from __future__ import annotations

import contextlib
import random

import pytest
from tests.tournaments.chess.hall import Hall

from parlour.games.contract import Illegal
from parlour.tables.errors import Refused
from parlour.tournaments import events as ev
from parlour.tournaments import view
from parlour.tournaments.chess import swiss
from parlour.tournaments.plan import format_of

FORMATS = ("round_robin", "swiss", "knockout", "arena")


class TestRoundRobin:
    def test_C05_everybody_meets_everybody_and_the_best_score_wins(self) -> None:
        hall = Hall("round_robin", 5)
        hall.start()
        hall.play_out()

        assert [one.number for one in hall.state.c.rounds] == [1, 2, 3, 4, 5]
        assert hall.places() == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5)]
        assert [one.points for one in hall.state.standings] == [4, 3, 2, 1, 0]

    def test_C05_annex_1_a_second_cycle_changes_colours(self) -> None:
        hall = Hall("round_robin", 4, {"cycles": 2})
        hall.start()
        hall.play_out()

        met = [(one.paired.white, one.paired.black) for each in hall.state.c.rounds for one in each.pairings]
        assert len(set(met)) == len(met) == 12

    def test_C05_who_withdraws_forfeits_the_games_that_are_left(self) -> None:
        hall = Hall("round_robin", 4)
        hall.start()
        while len(hall.state.c.rounds) < 2:
            for table, _ in hall.open():
                hall.report(table.number, "1/2-1/2")
            hall.wait()
        for table, _ in hall.open():
            hall.report(table.number, "1/2-1/2")
        hall.withdraw(1)
        hall.wait()

        [forfeited] = [line for line in hall.boards(3) if line.startswith("1-") or "-1 " in line]
        assert forfeited.endswith("--+" if forfeited.startswith("1-") else "+--")

    def test_C05_who_withdraws_before_half_of_the_games_comes_last_and_counts_for_nobody(self) -> None:
        hall = Hall("round_robin", 4)
        hall.start()
        for table, pairing in hall.open():
            white = pairing.paired.white
            hall.report(table.number, "1-0" if 1 in (white,) or pairing.paired.black != 1 else "0-1")
        hall.withdraw(1)
        while hall.state.status != "finished":
            for table, _ in hall.open():
                hall.report(table.number, "1/2-1/2")
            if hall.state.status != "finished":
                hall.wait()

        standings = {one.entry: one for one in hall.state.standings}
        assert standings[1].place == 4
        assert sum(one.points for one in hall.state.standings if one.entry != 1) == 3  # three games among the others

    @pytest.mark.parametrize(("entries", "cycles", "rounds"), [(4, 1, 3), (5, 1, 5), (4, 2, 6)])
    def test_everybody_sees_how_many_rounds_there_are(self, entries: int, cycles: int, rounds: int) -> None:
        hall = Hall("round_robin", entries, {"cycles": cycles})
        assert view.whole(hall.state)["rounds_planned"] is None
        hall.start()
        assert view.whole(hall.state)["rounds_planned"] == rounds

    def test_nobody_enters_late(self) -> None:
        hall = Hall("round_robin", 3)
        hall.start()

        with pytest.raises(Refused, match="nobody can enter"):
            hall.enter(4)


class TestSwiss:
    def test_C04_3_winners_meet_winners_until_the_proposed_rounds_are_played(self) -> None:
        hall = Hall("swiss", 8)
        hall.start()
        hall.play_out()

        assert len(hall.state.c.rounds) == 4
        assert hall.places()[0] == (1, 1, 1)
        assert hall.state.standings[0].points == 4
        assert list(hall.state.standings[0].tiebreaks) == ["buchholz_cut1", "buchholz", "sonneborn_berger", "wins"]

    def test_C04_2_B_the_strongest_come_first_in_the_initial_order(self) -> None:
        hall = Hall("swiss", 0)
        for number, rating in ((1, 1500), (2, 2100), (3, 0), (4, 1800)):
            hall.enter(number, rating)
        hall.start()

        met = {frozenset((one.paired.white, one.paired.black)) for one in hall.state.c.rounds[0].pairings}
        assert met == {frozenset((2, 1)), frozenset((4, 3))}

    def test_C04_1_c_the_bye_gives_the_points_that_the_host_says(self) -> None:
        hall = Hall("swiss", 5, {"bye_points": 0.5})
        hall.start()

        assert hall.boards(1)[-1] == "5 bye"
        assert hall.state.c.points[5] == 0.5

    def test_C04_2_a_late_entry_is_paired_in_the_next_round(self) -> None:
        hall = Hall("swiss", 4, {"rounds": 3, "late_until": 2, "late_points": 0.5})
        hall.start()
        hall.enter(5)
        hall.enter(6)
        for table, _ in hall.open():
            hall.report(table.number, "1/2-1/2")
        hall.wait()

        assert {entry for one in hall.state.c.rounds[1].pairings for entry in (one.paired.white, one.paired.black)} == {
            1, 2, 3, 4, 5, 6,
        }  # fmt: skip
        assert hall.state.c.points[5] == 0.5
        with pytest.raises(Refused, match="nobody can enter"):
            hall.enter(7)

    def test_C04_2_who_withdraws_plays_the_game_and_is_not_paired_again(self) -> None:
        hall = Hall("swiss", 6, {"rounds": 3})
        hall.start()
        hall.withdraw(1)
        assert len(hall.open()) == 3
        hall.play_out()

        for each in hall.state.c.rounds[1:]:
            assert all(1 not in (one.paired.white, one.paired.black) for one in each.pairings)

    def test_who_withdrew_may_come_back_while_entries_are_open(self) -> None:
        hall = Hall("swiss", 6, {"rounds": 4, "late_until": 3})
        hall.start()
        hall.withdraw(1)
        for table, _ in hall.open():
            hall.report(table.number, "1/2-1/2")
        hall.enter(1)
        hall.wait()

        assert any(1 in (one.paired.white, one.paired.black) for one in hall.state.c.rounds[1].pairings)

    def test_it_ends_early_where_no_round_can_be_paired_any_more(self) -> None:
        hall = Hall("swiss", 4, {"rounds": 9})
        hall.start()
        hall.play_out()

        assert len(hall.state.c.rounds) == 3
        assert hall.state.reason == "played"

    def test_it_ends_when_only_one_is_left(self) -> None:
        hall = Hall("swiss", 3, {"rounds": 3})
        hall.start()
        hall.withdraw(1)
        hall.withdraw(2)
        for table, _ in hall.open():
            hall.report(table.number, "1/2-1/2")

        assert hall.state.status == "finished"

    def test_the_pairing_of_a_large_field_is_awaited_and_not_worked_out_on_the_spot(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(swiss, "AT_ONCE", 5)
        hall = Hall("swiss", 6, seed=4)
        hall.prepares = False
        hall.start()
        swiss._remembered.clear()
        for table, _ in hall.open():
            hall.report(table.number, "1-0")
        hall.tick(60)
        assert len(hall.state.c.rounds) == 1
        work = format_of(hall.state).prepare(hall.state)
        assert work is not None
        work()
        hall.tick(0)

        assert len(hall.state.c.rounds) == 2


class TestKnockout:
    def test_seeds_meet_as_late_as_can_be_and_losers_of_a_round_share_places(self) -> None:
        hall = Hall("knockout", 0)
        for number in range(1, 9):
            hall.enter(number, 3000 - number)
        hall.start()
        assert hall.boards(1) == ["1-8", "4-5", "2-7", "3-6"]
        hall.play_out()

        assert len(hall.state.c.rounds) == 3
        assert hall.places() == [
            (1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 3, 4), (5, 5, 8), (6, 5, 8), (7, 5, 8), (8, 5, 8),
        ]  # fmt: skip
        assert {entry.status for entry in hall.state.entries} == {"playing", "out"}

    def test_byes_go_to_the_highest_seeds(self) -> None:
        hall = Hall("knockout", 0)
        for number in range(1, 7):
            hall.enter(number, 3000 - number)
        hall.start()

        assert hall.boards(1) == ["1 bye", "4-5", "2 bye", "3-6"]

    def test_a_match_of_several_games_alternates_colours_and_ends_when_it_is_decided(self) -> None:
        hall = Hall("knockout", 2, {"games": 4})
        hall.start()
        first = hall.open()[0][1].paired
        for _ in range(3):
            hall.result(1, 2, "1-0")
            if hall.state.status != "finished":
                hall.wait()

        games = [one.paired for one in hall.state.c.rounds[0].pairings]
        assert [one.white for one in games] == [first.white, first.black, first.white]
        assert hall.state.status == "finished"
        assert hall.places() == [(1, 1, 1), (2, 2, 2)]
        assert [one.points for one in hall.state.standings] == [3, 0], "every game of the match counts"

    def test_a_level_match_goes_to_quick_games_and_at_last_to_armageddon_where_a_draw_wins_for_black(self) -> None:
        hall = Hall("knockout", 2, {"tiebreak": [[5, 3]]})
        hall.start()
        stages = []
        while hall.state.status != "finished":
            [(table, pairing)] = hall.open()
            stages.append((pairing.paired.facts["stage"], table.settings.get("minutes"), table.settings.get("odds")))
            last = pairing.paired
            hall.report(table.number, "1/2-1/2")
            if hall.state.status != "finished":
                hall.wait()

        assert stages == [
            ("game", None, None), ("tiebreak", 5, None), ("tiebreak", 5, None), ("armageddon", 5, "black"),
        ]  # fmt: skip
        assert hall.places()[0][0] == last.black
        [shown] = view.whole(hall.state)["rounds"]
        assert [one["kind"] for one in shown["pairings"]] == [stage for stage, *_ in stages]

    def test_who_does_not_turn_up_is_out_and_where_nobody_does_the_next_opponent_goes_through(self) -> None:
        hall = Hall("knockout", 0)
        for number in range(1, 5):
            hall.enter(number, 3000 - number)
        hall.start()
        hall.result(1, 4, "---")
        hall.result(2, 3, "--+")

        assert hall.state.status != "finished"
        hall.wait()
        assert hall.boards(2) == ["3 bye"]
        assert hall.state.status == "finished"
        assert hall.places() == [(3, 1, 1), (1, 2, 4), (2, 2, 4), (4, 2, 4)]

    def test_who_withdraws_between_rounds_loses_the_next_match(self) -> None:
        hall = Hall("knockout", 0)
        for number in range(1, 5):
            hall.enter(number, 3000 - number)
        hall.start()
        hall.result(1, 4, "1-0")
        hall.result(2, 3, "1-0")
        hall.withdraw(1)
        hall.wait()

        assert hall.state.status == "finished"
        assert hall.places()[:2] == [(2, 1, 1), (1, 2, 2)]


class TestArena:
    def test_whoever_is_free_is_paired_again_but_not_with_the_last_opponent(self) -> None:
        hall = Hall("arena", 4, {"minutes": 30})
        hall.start()
        [(one, first), (two, _)] = hall.open()
        hall.report(one.number, "1-0")
        hall.tick(60)
        assert len(hall.open()) == 1, "the two who are free have just met"
        hall.report(two.number, "1-0")
        hall.wait()

        met = {frozenset((one.paired.white, one.paired.black)) for _, one in hall.open()}
        assert len(met) == 2
        assert frozenset((first.paired.white, first.paired.black)) not in met

    def test_two_alone_play_on_with_colours_in_turn(self) -> None:
        hall = Hall("arena", 2, {"minutes": 30})
        hall.start()
        whites = []
        for _ in range(4):
            [(table, pairing)] = hall.open()
            whites.append(pairing.paired.white)
            hall.report(table.number, "1/2-1/2")
            hall.wait()

        assert whites[0] != whites[1]
        assert whites[2:] == whites[:2]

    def test_wins_in_a_row_count_double_as_in_the_arenas_of_lichess(self) -> None:
        hall = Hall("arena", 2, {"minutes": 60})
        hall.start()
        for result in ("1-0", "1-0", "1-0", "1/2-1/2", "1-0"):
            hall.result(1, 2, result)  # type: ignore[arg-type]
            hall.wait()

        assert hall.state.c.points[1] == 2 + 2 + 4 + 2 + 2
        assert hall.state.c.points[2] == 1

    def test_games_that_are_played_when_the_time_is_over_count(self) -> None:
        hall = Hall("arena", 2, {"minutes": 1})
        hall.start()
        hall.tick(61)
        assert hall.state.status == "running"
        hall.result(2, 1, "1-0")

        assert hall.state.status == "finished"
        assert hall.places() == [(2, 1, 1), (1, 2, 2)]

    def test_people_come_and_go_until_the_end(self) -> None:
        hall = Hall("arena", 2, {"minutes": 5})
        hall.start()
        hall.enter(3)
        hall.result(1, 2, "1-0")
        hall.withdraw(2)
        hall.wait()

        assert {hall.open()[0][1].paired.white, hall.open()[0][1].paired.black} == {1, 3}

    def test_it_ends_by_time_with_nobody_there(self) -> None:
        hall = Hall("arena", 2, {"minutes": 1})
        hall.start()
        hall.result(1, 2, "1-0")
        hall.withdraw(1)
        hall.withdraw(2)
        hall.wait()

        assert hall.state.status == "finished"
        assert hall.places() == [(1, 1, 1), (2, 2, 2)]


@pytest.mark.parametrize("kind", FORMATS)
class TestEveryFormat:
    def test_a_pause_holds_the_next_round_back(self, kind: str) -> None:
        hall = Hall(kind, 4)
        hall.start()
        hall.use("pause")
        for table, _ in hall.open():
            hall.report(table.number, "1-0")
        hall.tick(3600)
        assert hall.open() == []
        assert all(format_of(hall.state).order(hall.state, table).paused for table in hall.state.open_tables())
        hall.use("resume")
        hall.wait()

        assert len(hall.open()) > 0

    def test_a_game_that_a_pause_kept_from_beginning_begins_afterwards(self, kind: str) -> None:
        hall = Hall(kind, 4)
        hall.start()
        table = hall.open()[0][0].number
        hall.use("pause")
        hall.happen([ev.RoundHeld(table)])
        assert not hall.state.tables[table].ordered
        hall.use("resume")

        assert hall.state.tables[table].ordered

    def test_whom_the_host_removes_forfeits_and_comes_last(self, kind: str) -> None:
        hall = Hall(kind, 4, {"minutes": 1} if kind == "arena" else {})
        hall.start()
        table, pairing = hall.open()[0]
        removed = pairing.paired.white
        assert removed is not None
        hall.use("remove", entry=removed)
        assert pairing.paired.table == table.number
        hall.play_out()

        assert hall.places()[-1][0] == removed
        assert hall.state.c.rounds[0].pairings[0].result == "--+"

    def test_a_game_whose_table_was_closed_by_hand_begins_anew_at_another(self, kind: str) -> None:
        hall = Hall(kind, 4)
        hall.start()
        table, pairing = hall.open()[0]
        games = len(hall.open())
        hall.happen([ev.TableClosing(table.number, lost=True)])

        assert len(hall.open()) == games
        [(other, moved)] = [one for one in hall.open() if one[1].paired.white == pairing.paired.white]
        assert other.number != table.number
        assert other.ordered
        assert other.seats == {0: moved.paired.white, 1: moved.paired.black}

    def test_the_host_may_close_it_and_places_are_as_they_stand(self, kind: str) -> None:
        hall = Hall(kind, 4)
        hall.start()
        table, pairing = hall.open()[0]
        hall.report(table.number, "1-0")
        hall.use("close")

        assert hall.state.reason == "closed"
        assert hall.places()[0][0] == pairing.paired.white or kind == "knockout"
        assert all(one.closed for one in hall.state.tables.values())

    def test_nobody_starts_alone(self, kind: str) -> None:
        with pytest.raises(Refused, match="at least 2"):
            Hall(kind, 1).start()

    @pytest.mark.parametrize("seed", range(8))
    def test_whatever_happens_it_comes_to_an_end_and_the_log_alone_tells_it(self, kind: str, seed: int) -> None:
        dice = random.Random(seed)
        own = {"swiss": {"late_until": 3}, "knockout": {"games": dice.choice((1, 2))}, "arena": {"minutes": 10}}
        hall = Hall(kind, dice.randint(2, 9), own.get(kind), seed)
        hall.start()
        while hall.state.status != "finished":
            self._something(hall, dice)
            seats = [entry for table in hall.state.open_tables() for entry in table.seats.values()]
            assert len(seats) == len(set(seats)), "somebody sits twice"
            playing = [entry for table, _ in hall.open() for entry in table.seats.values()]
            assert len(playing) == 2 * len(hall.open()), "somebody is missing at a board"

        places = hall.places()
        assert [place for _, place, _ in places] == sorted(place for _, place, _ in places)
        assert len({entry for entry, _, _ in places}) == len(places)
        for _, place, place_to in places:
            assert sum(one[1] == place for one in places) == place_to - place + 1
        assert hall.replayed() == hall.state

    def _something(self, hall: Hall, dice: random.Random) -> None:
        games, chance = hall.open(), dice.random()
        here = [entry.number for entry in hall.state.entries if entry.status == "playing"]
        if chance < 0.03 and len(here) > 2:
            hall.withdraw(dice.choice(here))
        elif chance < 0.05 and len(here) > 2:
            hall.use("remove", entry=dice.choice(here))
        elif chance < 0.08:
            with contextlib.suppress(Refused):
                hall.enter(len(hall.state.entries) + 1)
        elif games and chance < 0.12:
            hall.happen([ev.TableClosing(dice.choice(games)[0].number, lost=True)])
        elif games:
            results = ("1-0", "0-1", "1/2-1/2", "+--", "--+", "---")
            table, _ = dice.choice(games)
            hall.report(table.number, dice.choices(results, (5, 5, 4, 1, 1, 1))[0])  # type: ignore[arg-type]
        else:
            hall.wait()


@pytest.mark.parametrize(
    ("kind", "chosen", "words"),
    [
        ("swiss", {"entries_max": 301}, "at most 300"),
        ("round_robin", {"entries_max": 101}, "at most 100"),
        ("knockout", {"table": {"untimed": True}}, "needs clocks"),
        ("swiss", {"tie_breaks": ["luck"]}, "luck"),
        ("arena", {"table": {"side": "black"}}, "side"),
    ],
)
def test_settings_that_do_not_fit_are_refused_with_words(kind: str, chosen: dict[str, object], words: str) -> None:
    with pytest.raises(Illegal, match=words):
        Hall(kind, 2, chosen)


def test_without_the_engine_there_is_no_swiss_system_and_the_rest_is_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss, "available", lambda: False)
    with pytest.raises(Illegal, match="py4swiss") as refused:
        Hall("swiss", 2)

    assert refused.value.code == "no_swiss"
    Hall("round_robin", 2).start()
