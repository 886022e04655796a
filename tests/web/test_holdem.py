"""Hold'em in real browsers: a hand to showdown, through reloads, dead networks and a killed server; nothing leaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .visitors import Visitor, level, until, whose_turn

Visit = Callable[..., Visitor]
TO_CALL = re.compile(r"^(Check|Call)")


def seated(visit: Visit, house: House, *names: str, **settings: Any) -> tuple[str, list[Visitor]]:
    """A started table with these people at it."""
    host = Guest(house.url, "Host")
    code = host.open_table("holdem", **{"seats": 4, "action_seconds": 0, "hand_delay": 60, **settings})
    visitors = [visit(name) for name in names]
    for visitor in visitors:
        visitor.sit(f"/t/{code}")
    host.start(code)
    return code, visitors


def play_to_showdown(*visitors: Visitor) -> None:
    """Everybody checks or calls until the cards are on their backs."""
    replay = visitors[0].page.get_by_role("link", name="Replay")

    def seen() -> list[Visitor | str]:
        return ["the end"] if replay.count() else [visitor for visitor in visitors if visitor.on_turn()]

    while isinstance(one := until(visitors[0].page, seen)[0], Visitor):
        turn = one.view()["turn"]
        one.press(TO_CALL)
        one.turn_passes(turn)


def test_two_browsers_play_a_hand_to_showdown_while_a_third_learns_nothing(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.press(re.compile("^No clock"))
    ada.introduce()
    code = ada.code
    watcher = visit()
    watcher.go(f"/t/{code}")
    ada.sit()
    bo = visit("Bo")
    bo.sit(f"/t/{code}")
    ada.press("Start the game")
    whose_turn(ada, bo)
    hidden = {card for visitor in (ada, bo) for card in visitor.cards()}
    assert len(hidden) == 4
    for other, owner in ((ada, bo), (bo, ada), (watcher, ada), (watcher, bo)):
        for card in owner.cards():
            assert not any(f'"{card}"' in frame for frame in other.frames), "a hidden card was sent"
    play_to_showdown(ada, bo)
    for visitor in (ada, bo, watcher):
        visitor.expect_text(re.compile(r"wins \d+"))
    shown = {card for player in watcher.view()["state"]["players"] for card in player["cards"] or []}
    seen = {text for frame in watcher.frames for text in re.findall(r'"([2-9TJQKA][cdhs])"', frame)}
    assert seen & (hidden - shown) == set(), "a mucked card was sent to the watcher"
    assert watcher.view()["private"] is None


def test_a_reload_in_the_middle_of_a_hand_loses_nothing(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    one = whose_turn(ada, bo)
    before = one.view()
    one.page.reload()
    one.expect_turn()
    after = one.view()
    for part in ("private", "legal", "turn", "seq"):
        assert after[part] == before[part]
    play_to_showdown(ada, bo)


def test_an_offline_spell_loses_nothing_and_doubles_nothing(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    cards = second.cards()
    second.page.context.set_offline(True)
    expect(second.page.get_by_text("No connection. Trying again")).to_be_visible()
    first.press(TO_CALL)
    first.expect_no_turn()
    seq = first.view()["seq"]
    second.page.context.set_offline(False)
    second.expect_turn()
    assert second.cards() == cards
    assert second.view()["seq"] == seq
    numbers = [event["seq"] for frame in second.frames for event in json.loads(frame).get("events", [])]
    assert numbers == sorted(set(numbers)), "an event came twice"
    second.page.get_by_role("tab", name="Log").click()
    expect(second.page.locator(".log").get_by_text(re.compile(f"{first.name} (calls|checks)"))).to_have_count(1)
    play_to_showdown(ada, bo)


def test_what_is_pressed_while_offline_counts_only_for_its_own_turn(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    one = whose_turn(ada, bo)
    one.page.context.set_offline(True)
    expect(one.page.get_by_text("No connection. Trying again")).to_be_visible()
    one.press(TO_CALL)
    one.page.context.set_offline(False)
    other = whose_turn(bo if one is ada else ada)
    assert other is not one


def test_a_killed_server_loses_nothing(new_page: Callable[..., Page], own_house: House) -> None:
    def visit(name: str) -> Visitor:
        return Visitor(new_page(service_workers="allow"), own_house.url, name)

    _, (ada, bo) = seated(visit, own_house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press(TO_CALL)
    second.expect_turn()
    level(ada, bo)
    before = {visitor.name: visitor.view() for visitor in (ada, bo)}
    own_house.kill()
    for visitor in (ada, bo):
        expect(visitor.page.get_by_text("No connection. Trying again")).to_be_visible()
    own_house.start()
    for visitor in (ada, bo):
        expect(visitor.page.get_by_text("No connection. Trying again")).to_have_count(0)
        after = visitor.view()
        for part in ("epoch", "turn", "private", "legal"):
            assert after[part] == before[visitor.name][part]
        assert after["state"]["players"] == before[visitor.name]["state"]["players"]
    play_to_showdown(ada, bo)


def test_a_fold_where_checking_is_free_asks_once_more(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press(TO_CALL)
    second.expect_turn()
    second.press("Fold")
    second.expect_turn()
    second.press("Fold anyway?")
    first.expect_text(re.compile(r"wins \d+"))


@pytest.mark.slow
def test_one_who_is_blinded_out_is_dealt_in_shown_as_away_and_may_come_back(visit: Visit, house: House) -> None:
    host, bo, ada = Guest(house.url, "Host"), Guest(house.url, "Bo"), visit("Ada")
    code = host.open_table("holdem", seats=3, action_seconds=0, hand_delay=60, absent="blind_out")
    ada.sit(f"/t/{code}")
    for guest in (host, bo):
        guest.sit(code)
    ada.press("Sit out")
    expect(ada.page.get_by_role("button", name="I’m back")).to_be_visible()
    host.start(code)
    pod = ada.page.get_by_role("listitem", name=re.compile("Ada.*Away"))
    expect(pod).to_be_visible()
    assert ada.cards()
    ada.press("I’m back")
    expect(pod).to_have_count(0)


def test_all_in_asks_once_more_and_so_does_a_call_of_it(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press("All-in")
    first.press("All-in 200")
    first.expect_turn()
    first.press("All-in 200?")
    second.expect_turn()
    second.press("Call 198, all-in")
    second.expect_turn()
    second.press("Call all-in for 198?")
    for visitor in (ada, bo):
        visitor.expect_text(re.compile(r"wins \d+"))


def test_enter_confirms_the_size_that_was_clicked(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press("3 bb")
    expect(first.page.locator(".sizes [aria-pressed=true]")).to_have_text(["3 bb"])
    first.key("Enter")
    second.expect_turn()
    second.expect_view(lambda view: (view["legal"] or {}).get("call") == 4)
    second.press("2.5×")
    expect(second.page.locator(".sizes [aria-pressed=true]")).to_have_text(["2.5×"])
    second.key("Enter")
    first.expect_turn()
    first.expect_view(lambda view: (view["legal"] or {}).get("call") == 9)


@pytest.mark.slow
def test_whoever_sees_big_blinds_types_them_too(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo", small_blind=10, big_blind=20, buy_in=2000, max_buy_in=2000)
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.page.evaluate("() => localStorage.setItem('parlour.inBigBlinds', 'true')")
    first.page.reload()
    first.expect_turn()
    amount = first.page.get_by_label("Bet amount")
    expect(amount).to_have_value("2")
    amount.fill("3,25")
    expect(first.page.get_by_role("button", name="Raise to 3.25 bb")).to_be_visible()
    amount.fill("")
    amount.press_sequentially("2.5")
    expect(amount).to_have_value("2.5")
    first.press("Raise to 2.5 bb")
    second.expect_turn()
    second.expect_view(lambda view: (view["legal"] or {}).get("call") == 50 - 20)


WATCH_THE_BAR = """() => {
  const told = (window.told = { words: false, buttons: [] });
  const bar = document.querySelector(".bar");
  new MutationObserver(() => {
    if (!bar.textContent.includes("Tap to skip")) return;
    told.words = true;
    told.buttons.push(...[...bar.querySelectorAll("button")].map((one) => one.textContent));
  }).observe(bar, { childList: true, subtree: true, characterData: true });
}"""


@pytest.mark.slow
def test_the_bar_tells_nothing_of_the_end_while_an_all_in_is_played_out(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(partial(visit, reduced_motion="no-preference"), house, "Ada", "Bo")
    for one in (ada, bo):
        one.page.evaluate(WATCH_THE_BAR)
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press("All-in")
    first.press("All-in 200")
    first.press("All-in 200?")
    second.expect_turn()
    second.press("Call 198, all-in")
    second.press("Call all-in for 198?")
    for one in (ada, bo):
        expect(one.page.get_by_role("link", name="Replay")).to_be_visible()
    assert [one.page.evaluate("() => window.told") for one in (ada, bo)] == [{"words": True, "buttons": []}] * 2


def test_a_choice_made_ahead_is_void_when_the_price_changes(visit: Visit, house: House) -> None:
    _, visitors = seated(visit, house, "Ada", "Bo", "Cy")
    first = whose_turn(*visitors)
    seat = first.view()["you"]["seats"][0]
    order = sorted(visitors, key=lambda one: (one.view()["you"]["seats"][0] - seat) % 3)
    last = order[2]
    last.press("Check")
    expect(last.page.get_by_role("button", name="Check", exact=True)).to_have_attribute("aria-pressed", "true")
    first.press("3 bb")
    first.press("Raise to 6")
    order[1].expect_turn()
    order[1].press(TO_CALL)
    last.expect_turn()
    level(*visitors)
    assert last.view()["state"]["actor"] == last.view()["you"]["seats"][0]


@pytest.mark.slow
def test_the_table_speaks(visit: Visit, house: House) -> None:
    _, (ada, bo) = seated(visit, house, "Ada", "Bo")
    first = whose_turn(ada, bo)
    second = bo if first is ada else ada
    first.press("3 bb")
    first.press("Raise to 6")
    spoken = second.page.get_by_role("log", name="Announcements")
    expect(spoken).to_contain_text(f"{first.name} raises to 6, 4 to call")
    expect(spoken).to_contain_text("Your turn, 4 to call")
    expect(second.page).to_have_title(re.compile("Your turn"))
    expect(first.page).to_have_title(re.compile(rf"^Hold'em {first.code} · Parlour$"))


def leave_and_return(visitor: Visitor, code: str) -> None:
    """Get up, and open the page of the table again."""
    visitor.press("Menu")
    visitor.press("Leave table")
    visitor.press("Really leave?")
    visitor.page.wait_for_url(re.compile("/$"))
    visitor.go(f"/t/{code}")


def test_one_who_returns_is_told_the_least_to_bring_and_sits_down_with_it(visit: Visit, house: House) -> None:
    code, (ada, bo) = seated(visit, house, "Ada", "Bo", buy_in=300, min_buy_in=100)
    one = whose_turn(ada, bo)
    one.press("Fold")
    one.expect_text(re.compile(r"wins \d+"))
    leave_and_return(one, code)
    expect(
        one.page.get_by_text("You left with 299 chips, so you need at least that many to come back.")
    ).to_be_visible()
    slider = one.page.get_by_role("slider")
    slider.press("Home")
    (left,) = one.view()["state"]["departed"].values()
    one.expect_text(f"Buy in for {left['least']}")
    one.sit()
    assert {row["stack"] for row in one.view()["state"]["players"]} == {left["chips"], 600 - left["chips"]}


def bust_one(*visitors: Visitor) -> Visitor:
    """Both put everything in, hand after hand, until one of them has lost it."""
    act = """([code, body]) => fetch(`/api/v1/tables/${code}/actions`, {method: "POST", body,
        headers: {"Content-Type": "application/json"}}).then((answer) => answer.status)"""

    def busted() -> Visitor | None:
        views = [visitor.view() for visitor in visitors]
        stacks = {row["seat"]: row["stack"] for row in views[0]["state"]["players"]}
        # whoever has taken a seat and is not at the table yet has no stack: the page may be behind the server
        lost = [
            visitor for visitor, view in zip(visitors, views, strict=True) if stacks.get(view["you"]["seats"][0]) == 0
        ]
        if views[0]["state"]["actor"] is None and lost:
            return lost[0]
        for visitor in visitors:
            view = visitor.view()
            if view["legal"] is not None:
                word = "allin" if "allin" in view["legal"]["actions"] else "call"
                body = {"action": {"type": word}, "turn": view["turn"]}
                visitor.page.evaluate(act, [visitor.code, json.dumps(body)])
        return None

    return until(visitors[0].page, busted)


@pytest.mark.slow
def test_without_rebuys_one_returns_with_the_same_stack(visit: Visit, house: House) -> None:
    code, (ada, bo) = seated(visit, house, "Ada", "Bo", rebuy=False)
    one = whose_turn(ada, bo)
    one.press("Fold")
    one.expect_text(re.compile(r"wins \d+"))
    leave_and_return(one, code)
    one.expect_text("You come back with the 199 chips you left with.")
    expect(one.page.get_by_role("slider")).to_have_count(0)
    one.sit()
    assert {row["stack"] for row in one.view()["state"]["players"]} == {199, 201}


@pytest.mark.slow
def test_without_rebuys_one_who_lost_everything_is_told_to_watch(visit: Visit, house: House) -> None:
    code, (ada, bo) = seated(visit, house, "Ada", "Bo", rebuy=False, hand_delay=1)
    lost = bust_one(ada, bo)
    leave_and_return(lost, code)
    lost.expect_text("You are out of chips, and this table has no rebuys. You can watch.")
    expect(lost.page.get_by_role("button", name="Sit down")).to_have_count(0)
