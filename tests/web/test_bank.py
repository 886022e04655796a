"""The host's bank in the page: buy-ins on approval, corrected stacks, presets, and the waiting list."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .guests import Guest
from .house import House
from .looks import SIZES, check_page
from .visitors import Visitor, until

Visit = Callable[..., Visitor]


def host_of(visit: Visit, house: House, **settings: object) -> tuple[Visitor, str]:
    """Ada, in a browser, at a hold'em table of her own."""
    ada = visit("Ada")
    ada.go("/")
    ada.press(re.compile("^No clock"))
    ada.introduce()
    ada.page.wait_for_url("**/t/*")
    code = ada.code
    if settings:
        body = "settings => fetch(`/api/v1/tables/${location.pathname.slice(3)}/host/settings`, {method: 'POST',"
        headers = "headers: {'Content-Type': 'application/json'}, body: JSON.stringify(settings)}).then(a => a.ok)"
        assert ada.page.evaluate(body + headers, settings)
    return ada, code


def test_the_host_grants_another_amount_than_was_asked_for(visit: Visit, house: House) -> None:
    ada, code = host_of(visit, house, approve_seats=True)
    bo = visit("Bo")
    bo.go(f"/t/{code}")
    bo.page.get_by_label("Your name").fill("Bo")
    bo.press("Ask for a seat")
    bo.expect_text("Your request is with the host.")
    bo.page.reload()
    bo.expect_text("Your request is with the host.")
    ada.press("Menu")
    ada.expect_text("Bo asks for a seat")
    ada.page.get_by_label("Chips for Bo").fill("120")
    ada.press("Let in")
    bo.expect_text("You need at least one more player.")
    bo.expect_view(lambda view: [row["stack"] for row in view["state"]["players"]] == [120])
    bo.press("Add chips")
    bo.page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    bo.expect_text("Your request is with the host.")
    ada.expect_text("Bo asks for chips")
    ada.page.get_by_label("Chips for Bo").fill("30")
    ada.press("Grant")
    expect(ada.page.get_by_text("Bo asks for chips")).to_have_count(0)
    bo.press("Sit out")
    bo.expect_view(lambda view: [row["stack"] for row in view["state"]["players"]] == [150])


def test_a_request_can_be_withdrawn(visit: Visit, house: House) -> None:
    ada, code = host_of(visit, house, approve_seats=True)
    bo = visit("Bo")
    bo.go(f"/t/{code}")
    bo.page.get_by_label("Your name").fill("Bo")
    bo.press("Ask for a seat")
    bo.press("Withdraw")
    expect(bo.page.get_by_role("button", name="Ask for a seat")).to_be_visible()
    ada.expect_view(lambda view: view["requests"] == [])


def test_a_request_for_chips_is_withdrawn_and_the_seat_kept(visit: Visit, house: House) -> None:
    ada, code = host_of(visit, house)
    bo = visit("Bo")
    bo.sit(f"/t/{code}")
    ada.page.context.request.post(
        f"{house.url}/api/v1/tables/{code}/host/settings", data={"approve_seats": True}, headers={"Origin": house.url}
    )
    bo.press("Add chips")
    bo.page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    bo.expect_text("Your request is with the host.")
    bo.press("Withdraw")
    expect(bo.page.get_by_role("button", name="Add chips")).to_be_visible()
    bo.expect_view(lambda view: view["you"]["seats"] and view["you"]["request"] is None)
    ada.page.get_by_role("tab", name="Log").click()
    ada.expect_text("Bo no longer asks for chips")


