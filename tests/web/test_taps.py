"""How many taps it takes to play: whoever opens the page, on a phone, without typing anything."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .visitors import Visitor, until

Visit = Callable[..., Visitor]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

COUNT = "window.taps = 0; addEventListener('click', (event) => { window.taps += event.detail > 0 }, true)"
"""A tap on a label clicks its field as well; that one has no pointer, and is not counted."""


def arrive(visitor: Visitor, path: str) -> Page:
    visitor.page.add_init_script(COUNT)
    visitor.go(path)
    return visitor.page


def taps(page: Page) -> int:
    count: int = page.evaluate("window.taps")
    return count


def test_alone_at_a_table_in_two_taps(visit: Visit) -> None:
    ada = visit(**PHONE)
    page = arrive(ada, "/")
    page.get_by_role("button", name="Play against the house").tap()
    page.get_by_role("button", name="Continue").tap()
    ada.expect_turn()
    assert taps(page) == 2
    assert re.fullmatch(r"Guest \d+", ada.view()["seats"][0]["player"]["name"])


def test_a_friend_sits_down_by_a_link_in_one_tap(visit: Visit, house: House) -> None:
    ben = Guest(house.url, "Ben")
    code = ben.open_table("holdem")
    ben.sit(code)
    ada = visit(**PHONE)
    page = arrive(ada, f"/t/{code}")
    page.get_by_role("button", name="Sit down").tap()
    expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
    until(page, lambda: (ada.view()["you"] or {}).get("seats"))
    assert taps(page) == 1


@pytest.mark.slow
def test_who_has_been_here_is_asked_for_no_name(visit: Visit) -> None:
    ada = visit(**PHONE)
    page = arrive(ada, "/")
    page.get_by_role("button", name="Play against the house").tap()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Continue").tap()
    ada.expect_turn()
    page.goto(f"{ada.base}/")
    page.get_by_role("button", name="Play against the house").tap()
    ada.expect_turn()
    assert taps(page) == 1


def chess_against_the_house(ada: Visitor) -> dict[str, object]:
    """The game has started: its settings."""
    ada.page.wait_for_url(re.compile("/t/"))
    ada.page.locator('[data-spot="board"]').wait_for()
    until(ada.page, lambda: ada.view()["status"] == "playing")
    settings: dict[str, object] = ada.view()["settings"]
    return settings


def test_chess_against_the_house_in_three_taps(visit: Visit) -> None:
    """A newcomer: the game, a colour, the name that is offered. Who played chess last: a level, a clock, a colour."""
    ada = visit(**PHONE)
    page = arrive(ada, "/")
    page.locator("label", has=page.get_by_role("radio", name="Chess")).tap()
    page.get_by_role("button", name="White", exact=True).tap()
    page.get_by_role("button", name="Continue").tap()
    assert chess_against_the_house(ada)["side"] == "white"
    assert taps(page) == 3

    ada.frames.clear()
    page.goto(f"{ada.base}/")
    page.locator("label", has=page.get_by_role("radio", name="6", exact=True)).tap()
    page.locator("label", has=page.get_by_role("radio", name="3 + 2")).tap()
    page.get_by_role("button", name="White", exact=True).tap()
    settings = chess_against_the_house(ada)
    assert (settings["side"], settings["minutes"], settings["increment"]) == ("white", 3, 2)
    assert taps(page) == 3
