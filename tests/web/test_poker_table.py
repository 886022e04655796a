"""The poker table at a glance: it fills the window, keeps its place, and says what happens at a glance."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.tiers import quick_first

from .guests import Guest, act_in_turn
from .house import House
from .visitors import Visitor

Visit = Callable[..., Visitor]
WINDOWS = ((320, 640), (360, 740), (740, 360), (768, 1024), (1280, 800), (2560, 1300))
FIXED = """() => Object.fromEntries([...document.querySelectorAll(
    '[data-spot=felt], [data-spot^=board-], [data-spot^=seat-], .bar, [data-stage]')].map((one) => {
        const box = one.getBoundingClientRect();
        return [one.dataset.spot ?? one.className, [box.x, box.y, box.width, box.height].map(Math.round)];
    }))"""
SCROLLS = """() => ['scrollHeight > clientHeight', 'scrollWidth > clientWidth'].filter((way) => {
    const root = document.documentElement;
    return way.startsWith('scrollH') ? root.scrollHeight > root.clientHeight : root.scrollWidth > root.clientWidth;
})"""


def spot(page: Page, name: str) -> Locator:
    return page.locator(f"[data-spot={name}]")


def table_of(house: House, visitor: Visitor, *stacks: int, **settings: Any) -> tuple[str, list[Guest]]:
    """A started table: the visitor in seat 0 with 200 chips, guests with these in the next seats."""
    guests = [
        Guest(house.url, name) for name in ("Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jo")[: len(stacks)]
    ]
    given = {"seats": 6, "action_seconds": 0, "hand_delay": 60, "max_buy_in": 100_000, "min_buy_in": 2, **settings}
    code = guests[0].open_table("holdem", **given)
    visitor.sit(f"/t/{code}")
    for guest, chips in zip(guests, stacks, strict=True):
        guest.sit(code, buy_in=chips)
    guests[0].start(code)
    return code, guests


def boxes(visitor: Visitor) -> dict[str, list[int]]:
    found: dict[str, list[int]] = visitor.page.evaluate(FIXED)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: f"{window[0]}x{window[1]}")
def test_nothing_moves_from_the_deal_to_the_result(visit: Visit, house: House, window: tuple[int, int]) -> None:
    width, height = window
    visitor = visit("Ada", viewport={"width": width, "height": height}, reduced_motion="reduce")
    code, guests = table_of(house, visitor, 300, 500, 40)
    expect(spot(visitor.page, "cards-0").locator("[data-card]")).to_have_count(2)
    first = boxes(visitor)
    assert {"felt", "board-0", "board-4", "seat-0", "seat-3", "bar"} <= set(first)
    states = set()
    while (state := guests[0].view(code)["state"])["result"] is None:
        states.add(state["actor"] == 0)
        if state["actor"] == 0:
            visitor.expect_turn()
            assert boxes(visitor) == first
            visitor.key("c")
        else:
            act_in_turn(guests, code, "check", "call")
        assert boxes(visitor) == first
        assert visitor.page.evaluate(SCROLLS) == []
    expect(spot(visitor.page, "result")).to_be_visible()
    assert boxes(visitor) == first
    assert states == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS[:3], ids=lambda window: f"{window[0]}x{window[1]}")
def test_the_result_is_never_cut_off(visit: Visit, house: House, window: tuple[int, int]) -> None:
    width, height = window
    visitor = visit("Ada", viewport={"width": width, "height": height})
    code, guests = table_of(house, visitor, 20, 60, 150)
    while guests[0].view(code)["state"]["result"] is None:
        if guests[0].view(code)["state"]["actor"] == 0:
            visitor.expect_turn()
            visitor.key("f")
        else:
            act_in_turn(guests, code, "allin", "call")
    result = spot(visitor.page, "result")
    expect(result).to_contain_text(re.compile("(wins|split)"))
    visitor.at_rest()
    assert result.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")
    box, room = result.bounding_box(), visitor.page.locator("[data-stage]").bounding_box()
    assert box
    assert room
    assert room["x"] <= box["x"]
    assert box["x"] + box["width"] <= room["x"] + room["width"]
    assert box["y"] + box["height"] <= room["y"] + room["height"]


def test_every_pot_is_told_by_name_with_who_how_much_and_what(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = table_of(house, visitor, 20, 60, 150)
    while (state := guests[0].view(code)["state"])["result"] is None:
        if state["actor"] == 0:
            visitor.expect_turn()
            visitor.key("f")
        else:
            act_in_turn(guests, code, "allin", "call")
    expect(spot(visitor.page, "result")).to_be_visible()
    visitor.at_rest()
    view = visitor.view()
    pots = view["state"]["result"]["pots"]
    assert len(pots) > 1
    names = {seat["seat"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}
    groups: dict[tuple[int, ...], int] = {}
    for pot in pots:
        groups[tuple(pot["winners"])] = groups.get(tuple(pot["winners"]), 0) + pot["amount"]
    # The pots are paid one after another.
    for amount in groups.values():
        expect(spot(visitor.page, "result")).to_contain_text(str(amount))
    told = spot(visitor.page, "result").inner_text()
    for pot in pots:
        for winner in pot["winners"]:
            assert names[winner] in told
    if len(groups) > 1:
        assert "Main pot" in told
        assert ("Side pot" if len(pots) == 2 else "Side pot 1") in told or "Side pots 1" in told
    for seat, amount in view["state"]["result"]["payouts"].items():
        if amount:
            expect(spot(visitor.page, f"badge-{seat}")).to_have_text(f"+{amount}")


@pytest.mark.slow
def test_all_in_folded_and_last_actions_are_at_the_seats(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = table_of(house, visitor, 300, 500, 40)
    page = visitor.page
    state = guests[0].view(code)["state"]
    expect(spot(page, f"badge-{state['small_blind']}")).to_have_text("Small blind")
    expect(spot(page, f"badge-{state['big_blind']}")).to_have_text("Big blind")
    done: dict[int, str] = {}
    wishes = iter(("allin", "fold"))
    while len(done) < 2:
        actor = guests[0].view(code)["state"]["actor"]
        if actor == 0:
            visitor.expect_turn()
            visitor.key("f")
            continue
        wish = next(wishes)
        act_in_turn(guests, code, wish)
        done[actor] = wish
    for seat, wish in done.items():
        if wish == "allin":
            expect(spot(page, f"stack-{seat}")).to_have_text("All-in")
            expect(spot(page, f"stack-{seat}")).to_have_attribute("data-amount", "0")
        else:
            expect(spot(page, f"badge-{seat}")).to_have_text("Fold")
            expect(spot(page, f"cards-{seat}")).to_have_count(0)


def test_a_plus_takes_exactly_that_seat(visit: Visit, house: House) -> None:
    host = Guest(house.url, "Host")
    code = host.open_table("holdem", seats=6, action_seconds=0, buy_in=200)
    host.sit(code)
    visitor = visit("Ada")
    visitor.go(f"/t/{code}")
    visitor.press("Take seat 5")
    dialog = visitor.page.get_by_role("dialog", name="Take seat 5")
    dialog.get_by_label("Your name").fill("Ada")
    dialog.get_by_role("button", name="Sit down").click()
    expect(spot(visitor.page, "seat-4")).to_contain_text("Ada")
    visitor.expect_view(lambda view: view["you"]["seats"] == [4])
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
    spot(visitor.page, "free-2").click()  # one who has a seat brings somebody else
    expect(visitor.page.get_by_role("img", name="QR code")).to_be_visible()


LOOK = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const style = (name) => getComputedStyle(document.querySelector(name));
    const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((part, at) => part * a + below[at] * (1 - a));
    const contrast = (ink, plate) => {
        const [a, b] = [light(rgb(style(ink).color)), light(over(rgb(style(plate).backgroundColor), [255, 255, 255]))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const bottoms = [...document.querySelectorAll('.hand.own .card')].map((one) => one.getBoundingClientRect().bottom);
    const filled = (name) => (rgb(style(name).backgroundColor)[3] ?? 1) > 0;
    return {
        rail: parseFloat(style('.rail').paddingLeft),
        board: document.querySelector('[data-spot=board-0]').offsetWidth,
        own: document.querySelector('.hand.own .slot').offsetWidth,
        feet: box('.seat.own').top - Math.max(...bottoms),
        chip: box('.bet .chips').width,
        figure: parseFloat(style('.total b').fontSize),
        name: contrast('.seat.own .name', '.seat.own .plate-back'),
        stack: contrast('.seat.own .stack', '.seat.own .plate-back'),
        call: style('[data-action=call]').backgroundColor === style('[data-action=raise]').backgroundColor,
        fold: filled('[data-action=fold]') || rgb(style('[data-action=fold]').borderTopColor)[3] !== 0,
        raise: filled('[data-action=raise]'),
    };
}"""