def test_a_stack_is_corrected_and_everybody_reads_why(visit: Visit, house: House) -> None:
    ada, code = host_of(visit, house)
    ada.sit()
    bo = visit("Bo")
    bo.sit(f"/t/{code}")

    def correct(chips: int, reason: str) -> None:
        ada.press("Menu")
        ada.press("Players")
        ada.page.get_by_role("listitem").filter(has_text="Bo").get_by_role("button", name="Correct stack").click()
        form = ada.page.get_by_role("form", name="Correct Bo’s stack")
        if chips < 0:
            form.get_by_role("radio", name="Take away").check()
        form.get_by_label("Chips", exact=True).fill(str(abs(chips)))
        form.get_by_label("Reason").fill(reason)
        form.get_by_role("button", name="Correct", exact=True).click()
        expect(form).to_have_count(0)
        ada.page.keyboard.press("Escape")
        expect(ada.page.locator("dialog")).to_have_count(0)

    correct(100, "paid in cash")
    bo.page.get_by_role("tab", name="Log").click()
    bo.expect_text("The host corrects Bo’s stack: +100 (paid in cash)")
    bo.page.get_by_role("tab", name="Chips").click()
    expect(bo.page.get_by_role("row", name="Bo 300 300 0")).to_be_visible()
    ada.press("Start the game")
    bo.cards()
    correct(-50, "typed twice")
    for visitor in (ada, bo):
        expect(visitor.page.locator("p.notice")).to_contain_text("After this hand: Bo −50 (typed twice)")
    assert bo.page.locator("p.notice").get_by_role("button").count() == 0
    ada.press("Cancel")
    for visitor in (ada, bo):
        expect(visitor.page.locator("p.notice")).to_have_count(0)


def test_a_preset_is_saved_and_opens_the_next_table(visit: Visit, house: House) -> None:
    ada, _ = host_of(visit, house)
    ada.press("Menu")
    ada.press("Settings")
    form = ada.page.locator("dialog form").first
    form.get_by_role("spinbutton", name="Small blind").fill("5")
    form.get_by_role("spinbutton", name="Big blind", exact=True).fill("10")
    ada.page.get_by_label("Preset name").fill("Deep stacks")
    ada.press("Save as preset")
    expect(ada.page.locator("dialog .toast").last).to_contain_text("Saved as “Deep stacks”")
    ada.go("/")
    ada.press(re.compile("^Deep stacks"))
    ada.page.wait_for_url("**/t/*")
    ada.page.get_by_role("button", name="Menu").wait_for()
    ada.expect_text(re.compile("5/10"))
    ada.go("/")
    ada.press("Delete Deep stacks")
    expect(ada.page.get_by_text("Deep stacks")).to_have_count(0)
    ada.page.reload()
    expect(ada.page.get_by_role("heading", name="New table")).to_be_visible()
    expect(ada.page.get_by_text("Deep stacks")).to_have_count(0)


def test_who_waits_is_offered_the_seat_that_gets_free(visit: Visit, house: House) -> None:
    ben, cy = Guest(house.url, "Ben"), Guest(house.url, "Cy")
    code = ben.open_table("holdem", seats=2, action_seconds=0)
    for guest in (ben, cy):
        guest.sit(code)
    ada, bo = visit("Ada"), visit("Bo", viewport={"width": 360, "height": 740})
    for visitor, place in ((ada, 1), (bo, 2)):
        visitor.go(f"/t/{code}")
        visitor.press("Join the waiting list")
        visitor.introduce()
        visitor.expect_text(f"You are number {place} on the waiting list.")
    bo.page.reload()
    bo.expect_text("You are number 2 on the waiting list.")
    cy.call("DELETE", f"/tables/{code}/seats/me")
    ada.expect_text(re.compile("A seat is free for you: [0-9]+ s to take it."))
    ada.page.get_by_role("tab", name="Players").click()
    expect(ada.page.get_by_role("region", name="Waiting list")).to_contain_text("Adaseat offered")
    bo.expect_text("You are number 2 on the waiting list.")
    ada.press("Sit down")
    bo.expect_text("You are number 1 on the waiting list.")
    until(ada.page, lambda: ada.view()["you"]["seats"])
    assert ada.view()["you"]["seats"] == [1]
    bo.press("Leave the list")
    expect(bo.page.get_by_role("button", name="Join the waiting list")).to_be_visible()


