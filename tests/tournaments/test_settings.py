"""What a host may choose for a new tournament, and that logs with former choices are still read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.tournaments.paper import MINUTE, Paper, person

from parlour.games.contract import Illegal
from parlour.games.registry import Registry
from parlour.tournaments import decisions, view
from parlour.tournaments.chess.flowing import FIGURES
from parlour.tournaments.chess.tiebreaks import TIE_BREAKS
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.settings import ChessTournament, HoldemTournament, TournamentSettings, read

ROOT = Path(__file__).parents[2]
TWO_LEVELS = [[10, 25, 50], [10, 50, 100]]


@pytest.mark.parametrize(
    ("levels", "late_until"), [(TWO_LEVELS, 1), (TWO_LEVELS[:1], 0), ([[10, 25, 50]] * 5, 4), ([[10, 25, 50]] * 9, 4)]
)
def test_late_entries_end_before_the_last_level_where_the_host_does_not_say_when(levels: Any, late_until: int) -> None:
    chosen = read("holdem", "mtt", {"levels": levels})
    assert isinstance(chosen, HoldemTournament)
    assert chosen.late_until == late_until


def test_a_short_tournament_comes_to_its_final_table_and_a_deal() -> None:
    paper = Paper(entries=3, levels=TWO_LEVELS, breaks=[])
    assert "deal" not in decisions.can(paper.state, person(1), False, paper.now)
    paper.wait(10 * MINUTE)
    assert "deal" in decisions.can(paper.state, person(1), False, paper.now)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"late_until": 2}, "late_until is a level before the last"),
        ({"late_until": 99}, "1 at most"),
        ({"rebuys": 1, "rebuy_until": 99}, "rebuy_until is a level before the last"),
        ({"levels": TWO_LEVELS[:1], "late_until": 1}, "0 at most"),
        ({"add_on": 100, "breaks": [[2, 5]]}, "the add-on is sold in a break"),
    ],
)
def test_nothing_is_open_until_the_end_of_the_last_level_which_stays(chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(Illegal, match=words) as refused:
        read("holdem", "mtt", {"levels": TWO_LEVELS, **chosen})
    assert refused.value.code == "bad_settings"


@pytest.mark.parametrize(
    ("form", "chosen", "words"),
    [
        ("swiss", {"cycles": 2}, "cycles is a setting of round_robin, not of swiss"),
        ("swiss", {"minutes": 30}, "of arena"),
        ("knockout", {"rounds": 3}, "of swiss"),
        ("knockout", {"tie_breaks": ["wins"]}, "of round_robin and swiss"),
        ("round_robin", {"games": 2}, "of knockout"),
        ("round_robin", {"late_until": 3}, "of swiss"),
        ("arena", {"tiebreak": []}, "of knockout"),
        ("arena", {"bye_points": 0.5}, "of swiss"),
        ("arena", {"late_points": 0.5}, "of swiss"),
    ],
)
def test_a_setting_that_the_format_does_not_read_is_refused(form: str, chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(Illegal, match=words) as refused:
        read("chess", form, chosen)
    assert refused.value.code == "bad_settings"


@pytest.mark.parametrize("form", ["round_robin", "swiss", "knockout", "arena"])
def test_all_settings_of_a_view_announce_the_same_tournament_again(form: str) -> None:
    chosen = read("chess", form, {})
    shown = msgspec.to_builtins(chosen)
    assert (
        read("chess", form, {name: value for name, value in shown.items() if name not in ("game", "format")}) == chosen
    )


@pytest.mark.parametrize(
    "chosen",
    [
        msgspec.structs.replace(read("holdem", "mtt", {"levels": TWO_LEVELS}), late_until=4, rebuys=1, rebuy_until=99),
        ChessTournament(format="knockout", rounds=5, cycles=2, minutes=30),
    ],
    ids=["holdem", "chess"],
)
def test_logs_from_before_these_rules_are_read(chosen: HoldemTournament | ChessTournament) -> None:
    kept = msgspec.to_builtins(TournamentSettings("Old", chosen))
    assert Registry(TournamentGame())["tournament"].settings(kept) == TournamentSettings("Old", chosen)


def test_a_round_robin_asks_first_who_won_their_game_since_there_Buchholz_is_the_same_for_all_who_are_level() -> None:
    chosen = {form: read("chess", form, {}) for form in ("round_robin", "swiss")}
    assert isinstance(chosen["round_robin"], ChessTournament)
    assert isinstance(chosen["swiss"], ChessTournament)
    assert chosen["round_robin"].tie_breaks == ("direct", "wins", "sonneborn_berger")
    assert chosen["swiss"].tie_breaks[:2] == ("buchholz_cut1", "buchholz")


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_every_column_of_the_standings_has_a_name_in_every_language(language: str) -> None:
    words = (ROOT / f"web/src/i18n/{language}/tournaments.ts").read_text()
    for name in {*TIE_BREAKS, *FIGURES}:
        assert f'"tour.short.{name}": "' in words, name
        assert f'"tour.tiebreak.{name}": "' in words, name


def test_the_average_stack_is_rounded() -> None:
    paper = Paper(entries=3, stack=1000)
    assert paper.state.poker is not None
    paper.state.poker.chips = 3002
    assert view.summary(paper.state)["average_stack"] == 1001
