"""Screenshots of what a host may add to a table, of the host's bank and of what comes after the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from .guests import Guest
from .house import House
from .playing import play, there
from .visitors import Visitor

New = Callable[..., Visitor]
Shoot = Callable[[Visitor, str], None]

ENGINE = 600_000
"""Milliseconds that the engine may take over a game on a busy machine."""

GAME = """[White "Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  "d dh p1 AhKh", "d dh p2 7c7d", "d dh p3 QsJs",
  "p3 cbr 6", "p1 cbr 20", "p2 f", "p3 cc",
  "d db Qh9h2c", "p1 cbr 30", "p3 cc",
  "d db 4h", "p1 cbr 150", "p3 cc",
  "p1 sm AhKh", "p3 sm QsJs", "d db 8s",
]
players = ["Ada", "Ben", "Carla"]
"""


def _table(house: House, ada: Visitor, *stacks: int, **settings: Any) -> tuple[str, list[Guest]]:
    """A hand at a table with these settings: Ada in seat 0, and guests with so many chips."""
    guests = [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri", "Esperanza", "Farid")[: len(stacks)]]
    rules = {"seats": 6, "action_seconds": 0, "hand_delay": 60, "min_buy_in": 2, "name": "Friday night", **settings}
    code = guests[0].open_table("holdem", **rules)
    ada.sit(f"/t/{code}")
    for guest, chips in zip(guests, stacks, strict=True):
        guest.sit(code, buy_in=chips)
    there(guests, code)
    guests[0].start(code)
    ada.cards()
    return code, guests


def options(house: House, new: New, shoot: Shoot) -> None:
    """The form of a new table, with what a host may add to the game."""
    ada = new("Ada")
    ada.go("/")
    ada.press("More settings")
    ada.page.get_by_text("Bomb pots, straddle").click()
    ada.page.get_by_label("Bomb pots: ante").fill("3")
    ada.page.get_by_label("Double board").select_option(label="Bomb pots only")
    ada.page.get_by_label("Double board").scroll_into_view_if_needed()
    shoot(ada, "options")


def bomb_pot(house: House, new: New, shoot: Shoot) -> None:
    """A bomb pot on two boards."""
    ada = new("Ada")
    code, guests = _table(
        house, ada, 180, 400, 62, 245, 318, bomb_ante=3, bomb_every=1, double_board="bombs", seven_deuce=5
    )
    play(ada, guests, code, lambda state: state["street"] == "turn" and state["actor"] == 0, "check", "call")
    ada.expect_turn()
    shoot(ada, "double-board")


def three_runs(house: House, new: New, shoot: Shoot) -> None:
    """The question how often the board is dealt, and three boards."""
    ada = new("Ada")
    code, guests = _table(house, ada, 180, 120, 62, 245, 160, run_it=3)
    play(ada, guests, code, lambda state: state["street"] == "flop", "check", "call")
    play(ada, guests, code, lambda state: "run" in state, "allin", "call")
    ada.page.get_by_role("group", name="How many times").wait_for()
    shoot(ada, "run-question")
    for guest in guests:
        if "run" in guest.view(code)["you"]["options"]:
            guest.act(code, type="run", times=3)
    ada.press("Three times")
    ada.page.get_by_role("link", name="Replay").wait_for()
    ada.at_rest()
    shoot(ada, "three-runs")


def bank(house: House, new: New, shoot: Shoot) -> None:
    """Somebody asks for a seat, a stack is corrected, others wait."""
    ada = new("Ada")
    ada.go("/")
    ada.press("Home game Blinds 1/2, 200 chips, 30 s")
    ada.introduce()
    code = ada.code
    ada.sit()
    guests = [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri")]
    guests[0].sit(code, buy_in=200)
    ada.page.context.request.post(
        f"{house.url}/api/v1/tables/{code}/host/settings",
        data={"approve_seats": True, "seats": 3},
        headers={"Origin": house.url},
    )
    guests[1].sit(code, buy_in=300)
    ada.press("Menu")
    ada.page.get_by_text("Carla asks for a seat").wait_for()
    ada.press("Players")
    ada.page.get_by_role("listitem").filter(has_text="Ben").get_by_role("button", name="Correct stack").click()
    form = ada.page.get_by_role("form", name="Correct Ben’s stack")
    form.get_by_label("Chips", exact=True).fill("100")
    form.get_by_label("Reason").fill("paid in cash")
    shoot(ada, "bank")
    ada.press("Let in")
    expect(ada.page.get_by_role("dialog").get_by_text("Carla asks for a seat")).to_have_count(0)
    ada.press("Close")
    for guest in guests[2:]:
        guest.post(f"/tables/{code}/waiting")
    eve = new("Esperanza")
    eve.go(f"/t/{code}")
    eve.press("Join the waiting list")
    eve.introduce()
    eve.page.get_by_text("You are number 2 on the waiting list.").wait_for()
    if eve.page.get_by_role("button", name="Chat, log and players").is_visible():
        shoot(eve, "waiting-list")
        return
    eve.page.get_by_role("tab", name="Players").click()
    eve.page.get_by_role("region", name="Waiting list").wait_for()
    shoot(eve, "waiting-list")


def report(house: House, new: New, shoot: Shoot) -> None:
    """A famous game on the analysis board, with the engine's report."""
    ada = new("Ada")
    ada.go("/analysis")
    page = ada.page
    page.get_by_role("button", name="Import PGN or FEN").click()
    page.get_by_label("Paste a game or a position").fill(GAME)
    page.get_by_role("dialog").get_by_role("button", name="Import PGN or FEN").click()
    page.get_by_role("button", name="Report", exact=True).click()
    found = page.get_by_role("region", name="Game report")
    found.locator("[data-accuracy=white]").wait_for(timeout=ENGINE)
    expect(found.get_by_role("progressbar")).to_have_count(0, timeout=ENGINE)
    found.scroll_into_view_if_needed()
    shoot(ada, "report")


def imported(house: House, new: New, shoot: Shoot) -> None:
    """A hand of another program in the replayer."""
    ada = new("Ada")
    ada.go("/replay")
    ada.page.get_by_label("Or paste the text").fill(HAND)
    ada.press("Open")
    ada.page.get_by_role("button", name="Step forward").wait_for()
    for _ in range(10):
        ada.page.get_by_role("button", name="Step forward").click()
    shoot(ada, "import")


SCENES = (options, bomb_pot, three_runs, bank, report, imported)