@pytest.mark.parametrize("scheme", quick_first(["light", "dark"]))
def test_the_table_has_depth_and_one_thing_to_press(visit: Visit, house: House, scheme: str) -> None:
    """At 1280 px: a padded rail, large cards and chips, plates dark in every theme; only a raise is filled."""
    visitor = visit("Ada", color_scheme=scheme, reduced_motion="reduce")
    code, guests = table_of(house, visitor, 300)
    if guests[0].view(code)["state"]["actor"] != 0:
        guests[0].act(code, type="raise", amount=6)
    visitor.expect_turn()
    visitor.at_rest()
    look = visitor.page.evaluate(LOOK)
    assert 26 <= look["rail"] <= 34
    assert look["board"] >= 77
    assert look["own"] >= 92
    assert look["feet"] >= 0
    assert look["chip"] >= 42
    assert look["figure"] >= 24
    assert min(look["name"], look["stack"]) >= 4.5
    assert (look["fold"], look["call"], look["raise"]) == (False, False, True)
    call = visitor.page.locator("[data-action=call]")
    before = call.evaluate("one => getComputedStyle(one).borderColor")
    call.hover()
    assert call.evaluate("one => getComputedStyle(one).borderColor") == before
    # A key or the wheel over the sizes changes the amount by a small blind.
    least = visitor.view()["legal"]["min"]
    raising = visitor.page.locator("[data-action=raise]")
    visitor.page.keyboard.press("ArrowUp")
    expect(raising).to_have_attribute("data-price", str(least + 1))
    visitor.page.locator(".sizes").hover()
    visitor.page.mouse.wheel(0, 100)
    expect(raising).to_have_attribute("data-price", str(least))


