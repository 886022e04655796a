"""Every code that the server can send has words in every language: nobody reads an identifier."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from parlour.bots.players import ChessPlayer, HoldemPlayer
from parlour.games.chess import events as chess_events
from parlour.games.poker.hands import Category, evaluate
from parlour.games.poker.holdem import events as holdem_events
from parlour.games.registry import Registry
from parlour.server.api.calculators import CODES as CALCULATORS
from parlour.server.api.problems import CODES as STATUSES
from parlour.tables.room.settings import RoomSettings

from .test_build import NODE, ROOT

LANGUAGES = ("en", "de", "es")
OWN_PAGE = ("holdem", "chess")
"""The games that bring words of their own; what another game is called is read from its contract."""

Catalogues = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def catalogues() -> Catalogues:
    script = """
        import { readdirSync } from "node:fs";
        const all = {};
        for (const language of ["en", "de", "es"]) {
          all[language] = {};
          for (const area of readdirSync(`src/i18n/${language}`))
            Object.assign(all[language], (await import(`./src/i18n/${language}/${area}`)).words);
        }
        console.log(JSON.stringify(all));
    """
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--no-warnings"],
        input=script,
        cwd=ROOT / "web",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found: Catalogues = json.loads(done.stdout)
    return found


def missing(catalogues: Catalogues, keys: set[str]) -> set[str]:
    assert keys
    return {f"{language}: {key}" for language in LANGUAGES for key in keys if not catalogues[language].get(key)}


# Refusals

REFUSALS = {
    "Illegal", "BadRequest", "NotAllowed", "NotFound", "Gone", "Busy", "Against", "TooMany",
    "Unavailable", "Unreadable", "KeyReused", "Misdirected", "UnreadableBody", "Fault",
    "__init__",  # of the refusal that a kind of its own is one of
}  # fmt: skip
FOR_PROGRAMS = {
    "bad_key", "code_taken", "bad_websocket_key", "websocket_version", "not_a_websocket",
    "bad_host", "unknown_host", "encoded_body",
    "not_directed", "round_open", "game_not_chosen", "no_forfeit", "no_table",
}  # fmt: skip
"""Codes that nobody meets who uses the page."""


def calls(folder: str) -> Iterator[ast.Call]:
    for path in (ROOT / "src/parlour" / folder).rglob("*.py"):
        if path.name != "testing.py":
            yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def refusal_codes() -> set[str]:
    codes = set(STATUSES.values()) | {code for code, _ in CALCULATORS}
    for folder in ("bots", "games", "nodes", "server", "storage", "tables", "tournaments"):
        for call in calls(folder):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            place = 2 if name == "Fault" else 0
            if name in REFUSALS and len(call.args) > place and isinstance(code := call.args[place], ast.Constant):
                codes.add(str(code.value))
    return codes - FOR_PROGRAMS


def test_every_refusal_has_words(catalogues: Catalogues) -> None:
    codes = refusal_codes()
    assert {"not_your_turn", "bad_buy_in", "not_host", "disk_full", "bad_range", "not_authenticated"} < codes
    assert missing(catalogues, {f"refusal.{code}" for code in codes - {"stale_turn"}}) == set()


def test_no_words_are_kept_for_a_refusal_that_is_gone(catalogues: Catalogues) -> None:
    kept = {key.removeprefix("refusal.") for key in catalogues["en"] if key.startswith("refusal.")}
    assert kept - refusal_codes() == set()


# Settings, of the room and of the games


def named(schema: dict[str, Any], whole: dict[str, Any]) -> set[str]:
    """The options that a setting may have."""
    if "$ref" in schema:
        return named(whole["$defs"][schema["$ref"].rsplit("/", 1)[1]], whole)
    return {str(option) for option in schema.get("enum", ())}.union(*(named(s, whole) for s in schema.get("anyOf", ())))


@pytest.mark.parametrize("game", OWN_PAGE)
def test_every_setting_and_option_has_words(catalogues: Catalogues, game: str) -> None:
    schema = Registry()[game].settings_schema
    keys = {f"game.{game}"}
    for name, part in schema["properties"].items():
        keys |= {f"set.{name}", *(f"set.{name}.{option}" for option in named(part, schema))}
    keys |= {f"set.{name}" for name in RoomSettings.__struct_fields__}
    assert {"set.variant", "set.chat"} < keys
    assert any(key.count(".") > 1 for key in keys)
    assert missing(catalogues, keys) == set()


# What happens in the games


def test_every_end_of_a_chess_game_has_words(catalogues: Catalogues) -> None:
    reasons = get_args(chess_events.Reason)
    assert "checkmate" in reasons
    assert missing(catalogues, {f"reason.{reason}" for reason in reasons}) == set()


def test_every_answer_of_a_chess_player_has_words(catalogues: Catalogues) -> None:
    """All but the move itself, which is made on the board."""
    kinds = {kind.__struct_config__.tag for kind in Registry()["chess"].game.action_types}
    assert missing(catalogues, {f"chess.{kind}" for kind in kinds}) == set()


HANDS = (
    "As Kd 9c 7h 2d", "As Ad 9c 7h 2d", "As Ad 9c 9h 2d", "As Ad Ac 9h 2d", "5s 4d 3c 2h Ad",
    "As Js 9s 7s 2s", "As Ad Ac 9h 9d", "As Ad Ac Ah 9d", "9s 8s 7s 6s 5s", "As Ks Qs Js Ts",
)  # fmt: skip


def test_every_hand_has_a_name(catalogues: Catalogues) -> None:
    made = [evaluate(hand).made for hand in HANDS]
    assert {str(evaluate(hand).category) for hand in HANDS} == {str(category) for category in Category}
    keys = {f"made.{code.split(':')[0]}" for code in made}
    keys |= {f"ranks.{rank}" for rank in "23456789TJQKA"} | {f"rank.{rank}" for rank in "TJQKA"}
    keys |= {f"suit.{suit}" for suit in "cdhs"}
    assert missing(catalogues, keys) == set()


def test_every_street_and_deed_at_a_poker_table_has_words(catalogues: Catalogues) -> None:
    keys = {f"street.{street}" for street in get_args(holdem_events.Street)}
    keys |= {f"say.{word}" for word in get_args(holdem_events.Word)}
    assert missing(catalogues, keys) == set()


# Figures and house players


def test_every_figure_and_place_in_statistics_has_words(catalogues: Catalogues) -> None:
    """Poker's places at the table are called the same everywhere."""
    shown = {"net_bb", "adjusted_bb"}  # shown in chips
    for game in OWN_PAGE:
        figures = set(Registry()[game].game.figures({})) - shown
        assert len(figures) > 3
        assert missing(catalogues, {f"stats.{name}" for name in figures}) == set()
    assert missing(catalogues, {f"position.{colour}" for colour in Registry()["chess"].game.positions}) == set()
    speeds = ("bullet", "blitz", "rapid", "classical", "correspondence", "untimed")
    assert missing(catalogues, {f"speed.{speed}" for speed in speeds}) == set()


def test_every_style_of_a_house_player_has_words(catalogues: Catalogues) -> None:
    styles = {*HoldemPlayer.styles, *ChessPlayer(engine="/bin/true").styles}
    assert {"balanced", "medium", "engine"} < styles
    assert missing(catalogues, {f"style.{style}" for style in styles}) == set()
