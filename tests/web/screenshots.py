"""Writes docs/screenshots: every page at phone and desktop size, from a real server and a real browser."""

from __future__ import annotations

import io
import random
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from . import evening_shots, tournament_shots
from .browsers import launch
from .guests import Guest, act_in_turn
from .house import House
from .visitors import Visitor

FOLDER = Path(__file__).resolve().parents[2] / "docs/screenshots"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
OPENING = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "d4", "exd4", "Qxd4", "Qxd4", "Nxd4", "Bd7")

Shoot = Callable[[Visitor, str], None]


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data))
        house.start()
        _suggest(house)
        browser = launch(playwright)
        try:
            for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
                _all_pages(house, browser, name, {"viewport": size})
        finally:
            browser.close()
            house.stop()


def _suggest(house: House) -> None:
    carla = Guest(house.url, "Carla")
    for title, suggestion in (
        ("Chess clocks", "Could a table remember the clock that we played with last time?"),
        ("A dealer's choice night", "Every orbit somebody else says what is played."),
        ("Colours of the felt", "A choice of them for the poker table, as the chess board has."),
    ):
        carla.post("/suggestions", {"title": title, "suggestion": suggestion})


def _all_pages(house: House, browser: Browser, device: str, options: dict[str, Any]) -> None:
    def new(name: str, scheme: str = "light") -> Visitor:
        context = browser.new_context(locale="en-GB", color_scheme=scheme, reduced_motion="reduce", **options)
        return Visitor(context.new_page(), house.url, name)

    def shoot(visitor: Visitor, name: str) -> None:
        visitor.page.wait_for_timeout(400)
        picture = Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")
        picture.save(FOLDER / f"{name}-{device}.webp", quality=88)

    for scheme in ("light", "dark"):
        _poker(house, new("Ada", scheme), shoot, scheme)
    _chess(house, new("Ada"), shoot)
    for scene in (*evening_shots.SCENES, *tournament_shots.SCENES):
        scene(house, new, shoot)
    visitor = new("Ada")
    for path, name, prepare in (
        ("/", "lobby", None),
        ("/calc", "hand", _pick_cards),
        ("/calc/equity", "equity", _count_equity),
        ("/calc/pots", "pots", _spread_pots),
        ("/admin", "house", partial(_show_secret, house)),
    ):
        visitor.go(path)
        visitor.page.get_by_role("heading", level=1).wait_for()
        if prepare:
            prepare(visitor.page)
        shoot(visitor, name)


def _poker(house: House, ada: Visitor, shoot: Shoot, scheme: str) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri", "Esperanza", "Farid")]
    code = guests[0].open_table("holdem", seats=6, action_seconds=30, hand_delay=60, name="Friday night")
    ada.sit(f"/t/{code}")
    for guest, chips in zip(guests, (180, 400, 62, 245, 318), strict=True):
        guest.sit(code, buy_in=chips)
        guest.attend(code)
    guests[0].start(code)
    for text in ("Good evening!", "Who has the snacks?"):
        guests[1].post(f"/tables/{code}/chat", {"text": text})
    shot = "poker" if scheme == "light" else "poker-dark"
    while (state := guests[0].view(code)["state"])["result"] is None:
        if state["actor"] != 0:
            act_in_turn(guests, code, "check", "call")
            continue
        ada.expect_turn()
        if state["street"] == "flop":
            shoot(ada, shot)
        ada.key("c")
    ada.page.get_by_role("link", name="Replay").wait_for()
    if scheme == "dark":
        return
    shoot(ada, "showdown")
    ada.page.get_by_role("link", name="Replay").click()
    for _ in range(9):
        ada.page.get_by_role("button", name="Step forward").click()
    shoot(ada, "replay")
    ada.page.get_by_role("button", name="Picture").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Download").wait_for()
    shoot(ada, "picture")
    ada.go("/me")
    ada.page.get_by_text("VPIP").wait_for()
    shoot(ada, "profile")
    _record(house, ada, shoot)


