"""No mouse: a whole hand and a whole game by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .visitors import Visitor, until, whose_turn

Visit = Callable[..., Visitor]


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the thing with that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        label = page.evaluate(
            "() => (document.activeElement.ariaLabel || document.activeElement.textContent || '').trim()"
        )
        if label.startswith(name):
            return
    raise AssertionError(f"Tab does not lead to {name}")


def sit_by_keyboard(visitor: Visitor, code: str) -> None:
    visitor.go(f"/t/{code}")
    visitor.page.get_by_label("Your name").wait_for()
    for _ in range(30):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate("() => document.activeElement.autocomplete === 'nickname'"):
            break
    visitor.page.keyboard.type(visitor.name)
    visitor.page.keyboard.press("Enter")
    until(visitor.page, lambda: (visitor.view()["you"] or {}).get("seats"))


def test_a_whole_hand_by_keyboard(visit: Visit, house: House) -> None:
    host = Guest(house.url, "Host")
    code = host.open_table("holdem", seats=2, action_seconds=0, hand_delay=60)
    ada, bo = visit("Ada"), visit("Bo")
    sit_by_keyboard(ada, code)
    sit_by_keyboard(bo, code)
    host.start(code)
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    expect(first.page.get_by_role("button", name="Fold")).to_be_enabled()
    first.page.keyboard.type("12")
    expect(first.page.get_by_role("button", name="Raise to 12")).to_be_visible()
    first.page.keyboard.press("Enter")
    for visitor in (second, second, first, second, first, second, first):
        visitor.expect_turn()
        visitor.key("c")
    for visitor in (ada, bo):
        expect(visitor.page.get_by_role("link", name="Replay")).to_be_visible()


def test_a_whole_game_by_keyboard(visit: Visit, house: House) -> None:
    host = Guest(house.url, "Host")
    code = host.open_table("chess", side="white", untimed=True)
    white, black = visit("Ada"), visit("Bo")
    sit_by_keyboard(white, code)
    sit_by_keyboard(black, code)
    host.start(code)
    for number, san in enumerate(("f3", "e5", "g4", "Qh4")):
        visitor = black if number % 2 else white
        visitor.page.get_by_label("Type a move").wait_for()
        tab_to(visitor.page, "Type a move")
        visitor.page.keyboard.type(san)
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.locator(".move")).to_have_count(number + 1)
    for visitor in (white, black):
        visitor.expect_text("Bo wins by checkmate")


def test_the_focus_stays_at_the_bar_and_titles_name_the_page(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    for path, title in (("/calc", "Calculators"), ("/editor", "Board editor"), ("/history", "History")):
        ada.go(path)
        expect(ada.page).to_have_title(f"{title} · Parlour")
    host = Guest(house.url, "Host")
    code = host.open_table("holdem")
    ada.go(f"/t/{code}")
    expect(ada.page).to_have_title(f"Hold'em {code} · Parlour")
    seat = ada.page.get_by_role("button", name="Sit down").first
    seat.wait_for()
    bar = ada.page.locator(".bar")
    bar.get_by_role("button").first.focus()
    # Whatever the bar shows next, a control that disappears leaves the focus with the bar.
    ada.page.evaluate("document.activeElement.remove()")
    expect(bar).to_be_focused()


def test_a_table_is_opened_from_the_lobby_by_keyboard(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("heading", level=1).wait_for()
    tab_to(ada.page, "Home game")
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_label("Your name")).to_be_focused()
    ada.page.keyboard.type("Ada")
    ada.page.keyboard.press("Enter")
    assert ada.code
