"""Round robins: FIDE C.05, annex 1 (the Berger tables), and withdrawals from them."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.tournaments.chess.books import meetings, rounds

from parlour.tournaments.chess.results import PairingResult
from parlour.tournaments.chess.round_robin import berger, pairings, schedule, struck, without

# As printed in the handbook.
PRINTED = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / 3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / "
        "4-8 5-3 6-2 7-1"
    ),
}


def colours(players: int, cycles: int) -> dict[int, str]:
    had = dict.fromkeys(range(1, players + 1), "")
    for boards in schedule(players, cycles):
        for white, black in boards:
            if max(white, black) <= players:
                had[white] += "w"
                had[black] += "b"
    return had


@pytest.mark.parametrize("players", PRINTED)
def test_C05_annex_1_the_tables_are_those_that_Berger_made(players: int) -> None:
    found = " / ".join(" ".join(f"{white}-{black}" for white, black in boards) for boards in berger(players))

    assert found == PRINTED[players]


@pytest.mark.parametrize("players", range(2, 41))
def test_C05_annex_1_everybody_meets_everybody_once(players: int) -> None:
    met = Counter(frozenset(board) for boards in berger(players) for board in boards if max(board) <= players)

    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("players", range(2, 41))
def test_C05_annex_1_nobody_has_a_colour_more_than_once_too_often(players: int) -> None:
    for had in colours(players, 1).values():
        assert abs(had.count("w") - had.count("b")) <= 1


@pytest.mark.parametrize("players", range(3, 42, 2))
def test_C05_annex_1_an_odd_number_is_free_once_each_and_that_is_worth_nothing(players: int) -> None:
    order = list(range(1, players + 1))
    byes = [one.white for boards in schedule(players) for one in pairings(order, boards) if one.result == "bye"]

    assert sorted(byes) == order


@pytest.mark.parametrize("players", range(2, 41))
def test_C05_annex_1_two_cycles_change_colours_and_give_none_three_times_running(players: int) -> None:
    met = Counter(board for boards in schedule(players, 2) for board in boards if max(board) <= players)

    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1)
    for had in colours(players, 2).values():
        assert had.count("w") == had.count("b")
        assert "www" not in had
        assert "bbb" not in had


def test_C05_the_numbers_of_the_table_are_drawn() -> None:
    assert meetings(pairings([7, 9, 4], berger(3)[0])) == ["9-4", "7 bye"]


def test_C05_who_withdraws_before_half_of_the_games_counts_for_nobody() -> None:
    played = rounds("1-4 1-0, 2-3 1/2-1/2", "4-3 +--, 1-2 0-1", "2-4 --+, 3-1 1-0")

    assert struck(played, [4], games=3) == {4}
    assert meetings(without(played, {4})[0]) == ["2-3 1/2-1/2"]


def test_C05_who_withdraws_after_half_of_the_games_keeps_what_was_scored() -> None:
    played = rounds("1-4 1-0, 2-3 1-0", "4-3 1-0, 1-2 0-1", "2-4 +--, 3-1 1-0")

    assert struck(played, [4], games=3) == set()


@pytest.mark.parametrize(("players", "cycles"), [(1, 1), (0, 1), (4, 0)])
def test_there_is_no_schedule_for_nobody(players: int, cycles: int) -> None:
    with pytest.raises(ValueError, match="a round robin"):
        schedule(players, cycles)


def test_a_pairing_is_plain_data() -> None:
    assert PairingResult(1, 2) == PairingResult(1, 2, None)
