"""Tie-breaks: FIDE C.07, as in force since March 2026. Figures are worked out by hand."""

from __future__ import annotations

import pytest
from tests.tournaments.chess.books import rounds

from parlour.tournaments.chess.results import PairingResult
from parlour.tournaments.chess.tiebreaks import TIE_BREAKS, TieBreak, TiebreakScores, standings, value

# Six players, four rounds, every game played.
#   1: 1-0 4, 1-0 2, 1/2 3, 1-0 5    3.5
#   2: 1-0 5, 0-1 1, 1-0 6, 1/2 3    2.5
#   3: 1/2 6, 1-0 4, 1/2 1, 1/2 2    2.5
#   4: 0-1 1, 0-1 3, 1-0 5, 1/2 6    1.5
#   5: 0-1 2, 1/2 6, 0-1 4, 0-1 1    0.5
#   6: 1/2 3, 1/2 5, 0-1 2, 1/2 4    1.5
PLAYED = rounds(
    "1-4 1-0, 5-2 0-1, 3-6 1/2-1/2",
    "2-1 0-1, 4-3 0-1, 6-5 1/2-1/2",
    "1-3 1/2-1/2, 2-6 1-0, 5-4 0-1",
    "5-1 0-1, 3-2 1/2-1/2, 4-6 1/2-1/2",
)


def scores(
    played: list[list[PairingResult]], players: int = 6, bye_points: float = 1, swiss: bool = True
) -> TiebreakScores:
    return TiebreakScores(range(1, players + 1), played, bye_points, swiss)


@pytest.mark.parametrize(
    ("article", "tie_break", "entry", "due"),
    [
        ("8.1", "buchholz", 1, 1.5 + 2.5 + 2.5 + 0.5),
        ("8.1", "buchholz", 2, 0.5 + 3.5 + 1.5 + 2.5),
        ("8.1", "buchholz", 3, 1.5 + 1.5 + 3.5 + 2.5),
        ("14.1", "buchholz_cut1", 1, 1.5 + 2.5 + 2.5),
        ("14.1", "buchholz_cut1", 3, 1.5 + 3.5 + 2.5),
        ("14.3", "buchholz_median", 3, 1.5 + 2.5),
        ("9.1", "sonneborn_berger", 1, 1.5 + 2.5 + 2.5 / 2 + 0.5),
        ("9.1", "sonneborn_berger", 3, 1.5 / 2 + 1.5 + 3.5 / 2 + 2.5 / 2),
        ("7.1", "wins", 1, 3),
        ("7.1", "wins", 3, 1),
        ("7.4", "black_wins", 1, 2),
        ("7.4", "black_wins", 2, 1),
        ("7.5", "progressive", 1, 1 + 2 + 2.5 + 3.5),
        ("7.5", "progressive", 5, 0 + 0.5 + 0.5 + 0.5),
    ],
)
def test_C07_values(article: str, tie_break: TieBreak, entry: int, due: float) -> None:
    assert value(scores(PLAYED), entry, tie_break) == due, article


def test_C07_4_tie_breaks_are_asked_one_after_another() -> None:
    """2 and 3 have drawn their game; Buchholz sets 3 above 2, and wins 2 above 3."""
    assert [one.entry for one in standings(scores(PLAYED), ["direct", "buchholz"])][:3] == [1, 3, 2]
    assert [one.entry for one in standings(scores(PLAYED), ["wins", "buchholz"])][:3] == [1, 2, 3]


def test_C07_4_who_is_level_after_all_of_them_shares_the_places() -> None:
    placed = {one.entry: (one.place, one.place_to) for one in standings(scores(PLAYED), ["direct"])}

    assert placed[1] == (1, 1)
    assert placed[2] == placed[3] == (2, 3)
    assert placed[5] == (6, 6)


