"""Every page, at every size, light and dark: nothing overlaps or scrolls sideways, and axe finds nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from .guests import Guest, act_in_turn
from .house import House
from .looks import check_page
from .visitors import Visitor

Visit = Callable[..., Visitor]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/calc",
        "/calc/equity",
        "/calc/pots",
        "/calc/showdown",
        "/history",
        "/history?show=tables",
        "/me",
        "/admin",
        "/t/NSCHTS",
        "/nowhere",
    ],
)
def test_a_stranger_can_read_every_page(visit: Visit, path: str) -> None:
    visitor = visit()
    visitor.go(path)
    visitor.page.get_by_role("heading", level=1).wait_for()
    check_page(visitor.page)


def full_table(house: House, visitor: Visitor, seats: int, **settings: Any) -> tuple[str, list[Guest]]:
    """A started table where the visitor has seat 0 and everybody else is rich or long of name."""
    names = ["Maximiliane von Hohenst", "Bo", "Cy", "Dora Dorothea", "Eve", "Fritz", "Gus", "Hanna", "Ivo"]
    guests = [Guest(house.url, name) for name in names[: seats - 1]]
    code = guests[0].open_table(
        "holdem", seats=seats, action_seconds=0, hand_delay=60, max_buy_in=10**9, name="A long evening", **settings
    )
    visitor.sit(f"/t/{code}")
    for number, guest in enumerate(guests):
        guest.sit(code, buy_in=(200, 1_234_567, 987_654_321)[number % 3])
    guests[0].start(code)
    return code, guests


def until_own_turn(visitor: Visitor, code: str, guests: list[Guest], *wishes: str) -> None:
    while guests[0].view(code)["state"]["actor"] != 0:
        act_in_turn(guests, code, *wishes)
    visitor.expect_turn()


def play_out(visitor: Visitor, code: str, guests: list[Guest], key: str, *wishes: str) -> None:
    """To the end of the hand: the visitor, in seat 0, by this key, the others as they may."""
    while (state := guests[0].view(code)["state"])["result"] is None:
        if state["actor"] == 0:
            visitor.expect_turn()
            visitor.key(key)
        else:
            act_in_turn(guests, code, *wishes)


@pytest.mark.slow
def test_ten_seats_fit_a_phone(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = full_table(house, visitor, 10)
    until_own_turn(visitor, code, guests, "call")
    visitor.page.get_by_role("button", name="Fold").wait_for()
    check_page(visitor.page)


@pytest.mark.slow
def test_six_side_pots_fit_a_phone(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    guests = [Guest(house.url, f"Player {number}") for number in range(2, 9)]
    code = guests[0].open_table("holdem", seats=8, action_seconds=0, hand_delay=60, max_buy_in=10**9)
    visitor.sit(f"/t/{code}")
    for number, guest in enumerate(guests):
        guest.sit(code, buy_in=(60, 111, 222, 333, 444_000, 555_000, 666_000)[number])
    guests[0].start(code)
    play_out(visitor, code, guests, "f", "allin", "call")
    visitor.page.get_by_role("link", name="Replay").wait_for()
    check_page(visitor.page)


@pytest.mark.slow
def test_the_dialogs_of_a_table(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    visitor.go("/")
    visitor.press("Home game Blinds 1/2, 200 chips, 30 s")
    visitor.page.get_by_label("Your name").wait_for()
    check_page(visitor.page)
    visitor.introduce()
    visitor.press("Invite")
    check_page(visitor.page)
    visitor.press("Close")
    visitor.press("Menu")
    visitor.page.get_by_role("button", name="Settings", exact=True).click()
    visitor.page.get_by_label("Small blind").wait_for()
    expect(visitor.page.get_by_label("Private")).to_have_count(0)  # a table's code depends on it: it cannot change
    check_page(visitor.page)


@pytest.mark.slow
def test_the_text_table(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = full_table(house, visitor, 3)
    until_own_turn(visitor, code, guests, "call")
    visitor.press("Menu")
    visitor.page.get_by_label("Show the table as text").check()
    visitor.press("Close")
    expect(visitor.page.get_by_role("rowheader", name="Maximiliane")).to_be_visible()
    check_page(visitor.page)


@pytest.mark.slow
def test_the_chess_board(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    opponent = Guest(house.url, "Maximiliane von Hohenst")
    code = opponent.open_table("chess", side="black", minutes=90)
    opponent.sit(code)
    visitor.sit(f"/t/{code}")
    opponent.start(code)
    visitor.page.get_by_label("Type a move").wait_for()
    check_page(visitor.page)


@pytest.mark.slow
def test_pieces_in_hand_fit_beside_the_board(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    opponent = Guest(house.url, "Maximiliane von Hohenst")
    fen = "r1bqk2r/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQK2R[QRBNPPqrbnpp] w KQkq - 0 1"
    code = opponent.open_table("chess", side="black", minutes=90, variant="crazyhouse", start_fen=fen)
    opponent.sit(code)
    visitor.sit(f"/t/{code}")
    opponent.start(code)
    expect(visitor.page.locator(".in-hand")).to_have_count(10)
    check_page(visitor.page)


@pytest.mark.slow
def test_a_call_of_all_in_and_a_queued_change_fit_a_phone(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = full_table(house, visitor, 3)
    guests[0].post(f"/tables/{code}/host/settings", {"small_blind": 5, "big_blind": 10, "ante": 1})
    until_own_turn(visitor, code, guests, "allin", "call")
    if not visitor.view()["legal"]["call_all_in"]:  # the first to act
        visitor.key("c")
        until_own_turn(visitor, code, guests, "allin", "call")
    visitor.page.get_by_role("button", name=re.compile(r"^Call \d+, all-in")).wait_for()
    visitor.page.get_by_text("From the next hand: blinds 5/10, Ante: 1").first.wait_for()
    check_page(visitor.page)


@pytest.mark.slow
def test_a_replayed_hand_and_a_profile(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = full_table(house, visitor, 6)
    until_own_turn(visitor, code, guests, "call")
    play_out(visitor, code, guests, "c", "check", "call")
    visitor.page.get_by_role("link", name="Replay").click()
    visitor.page.get_by_role("button", name="Step forward").click()
    check_page(visitor.page)
    visitor.go(f"/history/{code}")
    visitor.page.get_by_role("link", name="Ada").wait_for()
    check_page(visitor.page)
    visitor.go("/me")
    visitor.page.get_by_text("VPIP").wait_for()
    check_page(visitor.page)


@pytest.mark.slow
def test_everybody_reads_suggestions(visit: Visit, own_house: House) -> None:
    """From the profile to the server's page by keyboard: nothing yet, then what guests wrote, the newest first."""
    visitor = visit()
    visitor.base = own_house.url
    visitor.go("/me")
    visitor.page.get_by_role("link", name="Server administration").press("Enter")
    visitor.expect_text("Nothing yet.")
    check_page(visitor.page)
    guest = Guest(own_house.url, "Bo")
    guest.post("/suggestions", {"title": "Snacks", "suggestion": "More of them."})
    guest.post("/suggestions", {"title": "W" * 80, "suggestion": "i" * 2000})
    visitor.page.reload()
    expect(visitor.page.locator(".suggestions h3")).to_have_text(["W" * 80, "Snacks"])
    visitor.expect_text("More of them.")
    check_page(visitor.page)