def test_pot_odds_are_shown_to_those_who_ask(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = table_of(house, visitor, 300)
    if guests[0].view(code)["state"]["actor"] != 0:
        guests[0].act(code, type="raise", amount=6)
    visitor.expect_turn()
    legal = visitor.view()["legal"]
    call = visitor.page.locator("[data-action=call]")
    expect(call).to_have_text(f"Call {legal['call']}")
    visitor.press("Menu")
    visitor.page.get_by_label("Show pot odds").check()
    visitor.press("Close")
    ratio, percent = legal["pot"] / legal["call"], 100 * legal["call"] / (legal["pot"] + legal["call"])
    expect(call.locator("small")).to_have_text(f"Pot odds {ratio:.1f} : 1 · {percent:.0f} %")


@pytest.mark.slow
def test_words_appear_at_the_seat_and_are_counted_until_read(visit: Visit, house: House) -> None:
    ada = visit("Ada", viewport={"width": 360, "height": 740})
    code, (bo, _) = table_of(house, ada, 300, 300)
    page = ada.page
    bo.post(f"/tables/{code}/chat", {"text": "Good evening!"})
    expect(spot(page, "seat-1").locator(".bubble")).to_have_text("Good evening!")
    expect(page.get_by_role("button", name=re.compile("1 unread"))).to_be_visible()
    expect(spot(page, "seat-1").locator(".bubble")).to_have_count(0)  # it goes by itself
    page.get_by_role("button", name=re.compile("1 unread")).click()
    expect(page.locator(".chat-lines")).to_contain_text("Good evening!")
    ada.press("Close")
    expect(page.get_by_role("button", name=re.compile("unread"))).to_have_count(0)
    ada.press("React")
    ada.press("Nice hand")
    expect(spot(page, "seat-0").locator(".bubble")).to_have_text("Nice hand")
    assert [line["text"] for line in bo.view(code)["chat"]] == ["Good evening!", "Nice hand"]
    bo.post(f"/tables/{code}/host/mute", {"player": ada.view()["you"]["id"]})
    expect(page.get_by_role("button", name="React")).to_have_count(0)


@pytest.mark.slow
def test_a_ring_of_time_and_the_last_seconds_in_figures(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    code, guests = table_of(house, visitor, 300, action_seconds=11, time_bank=0)
    actor = guests[0].view(code)["state"]["actor"]
    seat = spot(visitor.page, f"seat-{actor}")
    expect(seat.locator(".ring")).to_have_count(1)
    expect(seat.locator(".seconds")).to_have_text(re.compile(r"^([1-9]|10)$"))
    expect(visitor.page.locator(".ring")).to_have_count(1)
