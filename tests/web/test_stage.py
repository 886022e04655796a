"""The poker table stays where it is, and shows what the server said, whatever happens in a hand."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.thorough import THOROUGH
from tests.tiers import quick_first

from .guests import Guest
from .hands import HERO, Told, a_table, ask, random_hands
from .house import House
from .visitors import Visitor, have_typefaces, until

SIZES = [(320, 640), (360, 740), (740, 360), (1280, 800), (2560, 1300)]
HANDS = 40 * THOROUGH
"""At each size."""
SITUATIONS = 300 * THOROUGH
BATCH = 100
SEATS = 6
PLAYERS = [0, 1, 2, 3, 5]
HERE = Path(__file__).parent


def open_page(house: House, page: Page, *scripts: str) -> Visitor:
    """A table with five people and an empty seat, as one of them sees it."""
    for script in ("feed.js", "stage.js", *scripts):
        page.add_init_script(path=HERE / script)
    code = Guest(house.url, "Host").open_table("holdem", seats=SEATS, action_seconds=0)
    answer = page.context.request.post(
        f"{house.url}/api/v1/identities", data={"name": "Hero"}, headers={"Origin": house.url}
    )
    assert answer.ok
    visitor = Visitor(page, house.url, "Hero")
    answer = page.context.request.post(
        f"{house.url}/api/v1/tables/{code}/seats", data={"seat": HERO}, headers={"Origin": house.url}
    )
    assert answer.ok
    for seat in PLAYERS[1:]:
        Guest(house.url, f"Guest {seat}").sit(code, seat=seat)
    visitor.go(f"/t/{code}")
    page.locator("[data-spot=felt]").wait_for()
    visitor.expect_view(lambda view: view["you"]["seats"] == [HERO])
    return visitor


def shows(page: Page, frame: dict[str, Any]) -> None:
    """Wait until the page, at its own pace, shows a frame and has been drawn."""
    page.wait_for_function(
        "seq => document.querySelector('[data-stage]').dataset.seq === String(seq)", arg=frame["patch"]["seq"]
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def batches(frames: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(itertools.islice(frames, BATCH)):
        yield batch


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_moves_whatever_is_dealt(size: tuple[int, int], house: House, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    visitor = open_page(house, page)
    dice = random.Random(sum(size))
    told = Told(a_table(dice, SEATS, PLAYERS), visitor.view())
    frames = random_hands(told, dice, HANDS)
    page.evaluate("frame => window.parlourFeed(frame)", next(frames))
    page.wait_for_function("() => document.querySelector('[data-spot=button]')")
    have_typefaces(page)
    page.evaluate("() => window.parlourMoved()")
    for batch in batches(frames):
        assert ask(page, "parlourStill", batch) == []
    assert page.evaluate("() => window.parlourMoved()") == [0, []]


@pytest.mark.slow
def test_the_first_hand_shifts_nothing_either(house: House, new_page: Callable[..., Page]) -> None:
    """From the moment that the table is there to the end of a hand, at the pace of the page itself."""
    page = new_page(viewport={"width": 360, "height": 740})
    visitor = open_page(house, page)
    have_typefaces(page)
    page.evaluate("() => window.parlourMoved()")
    dice = random.Random(7)
    told = Told(a_table(dice, SEATS, PLAYERS), visitor.view())
    for frame in random_hands(told, dice, 1):
        page.evaluate("frame => window.parlourFeed(frame)", frame)
        shows(page, frame)
    assert page.evaluate("() => window.parlourMoved()") == [0, []]


@pytest.mark.slow
def test_typefaces_that_come_in_the_middle_of_a_hand_move_nothing(house: House, new_page: Callable[..., Page]) -> None:
    """Figures are as wide before as after, also that in the field for the amount, which stands at its right end."""
    page = new_page(viewport={"width": 360, "height": 740})
    held: list[Route] = []
    page.route("**/assets/fonts-*.css", lambda route: held.append(route))
    visitor = open_page(house, page)
    dice = random.Random(7)
    told = Told(a_table(dice, SEATS, PLAYERS, small_blind=100, big_blind=200), visitor.view())
    for frame in random_hands(told, dice, 1):
        page.evaluate("frame => window.parlourFeed(frame)", frame)
        if "raise" in (frame["patch"]["legal"] or {"actions": []})["actions"]:
            break
    expect(page.locator("input.amount")).to_be_visible()
    shows(page, frame)
    until(page, lambda: held)
    for route in held:
        route.continue_()
    have_typefaces(page)
    assert page.evaluate("() => window.parlourMoved()") == [0, []]


def check(view: dict[str, Any], seen: dict[str, Any]) -> Counter[str]:
    state, players = view["state"], {player["seat"]: player for player in view["state"]["players"]}
    assert seen["actor"] == state["actor"]
    assert seen["button"] == (-1 if state["button"] is None else state["button"])
    assert seen["board"] == state["board"]
    assert {seat: amount for seat, amount, _ in seen["stacks"]} == {seat: one["stack"] for seat, one in players.items()}
    bets = {seat: one["bet"] for seat, one in players.items() if one["bet"]}
    assert {seat: amount for seat, amount, _ in seen["bets"]} == bets
    collected = [pot["amount"] for pot in state["pots"]] or [state["pot"] - sum(bets.values())]
    assert [amount for _, amount, _ in seen["pots"]] == [amount for amount in collected if amount]
    if seen["total"] != -1:
        assert seen["total"] == state["pot"]
    for _, amount, words in [*seen["bets"], *seen["pots"]]:
        assert int(re.sub(r"\D", "", words)) == amount
    hands = {seat: one["cards"] for seat, one in players.items() if one["cards"]}
    if view["private"]:
        hands[HERO] = view["private"]["cards"]
    assert {seat: cards for seat, cards in seen["cards"] if cards} == hands
    hidden = {seat for seat, one in players.items() if one["holds"] and seat not in hands and one["status"] != "folded"}
    assert {seat for seat, cards in seen["cards"] if not cards} == hidden
    assert seen["moving"] == 0
    prices = dict(seen["prices"])
    legal = view["legal"]
    if legal is None:
        assert not prices
    else:
        assert prices.get("call", 0) == legal["call"]
        raises = {"bet", "raise"} & set(legal["actions"])
        offered = {price for action, price in prices.items() if action in ("bet", "raise", "allin")}
        assert offered == ({legal["min"]} if raises else set())
    return Counter(
        {
            "turn": legal is not None,
            "side pots": len(state["pots"]) > 1,
            "result": state["result"] is not None,
            "run-out": state["run_out"] is not None,
            "open hands": len(hands) > 1,
        }
    )


@pytest.mark.parametrize("motion", quick_first(["reduce", "no-preference"]))
def test_what_is_drawn_is_what_the_server_said(motion: str, house: House, new_page: Callable[..., Page]) -> None:
    page = new_page(reduced_motion=motion)
    visitor = open_page(house, page, "quick.js")
    dice = random.Random(20260816)
    told = Told(a_table(dice, SEATS, PLAYERS), visitor.view())
    frames = itertools.islice(random_hands(told, dice, HANDS), SITUATIONS)
    kinds: Counter[str] = Counter()
    count = 0
    for batch in batches(frames):
        for frame, seen in zip(batch, ask(page, "parlourShown", batch), strict=True):
            kinds += check(frame["patch"], seen)
            count += 1
    assert count == SITUATIONS
    assert min(kinds[kind] for kind in ("turn", "side pots", "result", "run-out", "open hands")) >= 10, kinds