def test_a_showdown_of_several_hands_is_ranked_and_paid(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/calc/showdown")
    page = visitor.page
    expect(page.locator(".placing")).to_have_count(5)  # five players are dealt at random, ranked and paid at once
    page.get_by_label("Remove player 5").click()
    page.get_by_label("Board").fill("Ac Kc Jc 5c Th")
    for number, (cards, chips) in enumerate((("8c 7h", 25), ("9h 5h", 50), ("Ad 4s", 100), ("As 3h", 100)), 1):
        page.get_by_label(f"Player {number}’s cards").fill(cards)
        page.get_by_label(f"Player {number}’s chips").fill(str(chips))
    visitor.press("Compare hands")
    expect(page.locator(".placing")).to_have_count(4)
    told = [line.inner_text() for line in page.locator(".placing").all()]
    assert all(part in told[0] for part in ("Player 1", "Flush, Ace high", "7,079", "500.851", "100"))
    assert all(part in told[1] for part in ("Player 3", "Pair of Aces", "280.813", "88"))
    assert all(part in told[2] for part in ("Player 4", "Pair of Aces", "280.813", "87"))
    pots = page.locator(".pots-paid li").all_inner_texts()
    assert pots == [
        "Main pot: 100 player 1 wins 100",
        "Side pot 1: 75 player 3 wins 38, player 4 wins 37",
        "Side pot 2: 100 player 3 wins 50, player 4 wins 50",
    ]
    page.get_by_label("Player 1’s chips").fill("0")
    page.get_by_label("Board").fill("Ac Kc Jc 5c")
    visitor.press("Compare hands")
    page.get_by_text("five cards").first.wait_for()  # the server's refusal, and what was shown stays
    expect(page.locator(".placing")).to_have_count(4)


@pytest.mark.slow
def test_a_showdown_can_be_read_in_german_on_a_narrow_phone(visit: Visit) -> None:
    visitor = visit(locale="de-DE", viewport={"width": 320, "height": 568})
    visitor.go("/calc/showdown")
    page = visitor.page
    page.get_by_label("Board").fill("Ac Kc Jc 5c Th")
    for _ in range(3):
        page.get_by_label("Spieler 3 entfernen").click()
    page.get_by_label("Karten von Spieler 1", exact=True).fill("Ad Ks")
    page.get_by_label("Karten von Spieler 2", exact=True).fill("Qh Qd")
    page.get_by_role("button", name="Hände vergleichen").click()
    first = page.locator(".placing").filter(has_text="Spieler 1")
    expect(first).to_contain_text("Zwei Paar, Asse und Könige, Kicker Bube")
    expect(first).to_contain_text("299,767")  # a comma before the fraction: a point would make it thousands
    check_page(visitor.page)
    for text in page.locator(".placing .grow").all():
        assert text.bounding_box()["width"] > 150
    for box in page.locator(".hole").all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    tabs, last = page.locator(".page > .segments").bounding_box(), page.locator(".segments .segment").last
    assert last.evaluate("tab => tab.scrollWidth <= tab.clientWidth")
    assert last.bounding_box()["x"] + last.bounding_box()["width"] <= tabs["x"] + tabs["width"]
