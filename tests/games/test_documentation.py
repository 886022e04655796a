"""Every setting, action and event of the games has its place in the documentation, and so have their fields."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from parlour.games.chess import Chess
from parlour.games.chess.events import Reason
from parlour.games.chess.settings import Variant
from parlour.games.poker.holdem import Holdem

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [(Chess(), "chess.md"), (Holdem(), "holdem.md")]


@pytest.mark.parametrize(("game", "page"), PAGES, ids=lambda value: getattr(value, "name", value))
def test_the_page_of_a_game_names_all_its_words(game, page):
    text = (DOCS / page).read_text("utf-8")
    words = {field.name for field in msgspec.structs.fields(game.settings_type)}
    for kind in (*game.action_types, *game.event_types):
        words.add(kind.__struct_config__.tag)
        words.update(kind.__struct_fields__)
    missing = sorted(word for word in words if f"`{word}`" not in text and f'"{word}"' not in text)
    assert not missing


def test_the_page_of_chess_names_all_reasons_and_variants():
    text = (DOCS / "chess.md").read_text("utf-8")
    assert not [word for word in (*get_args(Reason), *get_args(Variant)) if f"`{word}`" not in text]
