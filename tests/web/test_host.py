"""The host changes the rules, and removes somebody: everybody concerned is told, and nothing happens by one slip."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .test_forms import open_groups
from .visitors import Visitor, whose_turn

Visit = Callable[..., Visitor]


def hosted(visit: Visit, **settings: Any) -> tuple[Visitor, Visitor]:
    """Ada, who is host, and Bo, at a hold'em table that has started."""
    ada, bo = visit("Ada"), visit("Bo")
    ada.go("/")
    ada.press(re.compile("^No clock"))
    ada.introduce()
    code = ada.code
    ada.sit()
    bo.sit(f"/t/{code}")
    if settings:
        change(ada, **settings)
    ada.press("Start the game")
    whose_turn(ada, bo)
    return ada, bo


def open_settings(host: Visitor) -> None:
    host.press("Menu")
    host.press("Settings")
    form = host.page.locator("dialog form").first
    form.wait_for()
    open_groups(form)


def change(host: Visitor, **settings: Any) -> None:
    """Change settings, by their labels with underscores for spaces, and close the menu."""
    open_settings(host)
    form = host.page.locator("dialog form").first
    for label, value in settings.items():
        form.get_by_role("spinbutton", name=re.compile("^" + label.replace("_", " "))).fill(str(value))
    host.press("Save settings")
    expect(host.page.get_by_role("button", name="Save settings")).to_be_disabled()
    expect(host.page.locator("dialog .toast").last).to_have_text("Settings saved.")
    host.page.keyboard.press("Escape")
    expect(host.page.locator("dialog")).to_have_count(0)


def is_on_top(page: Page, selector: str) -> bool:
    """Whether nothing lies above the middle of the element."""
    found: bool = page.locator(selector).evaluate(
        "one => { const box = one.getBoundingClientRect();"
        " return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"
    )
    return found


@pytest.mark.slow
def test_a_refusal_is_shown_above_the_dialog_that_caused_it(visit: Visit) -> None:
    ada, _ = hosted(visit)
    open_settings(ada)
    ada.page.locator("dialog form").first.get_by_label("Small blind").fill("50")
    ada.press("Save settings")
    toast = ada.page.locator(".toast.error")
    expect(toast).to_be_visible()
    assert is_on_top(ada.page, ".toast.error")
    toast.get_by_role("button", name="Close").click()
    expect(toast).to_have_count(0)
    expect(ada.page.locator("dialog form").first).to_be_visible()


@pytest.mark.slow
def test_blinds_changed_in_a_hand_are_announced_and_come_with_the_next(visit: Visit) -> None:
    ada, bo = hosted(visit, Pause_between_hands=0)
    change(ada, Small_blind=5, Big_blind=10)
    for visitor in (ada, bo):
        expect(visitor.page.locator("p.notice")).to_contain_text("From the next hand: blinds 5/10")
    assert bo.page.get_by_role("button", name="Cancel").count() == 0
    ada.press("Cancel")
    for visitor in (ada, bo):
        expect(visitor.page.locator("p.notice", has_text="From the next hand")).to_have_count(0)
    change(ada, Small_blind=2, Big_blind=4)
    expect(bo.page.locator("p.notice")).to_contain_text("From the next hand: blinds 2/4")
    one = whose_turn(ada, bo)
    one.press("Fold")
    for visitor in (ada, bo):
        expect(visitor.page.locator("p.notice", has_text="From the next hand")).to_have_count(0)
    whose_turn(ada, bo)
    ada.expect_view(lambda view: (view["state"]["hand"], view["state"]["blinds"]) == (2, [2, 4]))


def test_kicking_asks_first_and_the_one_kicked_is_told_for_good(visit: Visit) -> None:
    ada, bo = hosted(visit)
    ada.press("Menu")
    ada.press("Players")
    ada.press("Kick")
    expect(ada.page.get_by_text("Remove Bo from the table?")).to_be_visible()
    assert bo.view()["you"]["seats"]
    ada.page.get_by_label("A word to Bo").fill("See you on Friday!")
    ada.press("Remove Bo")
    told = bo.page.get_by_text("The host removed you: “See you on Friday!”")
    expect(told).to_be_visible()
    bo.page.reload()
    expect(told).to_be_visible()
    expect(bo.page.get_by_role("button", name="Ask for a seat")).to_be_visible()


def test_the_table_is_handed_over_only_after_a_question(visit: Visit) -> None:
    ada, bo = hosted(visit)
    ada.press("Menu")
    ada.press("Players")
    ada.press("Make host")
    question = ada.page.get_by_role("group", name="Make Bo the host?")
    question.get_by_role("button", name="Cancel").click()
    assert bo.view()["you"]["host"] is False
    ada.press("Make host")
    question.get_by_role("button", name="Make host").click()
    expect(ada.page.get_by_role("region", name="You are the host")).to_have_count(0)
    ada.expect_view(lambda view: view["you"]["host"] is False)


def test_one_who_waits_for_the_big_blind_has_their_place_at_the_table(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Cy", "Di")]
    code = guests[0].open_table("holdem", seats=5, action_seconds=0, hand_delay=60)
    for guest in guests:
        guest.sit(code)
    guests[0].start(code)
    ada = visit("Ada")
    ada.sit(f"/t/{code}")
    for width, height in ((1280, 800), (360, 740)):
        watcher = visit("Eve", viewport={"width": width, "height": height})
        watcher.go(f"/t/{code}")
        pod = watcher.page.get_by_role("listitem", name=re.compile("Ada.*waiting", re.IGNORECASE))
        expect(pod).to_be_visible()
        felt = watcher.page.locator("[data-stage]").bounding_box()
        place = pod.bounding_box()
        usual = watcher.page.get_by_role("listitem", name=re.compile("Cy,")).bounding_box()
        assert felt
        assert place
        assert usual
        assert place["height"] < 2 * usual["height"]
        assert felt["y"] <= place["y"] <= felt["y"] + felt["height"] - place["height"]
