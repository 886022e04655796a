"""Forms made from the settings of the games: each accepts its own defaults, and what can be chosen can be opened."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from tests.tiers import quick_first_rows

from .house import House
from .visitors import Visitor

Visit = Callable[..., Visitor]
GAMES = {"holdem": "Hold'em", "chess": "Chess"}
PRESETS = {
    "holdem": ["Home game", "Fast 6-max", "No clock", "Rising blinds"],
    "chess": ["5 + 3", "15 + 10", "No clock", "Same screen"],
}
ONE_OF_EACH_GAME = [(game, PRESETS[game][place]) for place in range(4) for game in PRESETS]


def schema(house: House, game: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{house.url}/api/v1/games", timeout=20) as answer:
        (card,) = [card for card in json.load(answer) if card["name"] == game]
    properties: dict[str, Any] = card["settings"]["properties"]
    return properties


def new_table(visit: Visit, game: str) -> tuple[Visitor, Locator]:
    """Somebody before the form with every setting of a game."""
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name=GAMES[game]).check()
    ada.press("More settings")
    form = ada.page.locator(".more-settings form").first
    form.wait_for()
    open_groups(form)
    return ada, form


def open_groups(form: Locator) -> None:
    """Open the parts of a form that are closed at first."""
    for group in form.locator("summary").all():
        group.click()


def wrong_fields(form: Locator) -> list[str]:
    """The fields of a form that do not accept what is in them."""
    found: list[str] = form.evaluate(
        "form => [...form.elements].filter(one => !one.checkValidity()).map(one => one.labels[0].textContent)"
    )
    return found


def open_it(ada: Visitor) -> dict[str, Any]:
    ada.press("Open the table")
    ada.introduce()
    assert ada.code
    ada.page.get_by_role("heading", level=1).wait_for()
    ada.page.get_by_role("button", name=re.compile("Sit down|Invite a friend")).first.wait_for()
    return ada.view()


@pytest.mark.parametrize("game", GAMES)
def test_the_defaults_of_a_game_open_a_table(visit: Visit, house: House, game: str) -> None:
    ada, form = new_table(visit, game)
    assert wrong_fields(form) == []
    defaults = {name: part["default"] for name, part in schema(house, game).items() if "default" in part}
    assert len(defaults) >= 8
    settings = open_it(ada)["settings"]
    assert {name: settings[name] for name in defaults} == defaults


@pytest.mark.parametrize("game", GAMES)
def test_no_menu_shows_an_identifier(visit: Visit, house: House, game: str) -> None:
    _, form = new_table(visit, game)
    choices = {name: part["enum"] for name, part in schema(house, game).items() if "enum" in part}
    shown = form.locator("option").all_inner_texts()
    assert len(shown) == sum(map(len, choices.values()))
    plain = {"white", "black"}  # which are words as they stand
    assert set(shown) & ({option for options in choices.values() for option in options} - plain) == set()
    assert [text for text in shown if "_" in text] == []


@pytest.mark.parametrize(("game", "preset"), quick_first_rows(ONE_OF_EACH_GAME, 2))
def test_the_settings_of_a_preset_can_be_saved_as_they_are(visit: Visit, game: str, preset: str) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name=GAMES[game]).check()
    ada.page.locator(".preset", has=ada.page.get_by_text(preset, exact=True)).click()
    ada.introduce()
    assert ada.code
    ada.press("Menu")
    ada.press("Settings")
    form = ada.page.locator("dialog form").first
    form.get_by_label("Table name").fill("Friday")
    assert wrong_fields(form) == []
    ada.press("Save settings")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Friday")


def test_a_variant_is_opened_and_named(visit: Visit) -> None:
    ada, form = new_table(visit, "chess")
    form.get_by_label("Variant").select_option(label="King of the Hill")
    assert open_it(ada)["settings"]["variant"] == "king_of_the_hill"
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("King of the Hill")


def test_omaha_is_called_omaha(visit: Visit) -> None:
    ada, form = new_table(visit, "holdem")
    form.get_by_label("Variant").select_option(label="Omaha")
    form.get_by_label("Betting limit").select_option(label="Pot-limit")
    open_it(ada)
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Pot-limit Omaha")
    ada.go("/")
    expect(ada.page.get_by_text("Pot-limit Omaha").first).to_be_visible()


def test_correspondence_is_opened(visit: Visit) -> None:
    ada, form = new_table(visit, "chess")
    form.get_by_label("Days per move").fill("3")
    assert open_it(ada)["settings"]["days"] == 3


def test_a_position_of_ones_own_is_opened_and_minutes_may_have_a_fraction(visit: Visit) -> None:
    ada, form = new_table(visit, "chess")
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    form.get_by_label("Starting position").fill(fen)
    form.get_by_label("Minutes per side").fill("2.5")
    settings = open_it(ada)["settings"]
    assert (settings["start_fen"], settings["minutes"]) == (fen, 2.5)
