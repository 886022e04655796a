"""The Swiss system: FIDE C.04.1 (basic rules) and C.04.3 (the Dutch system), by py4swiss."""

from __future__ import annotations

from collections import Counter

import pytest
from proofs.lawful_pairings import Ledger, unlawful
from proofs.verify_pairings import Fault, play
from py4swiss.engines import DutchEngine
from tests.referee import dutch
from tests.tournaments.chess.books import board, meetings, rounds

from parlour.tournaments.chess import swiss
from parlour.tournaments.chess.results import PairingResult


def paired(players: int, *lines: str, length: int = 7, white_first: bool = True) -> list[str]:
    order = range(1, players + 1)
    found = swiss.pair(swiss.field(order, rounds(*lines), order, length, white_first=white_first))
    assert found is not None
    return meetings(found)


def test_C04_3_B_the_first_round_is_the_upper_half_against_the_lower_half() -> None:
    assert paired(8) == ["1-5", "6-2", "3-7", "8-4"]


@pytest.mark.parametrize("white_first", [True, False])
def test_C04_3_the_first_round_is_the_one_that_the_engine_would_make(white_first: bool) -> None:
    """We know it without the engine, which takes long for many."""
    for players in range(2, 24):
        order = tuple(range(1, players + 1))
        now = swiss.field(order, (), order, 5, white_first=white_first)
        found = DutchEngine.generate_pairings(swiss._report(now))
        boards = [PairingResult(pair.white, pair.black) for pair in found if pair.black]
        byes = [PairingResult(pair.white, None, "bye") for pair in found if not pair.black]

        assert list(swiss.pair(now) or ()) == boards + byes


def test_C04_3_A5_the_drawn_colour_goes_to_the_first_player() -> None:
    assert paired(8, white_first=False) == ["5-1", "2-6", "7-3", "4-8"]


def test_C04_3_B_those_with_the_same_score_meet() -> None:
    second = paired(8, "1-5 1-0, 6-2 0-1, 3-7 1-0, 8-4 0-1")

    winners = {1, 2, 3, 4}
    for line in second:
        one = board(line)
        assert (one.white in winners) == (one.black in winners)


def test_C04_1_b_nobody_meets_twice() -> None:
    assert paired(4, "1-3 1/2-1/2, 4-2 1/2-1/2", "2-1 1/2-1/2, 3-4 1/2-1/2", length=3) == ["1-4", "3-2"]


def test_C04_1_b_those_who_were_paired_and_did_not_play_may_meet() -> None:
    assert "1-2" in paired(2, "1-2 ---") or "2-1" in paired(2, "1-2 ---")


def test_C04_1_c_the_bye_of_an_odd_number_goes_to_the_last() -> None:
    assert paired(7) == ["1-4", "5-2", "3-6", "7 bye"]


def test_C04_1_d_nobody_has_a_second_bye() -> None:
    """5 has lost and stays behind, but has had the bye."""
    second = paired(5, "1-3 1-0, 4-2 0-1, 5 bye")

    assert [line for line in second if line.endswith("bye")] != ["5 bye"]


def test_C04_1_d_who_won_by_forfeit_has_no_bye() -> None:
    history = rounds("1-4 +--, 5-2 1/2-1/2, 3-6 1/2-1/2")
    found = swiss.pair(swiss.field(range(1, 7), history, {1, 2, 5}, 5))

    assert found is not None
    assert found[-1].result == "bye"
    assert found[-1].white != 1


def test_C04_1_d_a_half_point_bye_that_was_asked_for_does_not_cost_the_bye() -> None:
    history = rounds("1-2 1-0, 3 half-bye")
    found = swiss.pair(swiss.field([1, 2, 3], history, {1, 2, 3}, 3))

    assert found is not None
    assert meetings(found) == ["3-1", "2 bye"]


def test_C04_1_f_no_difference_of_more_than_two_and_C04_1_g_no_colour_three_times() -> None:
    """Two who had White twice running may not meet: each must have Black now."""
    history = rounds("1-5 1-0, 2-6 1-0, 3-7 1-0, 4-8 1-0", "1-3 1-0, 2-4 1-0, 5-7 1-0, 6-8 1-0")
    found = swiss.pair(swiss.field(range(1, 9), history, range(1, 9), 5))

    assert found is not None
    assert frozenset((1, 2)) not in {frozenset((one.white, one.black)) for one in found}
    assert {1, 2, 5, 6} <= {one.black for one in found}


def test_C04_3_A7_topscorers_meet_in_the_last_round_whatever_their_colours() -> None:
    history = rounds("1-5 1-0, 2-6 1-0, 3-7 1-0, 4-8 1-0", "1-3 1-0, 2-4 1-0, 5-7 1-0, 6-8 1-0")
    found = swiss.pair(swiss.field(range(1, 9), history, range(1, 9), 3))

    assert found is not None
    assert frozenset((1, 2)) in {frozenset((one.white, one.black)) for one in found}


def test_C04_3_A4_a_player_of_an_odd_score_group_floats_down() -> None:
    """Three with a point: one of them meets somebody with none."""
    second = [board(line) for line in paired(6, "1-4 1-0, 5-2 0-1, 3-6 1-0")]

    floats = [one for one in second if (one.white <= 3) != ((one.black or 0) <= 3)]
    assert len(floats) == 1


