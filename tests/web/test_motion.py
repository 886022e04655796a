"""What is seen to happen at the poker table: scene by scene, skipped by a tap, and never in the way of who acts.

Where a test has to stop in the middle of a scene, the page's clock stands still and is moved on by hand, so that
nothing depends on how fast the machine is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.patience import wait_until

from .guests import Guest, act_in_turn
from .house import House
from .visitors import Visitor, until

SCRIPT = Path(__file__).with_name("motion.js")
STEP = 50
"""Milliseconds by which a clock is moved on at a time."""


class Table:
    """Somebody with a browser, and guests with fewer chips each: an all-in of everybody makes side pots."""

    def __init__(self, house: House, page: Page, guests: int = 2, **settings: Any) -> None:
        page.add_init_script(path=SCRIPT)
        self.page = page
        self.me = Visitor(page, house.url, "Ada")
        self.guests = [Guest(house.url, f"Guest {number}") for number in range(1, guests + 1)]
        settings = {"seats": 4, "action_seconds": 0, "hand_delay": 60, "min_buy_in": 2, **settings}
        self.code = self.guests[0].open_table("holdem", **settings)
        self.me.sit(f"/t/{self.code}")
        for number, guest in enumerate(self.guests, 1):
            guest.sit(self.code, buy_in=200 - 50 * number)
        expect(page.locator("[data-spot^=seat-]")).to_have_count(guests + 1)

    def start(self) -> None:
        self.guests[0].start(self.code)
        self.settle()

    def settle(self) -> None:
        """Wait until the page has heard of everything and shows it."""
        until(self.page, lambda: self.me.view()["seq"] >= self.guests[0].view(self.code)["seq"])
        until(self.page, lambda: shown(self.page) == told(self.me.view()))

    def all_in(self) -> dict[str, Any]:
        """Everybody puts their chips in; the answer is the view that the page has been told."""
        while (view := self.guests[0].view(self.code))["state"]["result"] is None:
            if view["state"]["actor"] == 0:
                self.mine("allin", "call")
            else:
                act_in_turn(self.guests, self.code, "allin", "call")
        until(self.page, lambda: self.me.view()["seq"] >= view["seq"])
        return self.me.view()

    def mine(self, *wishes: str) -> None:
        """Act for the one with the browser, beside the page."""
        self.page.evaluate(
            """async ([code, wishes]) => {
              const path = `/api/v1/tables/${code}`;
              const { legal, turn } = await (await fetch(path)).json();
              const type = wishes.find((wish) => legal.actions.includes(wish));
              const body = JSON.stringify({ action: { type }, turn });
              const headers = { "Content-Type": "application/json" };
              const sent = await fetch(`${path}/actions`, { method: "POST", headers, body });
              if (!sent.ok) throw new Error(await sent.text());
            }""",
            [self.code, list(wishes)],
        )

    def stop_time(self) -> None:
        self.page.clock.install()
        self.page.clock.pause_at(self.page.evaluate("Date.now()") + 1000)

    def until(self, condition: str) -> None:
        """Move the clock on until the page says so."""
        wait_until(lambda: self.page.evaluate(condition), lambda: condition, lambda: self.page.clock.run_for(STEP))


def story(page: Page) -> list[dict[str, Any]]:
    """All that the table has shown, in order."""
    entries: list[dict[str, Any]] = page.evaluate("window.parlourMotion.told")
    return entries


def shown(page: Page) -> dict[str, Any]:
    """What the table shows now, and what flies over it."""
    flying = page.locator("[data-spot=effects] > *").count()
    last = story(page)[-1]
    return {"flying": flying, **{part: last[part] for part in ("board", "pots", "bets", "stacks", "hands")}}


def told(view: dict[str, Any]) -> dict[str, Any]:
    """The same of a view that is at rest."""
    state, mine = view["state"], view["you"]["seats"][0]
    players = {str(player["seat"]): player for player in state["players"]}
    bets = {seat: player["bet"] for seat, player in players.items() if player["bet"]}
    pots = [pot["amount"] for pot in state["pots"]]
    if not pots and state["pot"] > sum(bets.values()):
        pots = [state["pot"] - sum(bets.values())]
    hands = {seat: player["cards"] or [None] * player["holds"] for seat, player in players.items()}
    if view["private"]:
        hands[str(mine)] = view["private"]["cards"]
    return {
        "flying": 0,
        "board": state["board"],
        "pots": {str(index): amount for index, amount in enumerate(pots)},
        "bets": bets,
        "stacks": {seat: player["stack"] for seat, player in players.items()},
        "hands": {seat: cards for seat, cards in hands.items() if cards},
    }


BOARD = "document.querySelectorAll('[data-spot^=board-][data-card]').length"


def boards(page: Page, since: int = 0) -> list[int]:
    """How many cards lay on the board, one after another."""
    counts = [len(entry["board"]) for entry in story(page)[since:]]
    return [count for index, count in enumerate(counts) if index == 0 or count != counts[index - 1]]


@pytest.mark.slow
def test_an_all_in_is_run_out_street_by_street_with_its_chances(house: House, new_page: Callable[..., Page]) -> None:
    table = Table(house, new_page())
    table.start()
    since = len(story(table.page))
    view = table.all_in()
    table.settle()
    entries = story(table.page)[since:]
    assert boards(table.page, since) == [0, 3, 4, 5]
    steps = {step["board"]: step["chances"] for step in view["state"]["run_out"]}
    for cards, chances in steps.items():
        expected = {seat: chance["equity"] for seat, chance in chances.items()}
        assert any(len(one["board"]) == cards and one["chances"] == expected for one in entries), f"at {cards} cards"
    for entry in entries:
        if entry["chances"]:
            assert all(None not in entry["hands"][seat] for seat in entry["chances"]), "no chances of hidden hands"
        if len(entry["board"]) < 5:
            assert not entry["words"], "nobody wins before the river"
    pots = view["state"]["result"]["pots"]
    assert len(pots) == 2
    left = [len(entry["pots"]) for entry in entries if len(entry["board"]) == 5]
    assert [count for index, count in enumerate(left) if index == 0 or count != left[index - 1]] == [2, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["tap", "key"])
def test_a_tap_or_a_key_shows_the_end(house: House, new_page: Callable[..., Page], hand: str) -> None:
    table = Table(house, new_page())
    table.start()
    since = len(story(table.page))
    table.stop_time()
    table.all_in()
    table.until(f"{BOARD} === 3")
    if hand == "tap":
        table.page.locator("[data-spot=felt]").click(position={"x": 60, "y": 60}, force=True)
    else:
        table.page.keyboard.press("x")
    table.settle()
    assert boards(table.page, since) == [0, 3, 5]


@pytest.mark.slow
def test_writing_in_the_chat_skips_nothing(house: House, new_page: Callable[..., Page]) -> None:
    table = Table(house, new_page())
    table.start()
    since = len(story(table.page))
    table.stop_time()
    table.page.get_by_placeholder("Say something").focus()
    table.all_in()
    table.until(f"{BOARD} === 3")
    table.page.keyboard.type("wow")
    table.until(f"{BOARD} === 5")
    assert boards(table.page, since) == [0, 3, 4, 5]


@pytest.mark.slow
def test_a_reload_shows_the_present_at_once(house: House, new_page: Callable[..., Page]) -> None:
    table = Table(house, new_page())
    table.start()
    table.all_in()
    table.page.reload()
    expect(table.page.locator("[data-stage]")).to_be_visible()
    table.settle()
    assert boards(table.page) == [5]
    assert table.page.evaluate("window.parlourMotion.moved") == []


def test_one_can_act_while_things_move(house: House, new_page: Callable[..., Page]) -> None:
    """The controls come with the turn, the scenes may still run; acting ends them."""
    table = Table(house, new_page(), guests=1)
    table.stop_time()
    table.guests[0].start(table.code)
    if table.guests[0].view(table.code)["legal"]:
        table.guests[0].act(table.code, type="call")
    fold = table.page.locator("[data-action=fold]")
    fold.wait_for()
    table.until("!document.querySelector('[data-action=fold]').disabled")
    assert shown(table.page) != told(table.me.view()), "the deal is not over"
    turn = table.me.view()["turn"]
    goes_on = table.page.locator("[data-action=check], [data-action=call]")
    goes_on.click()
    table.me.turn_passes(turn)
    table.page.clock.resume()
    table.settle()


def test_a_whole_hand_ends_with_what_the_server_says(house: House, new_page: Callable[..., Page]) -> None:
    table = Table(house, new_page(viewport={"width": 360, "height": 740}))
    table.start()
    while (view := table.guests[0].view(table.code))["state"]["result"] is None:
        if view["state"]["actor"] == 0:
            table.mine("check", "call")
        else:
            act_in_turn(table.guests, table.code, "check", "call")
    table.settle()
    moved = table.page.evaluate("[...new Set(window.parlourMotion.moved)].sort()")
    assert moved == ["opacity", "transform"]
    assert table.page.evaluate("window.parlourMotion.arcs()") > 0, "chips travel in an arc"


@pytest.mark.parametrize("how", ["system", "switch"])
def test_nothing_moves_for_who_asks_for_no_motion(house: House, new_page: Callable[..., Page], how: str) -> None:
    table = Table(house, new_page(**({"reduced_motion": "reduce"} if how == "system" else {})))
    if how == "switch":
        table.page.get_by_role("button", name="Menu").click()
        table.page.get_by_role("switch", name="Animations").click()
        table.page.keyboard.press("Escape")
    table.start()
    since = len(story(table.page))
    table.all_in()
    table.settle()
    assert boards(table.page, since) == [0, 5]
    assert story(table.page)[-1]["words"], "the result is said"
    assert table.page.evaluate("window.parlourMotion.moved") == []
    assert table.page.evaluate("document.getAnimations().length") == 0


@pytest.mark.slow
def test_a_window_that_changes_shows_the_present(house: House, new_page: Callable[..., Page]) -> None:
    table = Table(house, new_page())
    table.start()
    since = len(story(table.page))
    table.stop_time()
    table.all_in()
    table.until(f"{BOARD} === 3")
    table.page.set_viewport_size({"width": 740, "height": 360})
    table.settle()
    assert boards(table.page, since) == [0, 3, 5]