class TestDirectEncounter:
    def test_C07_6_1_the_games_among_those_who_are_level_decide(self) -> None:
        """1, 2 and 3 have two points each, and have all met."""
        played = rounds("1-2 1-0, 3-4 1-0", "2-3 1-0, 1-5 1/2-1/2", "1-3 1/2-1/2, 2-4 1-0", "3-5 1/2-1/2")
        placed = standings(scores(played, 5), ["direct"])[:3]

        assert [(one.entry, one.tiebreaks["direct"]) for one in placed] == [(1, 1.5), (2, 1), (3, 0.5)]

    def test_C07_6_2_with_games_missing_only_what_is_certain_counts(self) -> None:
        """1 has beaten 2 and 3, who have not met: 1 is first whatever they would do, they stay level."""
        played = rounds("1-2 1-0, 3-5 1-0, 6-4 1-0", "3-1 0-1, 2-6 1-0, 4-5 1-0", "5-1 1-0, 4-2 0-1, 6-3 0-1")
        group = [one for one in standings(scores(played), ["direct"]) if one.points == 2]

        assert [one.entry for one in group] == [1, 2, 3]
        assert (group[0].place, group[0].place_to) == (1, 1)
        assert (group[1].place, group[1].place_to) == (2, 3)

    def test_C07_6_2_a_first_place_that_a_missing_game_could_take_is_not_certain(self) -> None:
        """1 has beaten 2; 3 has met neither, and could score as much."""
        played = rounds("1-2 1-0, 3-4 1-0", "4-1 1-0, 2-5 1-0, 6-3 1-0")
        level = [one for one in standings(scores(played), ["direct"]) if one.entry in (1, 2, 3)]

        assert {(one.place, one.place_to) for one in level} == {(1, 5)}

    def test_C07_6_3_those_who_stay_level_are_looked_at_again_by_themselves(self) -> None:
        """Of four with two points each, 1 beat 2 and 3, 4 beat 1, 2 beat 3 and 4, 3 beat 4: 1 and 2 have two points
        among the four, 3 and 4 one. Among the two, 1 beat 2, and 3 beat 4."""
        played = rounds("1-2 1-0, 3-4 1-0", "3-1 0-1, 4-2 0-1", "4-1 1-0, 2-3 1-0", "5-3 0-1, 5-4 0-1")
        placed = standings(scores(played, 5), ["direct"])

        assert [one.entry for one in placed] == [1, 2, 3, 4, 5]
        assert [one.tiebreaks["direct"] for one in placed] == [2, 2, 1, 1, None]

    def test_C07_15_a_forfeit_is_no_encounter_under_a_swiss_system(self) -> None:
        played = rounds("1-2 +--, 3-4 1/2-1/2", "2-3 1-0, 4-1 1/2-1/2", "1-3 0-1, 2-4 1/2-1/2")
        swiss = standings(scores(played, 4), ["direct"])
        robin = standings(scores(played, 4, swiss=False), ["direct"])

        assert {one.entry: one.tiebreaks["direct"] for one in swiss}[1] == 0.5
        assert {one.entry: one.tiebreaks["direct"] for one in robin}[1] == 1.5


