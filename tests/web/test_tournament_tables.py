"""Tournaments in the browser, at their tables: from table to table, to the place and the prize."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .contests import QUICK, SIZES, Visit, act, announce, at_table, enter, known, play_it_out
from .guests import Guest
from .house import House
from .looks import check_page
from .visitors import Visitor, until


def move(visit: Visit, house: House) -> tuple[Visitor, str, str, str]:
    """Ada at one of two tables of two; the host takes the other player at her table out."""
    ada, guest = known(visit, house, "Ada")
    others = [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri")]
    host = others[0]
    code = announce(host, "holdem", "mtt", seats=3, late_until=0, **QUICK)
    enter([guest, *others], code)
    ada.go(f"/tournament/{code}")
    ada.expect_text("You are in.")
    host.post(f"/tournaments/{code}/start")
    first = at_table(ada)
    expect(ada.page.locator(".tour-strip")).to_contain_text("of 4")
    ada.page.evaluate("window.mark = 1")
    view = guest.get(f"/tournaments/{code}")
    own = next(table for table in view["tables"] if table["code"] == first)
    [other] = [seat["entry"] for seat in own["seats"] if seat["entry"] != view["you"]["entry"]]
    host.post(f"/tournaments/{code}/host/remove", {"entry": other})
    while first in ada.page.url:  # the tables finish their hands first
        act([guest, *others], code, "check", "fold")
        ada.page.wait_for_timeout(30)
    return ada, code, first, at_table(ada)


def test_a_move_to_another_table_is_followed_without_a_reload(visit: Visit, house: House) -> None:
    ada, _, first, second = move(visit, house)
    assert second != first
    assert ada.page.evaluate("window.mark") == 1
    ada.expect_text(re.compile(r"You were moved to table \d, seat \d"))
    expect(ada.page.locator(".tour-strip")).to_contain_text("of 3")
    # Somebody who looks at the old table again is not dragged away from it.
    ada.go(f"/t/{first}")
    link = ada.page.get_by_role("link", name="To your table")
    expect(link).to_be_visible()
    ada.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert ada.page.url.endswith(first)
    link.click()
    assert at_table(ada) == second


@pytest.mark.slow
def test_a_card_tells_the_place_and_the_prize(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada", viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    ben = Guest(house.url, "Ben")
    levels = [[60, 10, 20, 0]]
    code = announce(ben, "holdem", "sitngo", entries_max=2, stack=20, levels=levels, buy_in=50, **QUICK)
    ada.go(f"/tournament/{code}")
    ada.press("Enter")
    ada.expect_text("You are in.")
    enter([ben], code)
    at_table(ada)
    play_it_out(ada, [guest, ben], code)
    own = guest.get(f"/tournaments/{code}")["you"]["entry"]
    [standing] = [one for one in guest.get(f"/tournaments/{code}")["standings"] if one["entry"] == own]
    card = ada.page.get_by_role("dialog")
    if standing["place"] == 1:
        expect(card).to_contain_text("You won the tournament!")
        expect(card).to_contain_text("1st")
        expect(card).to_contain_text("Prize: 100")
    else:
        expect(card).to_contain_text("The tournament is over")
        expect(card).to_contain_text("2nd")
    until(ada.page, lambda: ada.view()["status"] == "closed")
    expect(ada.page.locator("[data-spot=result]")).to_contain_text(re.compile("(Ada|Ben) wins"))
    check_page(ada.page, SIZES)
    card.get_by_role("button", name="Standings").click()
    expect(ada.page.locator(".tour-clock")).to_contain_text("Winner")
    expect(ada.page.locator(".standings tr.own")).to_contain_text("Ada")


def test_a_pause_of_the_tournament_is_told_at_its_tables(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada")
    ben = Guest(house.url, "Ben")
    code = announce(ben, "holdem", "sitngo", entries_max=2, stack=2000, **QUICK)
    enter([guest, ben], code)
    ada.go(f"/tournament/{code}")
    ada.press("To your table")
    at_table(ada)
    ben.post(f"/tournaments/{code}/host/pause", {})
    act([guest, ben], code, "fold", "check")
    expect(ada.page.locator(".bar")).to_contain_text("The host has paused the tournament.")
    ben.post(f"/tournaments/{code}/host/resume", {})
    expect(ada.page.locator(".bar")).not_to_contain_text("paused")


@pytest.mark.slow
def test_the_card_stays_while_the_others_play_on(visit: Visit, house: House) -> None:
    ada, _ = known(visit, house, "Ada")
    page = ada.page
    ben, cleo = Guest(house.url, "Ben"), Guest(house.url, "Cleo")
    levels = {"levels": [[60, 10, 20, 0], [60, 20, 40, 0]], "level_by": "hands"}
    code = announce(ben, "holdem", "sitngo", entries_max=3, stack=2000, **levels, **QUICK)
    ada.go(f"/tournament/{code}")
    ada.press("Enter")
    ada.expect_text("You are in.")
    enter([ben, cleo], code)
    at_table(ada)
    ben.post(f"/tournaments/{code}/host/remove", {"entry": 1})
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("document.querySelector('dialog').dataset.first = 'yes'")
    hand = ada.view()["state"]["hand"]
    while ada.view()["state"]["hand"] < hand + 3:
        act([ben, cleo], code, "check", "call")
        page.wait_for_timeout(20)
    expect(page.locator("dialog[data-first]")).to_be_visible()

    # The page has been at a table: what that one's styles say must not reach the standings.
    page.get_by_role("dialog").get_by_role("button", name="Standings").click()
    share = page.locator(".standings tbody tr:not(.out) td.with-bar span").first
    assert share.evaluate("(one) => one.offsetHeight") == 3
    clock = page.locator(".tour-clock")
    expect(clock).to_contain_text("hands")
    expect(clock).not_to_contain_text("Paused")
    ben.post(f"/tournaments/{code}/host/pause", {})
    expect(clock).to_contain_text("Paused")


def test_whoever_sits_out_is_not_called_to_act(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada")
    page = ada.page
    ben, cleo = Guest(house.url, "Ben"), Guest(house.url, "Cleo")
    code = announce(ben, "holdem", "sitngo", entries_max=3, stack=2000, **QUICK)
    ada.go(f"/tournament/{code}")
    ada.press("Enter")
    ada.expect_text("You are in.")
    enter([ben, cleo], code)
    table = at_table(ada)
    guest.post(f"/tables/{table}/actions", {"action": {"type": "sit_out"}})

    def play(hand: int) -> None:
        """Up to this hand. Ada still acts in the first one, where she sat when it was dealt."""
        while (view := guest.view(table))["state"]["hand"] < hand:
            if view["state"]["hand"] == 1 and view["legal"]:
                guest.post(f"/tables/{table}/actions", {"action": {"type": "fold"}, "turn": view["turn"]})
            act([ben, cleo], code, "check", "call")
            page.wait_for_timeout(20)

    play(2)
    page.evaluate(
        "window.said = []; new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) =>"
        " window.said.push(node.textContent)))).observe(document.body, { childList: true, subtree: true })"
    )
    play(5)
    said = page.evaluate("window.said")
    assert any("Ada folds" in line for line in said)
    assert not [line for line in said if line.startswith("Your turn")]


def test_a_deal_is_voted_on_at_the_table(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada", reduced_motion="reduce")
    ben = Guest(house.url, "Ben")
    code = announce(ben, "holdem", "sitngo", entries_max=2, buy_in=50, payouts=[60, 40], **QUICK)
    enter([ben, guest], code)
    ada.go(f"/tournament/{code}")
    ada.press("To your table")
    at_table(ada)
    ben.post(f"/tournaments/{code}/deal", {"kind": "icm"})
    dialog = ada.page.get_by_role("dialog")
    act([guest, ben], code, "fold")
    expect(dialog.get_by_role("row")).to_have_count(3)
    shares = guest.get(f"/tournaments/{code}")["deal"]["shares"]
    ben.post(f"/tournaments/{code}/deal", {"kind": "icm"})
    expect(dialog).to_contain_text("yes")
    dialog.get_by_role("button", name="I agree").click()
    expect(ada.page.get_by_text(f"Prize: {shares['2']}")).to_be_visible()
    ended = guest.get(f"/tournaments/{code}")
    assert {str(one["entry"]): one["prize"] for one in ended["standings"]} == shares


def test_a_rebuy_is_a_tap_at_the_table(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada", reduced_motion="reduce")
    ben = Guest(house.url, "Ben")
    levels = [[60, 10, 20, 0]] * 2
    rules = {"stack": 40, "levels": levels, "breaks": [], "late_until": 0, "rebuys": 1, "rebuy_until": 1}
    code = announce(ben, "holdem", "mtt", **rules, **QUICK)
    enter([ben, guest], code)
    ada.go(f"/tournament/{code}")
    ada.expect_text("You are in.")
    ben.post(f"/tournaments/{code}/start")
    at_table(ada)
    rebuy = ada.page.get_by_role("button", name="Rebuy")
    while not rebuy.count():
        # Ada is all-in only with what is left after a blind, so that it is she who loses all.
        act([guest], code, "fold", "check")
        act([ben], code, "allin", "call", "check")
        ada.page.wait_for_timeout(30)
    rebuy.click()
    until(ada.page, lambda: guest.get(f"/tournaments/{code}")["entries"][1]["rebuys"] == 1)
    expect(rebuy).to_have_count(0)