def _record(house: House, ada: Visitor, shoot: Shoot) -> None:
    """Some evenings of somebody who plays over the API: lists, figures and charts that are worth a look."""
    me, others = Guest(house.url, "Ada"), [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri")]
    ada.page.context.add_cookies([{"name": "parlour", "value": me.token, "url": house.url}])
    evening(me, others, hands=24)
    for opponent in others[:2]:
        for rounds in range(3):
            mate(me if rounds else opponent, opponent if rounds else me)
    for path, name, ready in (
        ("/history", "history", ".rounds li"),
        ("/stats", "statistics", ".line-chart"),
        ("/stats?game=chess", "statistics-chess", ".ratings"),
        (f"/people/{others[0].get('/me')['id']}", "player", ".head-to-head"),
        ("/ratings?speed=rapid", "ratings", "h1"),
        ("/replay", "open-file", ".drop-area"),
    ):
        ada.go(path)
        ada.page.locator(ready).first.wait_for()
        shoot(ada, name)


def evening(me: Guest, others: list[Guest], hands: int) -> None:
    """Hands of hold'em with calls, folds and all-ins; whoever is out of chips buys more."""
    guests = [me, *others]
    code = me.open_table("holdem", seats=len(guests), action_seconds=0, hand_delay=0, name="Friday night")
    for guest in guests:
        guest.sit(code, buy_in=200)
    me.start(code)
    chance = random.Random(13)
    habits = (("check", "call"), ("check", "call"), ("allin", "call"), ("check", "fold"))
    while len(me.get(f"/tables/{code}/history?limit=200")) < hands:
        state = me.view(code)["state"]
        if state["actor"] is not None:
            act_in_turn(guests, code, *chance.choice(habits))
            continue
        for guest in guests:
            if "rebuy" in guest.view(code)["you"]["options"]:
                guest.post(f"/tables/{code}/actions", {"action": {"type": "rebuy", "amount": 200}})


def mate(white: Guest, black: Guest) -> None:
    """A rated game that does not take long."""
    code = white.open_table("chess", side="white", minutes=10, increment=0, rated=True)
    white.sit(code)
    black.sit(code)
    white.start(code)
    for ply, uci in enumerate(("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")):
        (black if ply % 2 else white).act(code, type="move", uci=uci)


def _chess(house: House, ada: Visitor, shoot: Shoot) -> None:
    ben = Guest(house.url, "Ben")
    code = ben.open_table("chess", side="black", minutes=15, increment=10)
    ben.sit(code)
    ben.attend(code)
    ada.sit(f"/t/{code}")
    ben.start(code)
    for number, san in enumerate(OPENING):
        if number % 2:
            ben.act(code, type="move", uci=_uci(ben, code, san))
            continue
        field = ada.page.get_by_label("Type a move")
        field.fill(san)
        field.press("Enter")
        ada.page.locator(".move").nth(number).wait_for()
    shoot(ada, "chess")


def _uci(player: Guest, code: str, san: str) -> str:
    import chess

    return chess.Board(player.view(code)["state"]["fen"]).parse_san(san).uci()


def _pick_cards(page: Page) -> None:
    for rank in ("Ace", "King", "Queen", "Jack", "Ten"):
        page.get_by_role("button", name=f"{rank} of spades").click()
    page.get_by_text("Royal").first.wait_for()


def _count_equity(page: Page) -> None:
    page.get_by_role("button", name="Calculate").click()
    page.get_by_text("boards").wait_for()


def _spread_pots(page: Page) -> None:
    page.get_by_role("button", name="Split pots").click()
    page.get_by_role("img").wait_for()


def _show_secret(house: House, page: Page) -> None:
    page.get_by_label("Operator’s secret").fill((house.data / "operator.secret").read_text().strip())
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("region", name="Load").wait_for()
    page.get_by_role("region", name="This server").get_by_text("Python").wait_for()


if __name__ == "__main__":
    main()