class TestUnplayedRounds:
    """Article 16, under a Swiss system."""

    def test_C07_16_4_2_a_bye_counts_as_a_game_against_a_dummy_with_the_own_score(self) -> None:
        """3 has the bye and loses: one point of its own, and the dummy has as many as half of three rounds at most."""
        played = rounds("1-2 1-0, 3 bye", "3-1 0-1, 2 bye", "2-3 1-0, 1 bye")

        assert value(scores(played, 3), 3, "buchholz") == 3 + 2 + 1
        assert value(scores(played, 3), 3, "sonneborn_berger") == 1

    def test_C07_16_4_2_the_dummy_has_no_more_than_a_draw_in_every_round(self) -> None:
        """1 has three points, a dummy of three rounds 1.5."""
        played = rounds("1-2 1-0, 3 bye", "3-1 0-1, 2 bye", "2-3 1-0, 1 bye")

        assert value(scores(played, 3), 1, "buchholz") == 2 + 1 + 1.5

    def test_C07_16_4_1_the_dummy_of_a_forfeit_has_no_more_than_the_opponent_who_was_due(self) -> None:
        """1 has 2 points and should have met 3, who has none."""
        played = rounds("1-2 1-0, 3-4 0-1", "1-3 +--, 4-2 1-0")

        assert value(scores(played, 4), 1, "buchholz") == 0 + 0
        assert value(scores(played, 4), 3, "buchholz") == 2 + 0

    def test_C07_16_3_2_rounds_after_a_withdrawal_are_draws_to_the_opponents(self) -> None:
        """2 lost to 1 and went home: two rounds of absence are a point to 1, not to 2."""
        played = rounds("1-2 1-0, 3-4 1-0", "1-3 1-0", "4-1 0-1")
        table = scores(played, 4)

        assert table.points[2] == 0
        assert table.adjusted[2] == 1

    def test_C07_16_3_1_an_absence_before_a_game_is_worth_what_it_gave(self) -> None:
        played = rounds("1-3 1-0", "1-2 1-0, 3 half-bye", "2-3 0-1")
        table = scores(played, 3)

        assert table.adjusted[2] == 0  # absent, then played: nothing
        assert table.adjusted[3] == table.points[3] == 1.5
        assert table.adjusted[1] == 2 + 0.5  # absent in the last round

    def test_C07_16_3_2_a_half_point_bye_before_withdrawal_stays_half_a_point(self) -> None:
        played = rounds("1-2 1-0, 3 half-bye", "1 bye")

        assert scores(played, 3).adjusted[3] == 0.5 + 0.5

    def test_C07_16_3_2_a_forfeit_loss_at_the_end_is_no_draw_but_byes_before_it_are(self) -> None:
        played = rounds("1-2 1-0, 3-4 1-0", "1 bye, 3 bye", "2-1 --+, 3-4 1-0")
        table = scores(played, 4)

        assert table.adjusted[2] == 0 + 0.5 + 0

    def test_C07_16_5_the_cut_takes_a_voluntary_unplayed_round_first(self) -> None:
        """1's half-point bye counts more than 3's score, and is cut nevertheless."""
        played = rounds("1-2 1-0, 3-4 0-1", "3-1 0-1, 4-2 0-1", "1 half-bye, 2-3 1-0")
        table = scores(played, 4)

        assert value(table, 1, "buchholz") == 2 + 0 + 1.5
        assert value(table, 1, "buchholz_cut1") == 2 + 0

    def test_C07_16_5_a_bye_that_nobody_asked_for_is_not_cut_first(self) -> None:
        played = rounds("1-2 1-0, 3-4 0-1", "3-1 0-1, 4-2 0-1", "1 bye, 2-3 1-0")

        assert value(scores(played, 4), 1, "buchholz_cut1") == 2 + 1.5

    def test_C07_7_1_a_win_is_a_win_without_a_game_too(self) -> None:
        played = rounds("1-2 +--, 3 bye", "3-1 0-1, 2 half-bye")

        assert value(scores(played, 3), 1, "wins") == 2
        assert value(scores(played, 3), 3, "wins") == 1
        assert value(scores(played, 3, bye_points=0.5), 3, "wins") == 0
        assert value(scores(played, 3), 1, "black_wins") == 1


# Five players, four rounds, with every kind of unplayed round that 16.2 names:
#   1: 1-0 2, 1/2 5, 1/2 3, 1-0 4                                          3.0, adjusted 3.0
#   2: 0-1 1, 0-1 3, 0-1 4, bye (16.2.1)                                   1.0, adjusted 1.0
#   3: + 4 (16.2.2), 1-0 2, 1/2 1, absent at the end (16.2.5)              2.5, adjusted 3.0
#   4: - 3 (16.2.4), half-point bye, then games (16.2.3), 1-0 2, 0-1 1     1.5, adjusted 1.5
#   5: bye (16.2.1), 1/2 1, half-point bye and absent at the end (16.2.5)  2.0, adjusted 2.5
UNPLAYED = rounds(
    "1-2 1-0, 3-4 +--, 5 bye",
    "1-5 1/2-1/2, 2-3 0-1, 4 half-bye",
    "3-1 1/2-1/2, 4-2 1-0, 5 half-bye",
    "1-4 1-0, 2 bye",
)


