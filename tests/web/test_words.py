"""What is written on the page: in the reader's language, from codes and not from the server's sentences."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import ConsoleMessage, Page, expect

from .guests import Guest, act_in_turn
from .house import House
from .visitors import Visitor, until

Visit = Callable[..., Visitor]


def test_a_first_visit_leaves_no_error_in_the_console(new_page: Callable[..., Page], house: House) -> None:
    page = new_page()
    faults: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(message.text)

    page.on("console", listen)
    page.goto(house.url)
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert faults == []


def test_a_refusal_and_a_hand_are_told_in_german(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Cy")]
    code = guests[0].open_table("holdem", seats=3, action_seconds=0, hand_delay=60)
    ada = visit("Ada", locale="de-DE")
    ada.go(f"/t/{code}")
    ada.page.get_by_label("Dein Name").fill("Ada")
    ada.page.get_by_role("button", name="Platz nehmen").click()
    until(ada.page, lambda: (ada.view()["you"] or {}).get("seats"))
    for guest in guests:
        guest.sit(code)
    guests[0].start(code)
    seat = next(seat["seat"] for seat in guests[0].view(code)["seats"] if seat["player"]["name"] == "Ada")
    while (state := guests[0].view(code)["state"])["street"] != "flop":
        if state["actor"] == seat:
            expect(ada.page.get_by_role("button", name="Fold")).to_be_enabled()
            turn = ada.view()["turn"]
            ada.page.keyboard.press("c")
            ada.turn_passes(turn)
        else:
            act_in_turn(guests, code, "check", "call")
    german = re.compile("^(High Card|Paar|Zwei Paar|Drilling|Straße|Flush|Full House|Vierling|Straight|Royal)")
    expect(ada.page.get_by_role("group", name="Deine Karten").get_by_text(german)).to_be_visible()
    ada.go("/")
    ada.page.get_by_role("button", name="Mehr Einstellungen").click()
    ada.page.get_by_label("Small Blind").fill("50")
    ada.page.get_by_role("button", name="Tisch öffnen").click()
    expect(ada.page.locator(".toast")).to_have_text("Der Small Blind darf nicht größer sein als der Big Blind.")


def test_the_log_tells_a_hand_that_is_shown_with_its_name_or_without_a_colon(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Cy")]
    code = guests[0].open_table("holdem", seats=3, action_seconds=0, hand_delay=60)
    for guest in guests:
        guest.sit(code)
    guests[0].start(code)
    ada = visit("Ada")
    ada.go(f"/t/{code}")
    ada.page.get_by_role("tab", name="Log").click()
    ada.page.locator(".log li").first.wait_for()
    act_in_turn(guests, code, "allin")
    act_in_turn(guests, code, "call")
    expect(ada.page.locator(".log li", has_text="shows")).to_have_count(2)
    for line in ada.page.locator(".log li", has_text="shows").all_inner_texts():
        assert re.search(r"shows \S+ of \S+, \S+ of \S+$", line), line


def test_hands_in_which_one_was_not_dealt_in_are_not_counted_beside_ones_own(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Cy", "Di")]
    code = guests[0].open_table("holdem", seats=4, action_seconds=0, hand_delay=0)
    for guest in guests:
        guest.sit(code)
    guests[0].start(code)
    ada = visit("Ada")
    ada.sit(f"/t/{code}")

    def played() -> int:
        hand: int = guests[0].view(code)["state"]["hand"]
        return hand

    def dealt_in() -> bool:
        players = guests[0].view(code)["state"]["players"]
        return any(player["seat"] == 3 and player["status"] != "waiting" for player in players)

    while not dealt_in():
        act_in_turn(guests, code, "fold")
    before = played()
    assert before > 1
    while played() == before:
        if guests[0].view(code)["state"]["actor"] == 3:
            ada.expect_turn()
            ada.key("f")
        else:
            act_in_turn(guests, code, "fold")
    ada.go("/me")
    hands = ada.page.locator("dl.facts div", has=ada.page.get_by_text("Hands", exact=True)).locator("dd")
    expect(hands).to_have_text("1")
