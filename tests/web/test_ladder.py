"""The ladder in the page: the figures of the server, a plot that is read by keyboard and ear, the last matches."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.processes import PATIENCE
from playwright.sync_api import Page, expect

from parlour.ladder.entrants import enlist, of_the_house
from parlour.ladder.matches import MatchBook
from parlour.storage.sqlite import SqliteStore
from parlour.tables import SystemClock

from .house import House
from .looks import check_page
from .visitors import Visitor

SIZES = ((320, 568), (360, 740), (1280, 800))


def told(house: House, path: str) -> Any:
    with urllib.request.urlopen(f"{house.url}/api/v1{path}", timeout=PATIENCE) as answer:
        return json.load(answer)


async def play(data: Path) -> None:
    """Matches of three bots of the house, as the ladder writes them down."""
    store = SqliteStore(data / "parlour.db")
    await store.open()
    book = MatchBook(store, SystemClock())
    house = of_the_house("holdem", ["tight", "loose", "level5", "balanced"])
    await enlist(store, house)
    for one, other, points in ((0, 1, 120.5), (2, 0, 45.0), (1, 2, -800.0), (0, 1, -3.5)):
        match = await book.begin("holdem", (house[one].id, house[other].id))
        await book.end(match, (points, -points), 100)
    await store.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which some matches were played."""
    house = House(tmp_path_factory.mktemp("ladder"))
    thread = threading.Thread(target=lambda: asyncio.run(play(house.data)))  # Playwright has a loop in this one
    thread.start()
    thread.join()
    house.start()
    yield house
    house.stop()


def test_the_page_shows_the_ladder_as_the_server_has_it(new_page: Callable[..., Page], played: House) -> None:
    visitor = Visitor(new_page(), played.url, "")
    page = visitor.page
    visitor.go("/ratings")
    page.get_by_role("link", name="Bot ladder").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bot ladder")
    expect(page).to_have_title("Bot ladder · Parlour")
    expect(page.locator("[data-ladder=off]")).to_be_visible()
    entrants = told(played, "/ladder")["entrants"]
    rows = page.get_by_role("region", name="Bot ladder").get_by_role("row")
    expect(rows).to_have_count(1 + len(entrants))
    for one, row in zip(entrants, rows.all()[1:], strict=True):
        expect(row).to_contain_text(f"{one['wins']} / {one['draws']} / {one['losses']}")
        rating = f"{round(one['rating'])}? ± {round(2 * one['deviation'])}" if one["matches"] else "–"
        expect(row).to_contain_text(rating)
    check_page(page, SIZES)


def test_the_plot_is_read_by_keyboard_and_ear(new_page: Callable[..., Page], played: House) -> None:
    visitor = Visitor(new_page(), played.url, "")
    page = visitor.page
    visitor.go("/ladder")
    entrants = [one for one in told(played, "/ladder")["entrants"] if one["matches"]]
    last = entrants[-1]
    course = page.get_by_role("region", name="Ratings over time")
    standings = page.get_by_role("region", name="Bot ladder")
    button = standings.get_by_role("button").nth(len(entrants) - 1)
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    slider = course.get_by_role("slider")
    now = f"Rating {round(last['history'][-1]['rating'])} ± {round(2 * last['history'][-1]['deviation'])}"
    expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(now)))
    slider.focus()
    page.keyboard.press("Home")
    first = f"Rating {round(last['history'][0]['rating'])} ± {round(2 * last['history'][0]['deviation'])}"
    expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(first)))
    expect(course.locator("polyline.backdrop")).to_have_count(len(entrants) - 1)


def test_the_last_matches_are_listed_and_chess_has_none_yet(new_page: Callable[..., Page], played: House) -> None:
    visitor = Visitor(new_page(locale="de-DE"), played.url, "")
    page = visitor.page
    visitor.go("/ladder")
    matches = told(played, "/ladder/matches?game=holdem&limit=12")
    listed = page.get_by_role("region", name="Letzte Matches").get_by_role("listitem")
    expect(listed).to_have_count(len(matches))
    expect(listed.last).to_contain_text("100 Hände")
    page.get_by_role("link", name="Schach").click()
    expect(page.get_by_text("Noch keine Matches.")).to_be_visible()
    check_page(page, SIZES)