@pytest.mark.parametrize(
    ("entry", "tie_break", "due"),
    [
        (1, "buchholz", 1 + 2.5 + 3 + 1.5),
        (2, "buchholz", 3 + 3 + 1.5 + 1),  # the dummy has 2's own point
        (3, "buchholz", 1.5 + 1 + 3 + 2),  # no more than 4 has (16.4.1), no more than four draws (16.4.2)
        (4, "buchholz", 1.5 + 1.5 + 1 + 3),
        (5, "buchholz", 2 + 3 + 2 + 2),
        (1, "buchholz_cut1", 2.5 + 3 + 1.5),
        (2, "buchholz_cut1", 3 + 3 + 1.5),  # a bye that nobody asked for is no voluntary unplayed round
        (3, "buchholz_cut1", 1.5 + 1 + 3),  # the absence is cut before the lower scores (16.5)
        (4, "buchholz_cut1", 1.5 + 1 + 3),
        (5, "buchholz_cut1", 2 + 3 + 2),
        (1, "sonneborn_berger", 1 + 2.5 / 2 + 3 / 2 + 1.5),
        (2, "sonneborn_berger", 1),
        (3, "sonneborn_berger", 1.5 + 1 + 3 / 2),
        (4, "sonneborn_berger", 1.5 / 2 + 1),
        (5, "sonneborn_berger", 2 + 3 / 2 + 2 / 2),
    ],
)
def test_C07_16_a_tournament_with_every_kind_of_unplayed_round(entry: int, tie_break: TieBreak, due: float) -> None:
    table = scores(UNPLAYED, 5)

    assert table.points == {1: 3, 2: 1, 3: 2.5, 4: 1.5, 5: 2}
    assert table.adjusted == {1: 3, 2: 1, 3: 3, 4: 1.5, 5: 2.5}
    assert value(table, entry, tie_break) == due


class TestRoundRobin:
    def test_C07_15_a_forfeit_counts_as_a_game(self) -> None:
        played = rounds("1-4 1-0, 2-3 1-0", "4-3 +--, 1-2 1-0", "2-4 1-0, 3-1 0-1")
        table = scores(played, 4, swiss=False)

        assert table.points == {1: 3, 2: 2, 3: 0, 4: 1}
        assert value(table, 4, "sonneborn_berger") == 0  # 4 has beaten 3, who has nothing
        assert value(table, 1, "sonneborn_berger") == 1 + 2 + 0

    def test_C07_15_the_free_round_of_an_odd_number_counts_for_nothing(self) -> None:
        played = rounds("2-3 1-0, 1 bye", "1-2 1-0, 3 bye", "3-1 1-0, 2 bye")
        table = scores(played, 3, bye_points=0, swiss=False)

        assert set(table.points.values()) == {1}
        assert {value(table, entry, name) for entry in (1, 2, 3) for name in ("wins", "sonneborn_berger")} == {1}
        assert [(one.place, one.place_to) for one in standings(table, ["direct", "sonneborn_berger"])] == [(1, 3)] * 3


def test_games_that_are_still_played_add_nothing_yet() -> None:
    table = scores(rounds("1-2 1-0, 3-4 1-0", "3-1, 2-4 1-0"), 4)

    assert table.points == {1: 1, 2: 1, 3: 1, 4: 0}
    assert value(table, 1, "buchholz") == 1
    assert table.adjusted == table.points


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_nobody_has_played_and_all_share_the_places(tie_break: TieBreak) -> None:
    assert [(one.place, one.place_to) for one in standings(scores([], 3), [tie_break])] == [(1, 3)] * 3
