"""Statistics and ratings in the page: the server's figures, explained, drawn as charts, and what others see of them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .guests import Guest
from .house import House
from .looks import check_page
from .test_record import CHECK_DOWN, FOLD, guest_of, play_chess, play_hands
from .visitors import Visitor, until

Visit = Callable[..., Visitor]
SIZES = ((320, 568), (360, 740), (1280, 800))


def test_the_page_shows_the_figures_that_the_server_counts(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    play_hands([ada, bo], CHECK_DOWN, CHECK_DOWN, FOLD)
    page = visitor.page
    visitor.go("/stats")
    total = ada.get("/me/statistics/holdem")["total"]
    tile = page.locator("[data-figure=vpip]")
    vpip = total["figures"]["vpip"]
    expect(tile).to_contain_text(f"{vpip['value']:.0f}\u00a0%")
    expect(tile).to_contain_text(f"{vpip['made']} of {vpip['chances']}")
    net = total["counts"]["net"]
    expect(page.locator("[data-figure=net]")).to_contain_text(f"{'+' if net > 0 else '−' if net < 0 else ''}{abs(net)}")
    expect(page.locator("[data-figure=bb_per_100]")).to_contain_text("95 %")
    expect(page.get_by_text("Voluntarily put chips in the pot")).to_have_count(0)
    page.get_by_role("button", name="VPIP").click()
    expect(page.get_by_text("Voluntarily put chips in the pot")).to_be_visible()
    expect(page.get_by_role("region", name="Opponents").get_by_role("link", name="Bo").first).to_be_visible()
    check_page(page, SIZES)
    visitor.go("/me")
    expect(page.locator("[data-figure=vpip]")).to_contain_text(f"{vpip['value']:.0f}\u00a0%")


def test_figures_are_narrowed_down(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo, cy = guest_of(visitor, "Ada"), Guest(house.url, "Bo"), Guest(house.url, "Cy")
    play_hands([ada, bo], FOLD)
    play_hands([ada, cy], FOLD, FOLD)
    visitor.go("/stats")
    page = visitor.page
    hands = page.locator("[data-figure=rounds] dd")
    expect(hands).to_have_text("3")
    page.get_by_text("Search and filter").click()
    page.get_by_label("Opponent", exact=True).select_option(label="Cy")
    expect(hands).to_have_text("2")
    page.get_by_label("Position", exact=True).and_(page.locator("select")).select_option("BB")
    expect(page.get_by_label("Opponent", exact=True)).to_have_value("")  # the server keeps these two apart
    page.get_by_role("button", name="Clear filters").click()
    expect(hands).to_have_text("3")
    page.get_by_label("To", exact=True).fill("2020-01-01")
    expect(hands).to_have_text("0")
    check_page(page, SIZES)


@pytest.mark.slow
def test_a_chart_is_read_by_finger_keyboard_and_ear(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    play_hands([ada, bo], CHECK_DOWN, CHECK_DOWN)
    visitor.go("/stats")
    page = visitor.page
    chart = page.get_by_role("region", name="Winnings over time")
    slider = chart.get_by_role("slider", name="Winnings over time")
    net = ada.get("/me/statistics/holdem")["total"]["counts"]["net"]
    now = f"{'+' if net > 0 else '−' if net < 0 else ''}{abs(net)}"
    expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(f"Net {now}")))
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Start, Net 0"))
    expect(chart.locator(".chart-told")).to_contain_text("Start")
    box = slider.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect(chart.locator(".chart-told")).to_contain_text(now)
    chart.get_by_text("Show as a table").click()
    expect(chart.get_by_role("row")).to_have_count(3)  # the head, the start and one day
    check_page(page, SIZES)


@pytest.mark.slow
def test_ratings_are_shown_with_their_history_and_who_was_met(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    for _ in range(2):
        play_chess(ada, bo, rated=True)
    page = visitor.page
    bo_id = bo.get("/me")["id"]
    until(page, lambda: sum(one["games"] for one in ada.get(f"/people/{bo_id}")["ratings"]) >= 2)
    (rating,) = ada.get(f"/people/{bo_id}")["ratings"]
    assert (rating["speed"], rating["losses"]) == ("blitz", 2)
    visitor.go(f"/people/{bo_id}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bo")
    ratings = page.get_by_role("region", name="Ratings")
    expect(ratings.get_by_role("button", name="Blitz")).to_contain_text(f"{round(rating['rating'])}?")
    slider = ratings.get_by_role("slider", name="Blitz")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("against Ada: 0"))
    expect(slider).to_have_attribute("max", "1")
    together = page.get_by_role("region", name="You and Bo")
    expect(together).to_contain_text("2 : 0")
    expect(together).to_contain_text("2 won, 0 drawn, 0 lost")
    check_page(page, SIZES)
    together.get_by_role("link", name="Hands and games together").click()
    expect(page.get_by_role("list", name="Hands and games").get_by_role("listitem")).to_have_count(2)
    visitor.go("/ratings?speed=blitz")
    page.get_by_text("Nobody has a settled rating here yet.").wait_for()  # two games are not enough
    check_page(page, SIZES)


def test_whoever_wants_keeps_their_figures_private(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    play_hands([ada, bo], CHECK_DOWN)
    page = visitor.page
    bo_id = bo.get("/me")["id"]
    visitor.go(f"/people/{bo_id}")
    together = page.get_by_role("region", name="You and Bo")
    expect(together.locator("[data-figure=vpip]")).to_have_count(2)
    bo.call("PUT", "/me/privacy", {"statistics": "nobody"})
    page.reload()
    expect(together).to_contain_text("Bo keeps these numbers private.")
    expect(together.locator("[data-figure=vpip]")).to_have_count(1)
    visitor.go("/stats")
    switch = page.get_by_label("People I have played with")
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(switch).not_to_be_checked()
    until(page, lambda: ada.get("/me/privacy")["statistics"] == "nobody")


@pytest.mark.slow
def test_a_stranger_reads_the_leaderboard_and_is_told_of_statistics(visit: Visit) -> None:
    visitor = visit()
    for path in ("/ratings", "/stats", "/people/nobody", "/replay"):
        visitor.go(path)
        visitor.page.get_by_role("heading", level=1).wait_for()
        check_page(visitor.page, SIZES)
    visitor.go("/people/nobody")
    visitor.expect_text("There is nobody by this address.")