def test_a_full_chess_table_has_a_waiting_list(visit: Visit, house: House) -> None:
    ben, cy = Guest(house.url, "Ben"), Guest(house.url, "Cy")
    code = ben.open_table("chess")
    for guest in (ben, cy):
        guest.sit(code)
    ada = visit("Ada")
    ada.go(f"/t/{code}")
    ada.page.get_by_role("tab", name="Players").click()
    ada.press("Join the waiting list")
    ada.introduce()
    expect(ada.page.get_by_role("region", name="Waiting list")).to_contain_text("Ada")
    cy.call("DELETE", f"/tables/{code}/seats/me")
    ada.expect_text(re.compile("A seat is free for you"))
    ada.press("Sit down")
    expect(ada.page.get_by_role("button", name="Sit down")).to_have_count(0)
    ada.expect_view(lambda view: view["you"]["seats"])


ZOOMED = (*SIZES, (640, 400))
"""Also what is left of 1280×800 at 200 %."""


@pytest.mark.slow
def test_the_forms_of_the_bank_are_laid_out_and_named(visit: Visit, house: House) -> None:
    """At every size and in both themes: a request, a correction, the question before a kick, the waiting list."""
    ada, code = host_of(visit, house, approve_seats=True, seats=3)
    ada.sit()
    ben, cy, di = (Guest(house.url, name) for name in ("Maximiliane von Hohenst", "Cy", "Di"))
    ben.sit(code, buy_in=40)
    ada.press("Menu")
    ada.expect_text("Maximiliane von Hohenst asks for a seat")
    check_page(ada.page, ZOOMED)
    ada.press("Let in")
    cy.sit(code)
    ada.expect_text("Cy asks for a seat")
    ada.press("Players")
    row = ada.page.get_by_role("listitem").filter(has_text="Maximiliane")
    row.get_by_role("button", name="Correct stack").click()
    check_page(ada.page, ZOOMED)
    row.get_by_role("button", name="Kick", exact=True).click()
    expect(ada.page.get_by_label("A word to Maximiliane von Hohenst")).to_be_visible()
    check_page(ada.page, ZOOMED)
    ada.press("Let in")
    expect(ada.page.get_by_role("dialog").get_by_text("Cy asks for a seat")).to_have_count(0)
    di.post(f"/tables/{code}/waiting")
    check_page(ada.page, ZOOMED)
    eve = visit("Eve", viewport={"width": 360, "height": 740})
    eve.go(f"/t/{code}")
    eve.press("Join the waiting list")
    eve.introduce()
    eve.expect_text("You are number 2 on the waiting list.")
    check_page(eve.page, ZOOMED)
    ben.post(f"/tables/{code}/actions", {"action": {"type": "rebuy", "amount": 60}})
    ada.expect_text("Maximiliane von Hohenst asks for chips")
    check_page(ada.page, ZOOMED)


@pytest.mark.slow
def test_the_groups_of_a_form_are_laid_out_and_open_where_a_field_is_wrong(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.press("More settings")
    form = ada.page.locator(".more-settings form").first
    expect(form.get_by_label("Straddle")).to_be_hidden()
    check_page(ada.page, ZOOMED)
    form.get_by_text("Bomb pots, straddle").click()
    form.get_by_label("Run it up to so many times").fill("9")
    expect(form.get_by_text("1 changed")).to_be_visible()
    form.get_by_label("Games", exact=True).select_option(label="Rotation")
    check_page(ada.page, ZOOMED)
    form.get_by_text("Bomb pots, straddle").click()
    expect(form.get_by_label("Straddle")).to_be_hidden()
    ada.press("Open the table")
    expect(form.get_by_label("Run it up to so many times")).to_be_focused()
    form.get_by_label("Run it up to so many times").fill("3")
    ada.press("Open the table")
    ada.introduce()
    assert ada.code