def test_C04_3_C_nobody_floats_down_twice_running() -> None:
    """3 floated down in the second round; in the third another one of the group does."""
    history = rounds("1-4 1-0, 5-2 0-1, 3-6 1-0", "2-1 1/2-1/2, 4-3 0-1, 6-5 1/2-1/2")
    found = swiss.pair(swiss.field(range(1, 7), history, range(1, 7), 5))

    assert found is not None
    [of_three] = [one for one in found if 3 in (one.white, one.black)]
    assert {of_three.white, of_three.black} <= {1, 2, 3}


def test_C04_2_a_late_entry_is_paired_from_the_round_that_it_enters() -> None:
    history = rounds("1-3 1-0, 4-2 1/2-1/2")
    found = swiss.pair(swiss.field([1, 2, 3, 4, 5, 6], history, range(1, 7), 5))

    assert found is not None
    assert {entry for one in found for entry in (one.white, one.black)} == {1, 2, 3, 4, 5, 6}


def test_C04_2_who_has_withdrawn_is_not_paired() -> None:
    history = rounds("1-4 1-0, 5-2 0-1, 3-6 1-0")
    found = swiss.pair(swiss.field(range(1, 7), history, {1, 2, 3, 5, 6}, 5))

    assert found is not None
    assert 4 not in {entry for one in found for entry in (one.white, one.black)}
    assert sum(one.result == "bye" for one in found) == 1


def test_the_points_of_a_bye_are_the_hosts_choice_and_place_its_player() -> None:
    """With half a point, 5 does not meet those who have won."""
    history = rounds("1-3 1-0, 4-2 0-1, 5 bye")
    found = swiss.pair(swiss.field(range(1, 6), history, range(1, 6), 4, bye_points=0.5))

    assert found is not None
    assert meetings(found)[0] in ("2-1", "1-2")


def test_there_is_no_round_where_everybody_has_met() -> None:
    assert swiss.pair(swiss.field([1, 2], rounds("1-2 1-0"), [1, 2], 3)) is None


def test_one_player_alone_cannot_be_paired() -> None:
    assert swiss.pair(swiss.field([1, 2], rounds("1-2 1-0"), [1], 3)) is None


def test_a_round_is_not_paired_while_a_game_is_played() -> None:
    with pytest.raises(ValueError, match="the one before it is over"):
        swiss.pair(swiss.field([1, 2, 3, 4], rounds("1-3 1-0, 2-4"), range(1, 5), 3))


@pytest.mark.parametrize(
    ("players", "proposed"), [(2, 1), (3, 2), (4, 3), (5, 4), (8, 4), (9, 5), (16, 5), (32, 6), (64, 7), (300, 10)]
)
def test_as_many_rounds_are_proposed_as_find_one_winner(players: int, proposed: int) -> None:
    assert swiss.proposed_rounds(players) == proposed


def test_random_tournaments_are_paired_as_py4swiss_pairs_them_and_every_round_is_lawful() -> None:
    """The short form of `python -m proofs.verify_pairings`."""
    seen = sum((play(seed, most=12) for seed in range(1000, 1025)), Counter[str]())

    for what in ("rounds", "byes", "floats", "withdrawals", "late entries", "forfeits", "half-point byes"):
        assert seen[what] > 0, what


def by_hand(tournaments: int, most: int) -> None:
    seen = sum((play(seed, most) for seed in range(5000, 5000 + tournaments)), Counter[str]())

    assert seen["rounds by hand"] > 4 * tournaments
    for what in ("brackets with players moved down", "players moved down who move on", "collapsed brackets"):
        assert seen[what] > tournaments / 10, what


def test_C04_3_small_tournaments_are_paired_as_the_handbook_says_by_hand() -> None:
    """Pairs, colours, floats and byes, by all of the criteria C.1 to C.19 and the sequence D."""
    by_hand(60, most=8)


@pytest.mark.slow
def test_C04_3_some_hundreds_of_tournaments_are_paired_as_the_handbook_says_by_hand() -> None:
    by_hand(300, most=10)


@pytest.mark.parametrize("criterion", ["differences", "outlook", "colours", "floats", "_place_in_remainder"])
def test_whoever_leaves_a_criterion_out_is_found(criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dutch.Bracket, criterion, lambda *_: (0,))
    with pytest.raises(Fault, match="seed"):
        by_hand(60, most=8)


class TestTheChecker:
    """What judges the rounds finds what is wrong with them."""

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            ("1-2, 3-4", "C.04.1.b"),
            ("1-3, 2-4", "C.04.1 f, g"),
            ("3-1, 4 bye, 2 bye", "2 byes"),
            ("3-1", "not everybody"),
        ],
    )
    def test_it_names_the_rule(self, line: str, fault: str) -> None:
        ledgers = {
            1: Ledger(points=2, opponents={2}, colours="ww"),
            2: Ledger(points=1, opponents={1}, colours="b"),
            3: Ledger(colours="b"),
            4: Ledger(colours="w"),
        }

        assert fault in " ".join(unlawful([board(one.strip()) for one in line.split(",")], ledgers, False, 2))

    def test_it_names_a_second_bye(self) -> None:
        ledgers = {1: Ledger(freed=True), 2: Ledger(), 3: Ledger()}

        assert "C.04.1.d" in " ".join(unlawful([PairingResult(2, 3), PairingResult(1, None, "bye")], ledgers, False, 1))
