"""What a host may add to a hand of poker, in a browser: runs, two boards, hi-lo, wishes, the dealer's choice."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.tiers import quick_first

from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

from .guests import act_in_turn
from .hands import Told, deck
from .house import House
from .looks import resize
from .playing import act, play, there
from .test_poker_table import SCROLLS, boxes, spot, table_of
from .test_stage import open_page
from .visitors import Visitor

Visit = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}


def cards_of(page: Page, board: int) -> Locator:
    name = f"board-{board}" if board else "board"
    return page.locator(f'[data-spot="{name}"] [data-card]')


@pytest.mark.parametrize("size", quick_first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_all_in_players_are_asked_and_the_board_is_run_twice(visit: Visit, house: House, size: dict[str, int]) -> None:
    visitor = visit("Ada", viewport=size, reduced_motion="reduce")
    code, guests = table_of(house, visitor, 200, run_it=3)
    there(guests, code)
    page = visitor.page
    play(visitor, guests, code, lambda state: "run" in state, "allin", "call")
    question = page.get_by_role("group", name="How many times")
    expect(question.get_by_role("timer")).to_have_text(re.compile(r"\d+ s"))
    expect(question.get_by_role("button")).to_have_text(["Once", "Run it twice", "Three times"])
    assert page.evaluate(SCROLLS) == []
    still = {name: box for name, box in boxes(visitor).items() if name.startswith("seat-") or name in ("felt", "bar")}
    question.get_by_role("button", name="Run it twice").click()
    expect(page.get_by_text("Waiting for Bo")).to_be_visible()
    guests[0].act(code, type="run", times=3)
    expect(page.get_by_role("group", name="Board 1", exact=True).locator("[data-card]")).to_have_count(5)
    expect(cards_of(page, 1)).to_have_count(5)
    state = guests[0].view(code)["state"]
    assert len(state["boards"]) == 2, "the fewest times that somebody names count"
    for index, board in enumerate(state["boards"]):
        assert [card.get_attribute("data-card") for card in cards_of(page, index).all()] == board
    expect(spot(page, "result")).to_contain_text("Board 1")
    expect(spot(page, "result")).to_contain_text("Board 2")
    expect(spot(page, "notes")).to_contain_text("Run 2 times")
    after = boxes(visitor)
    assert {name: after[name] for name in still} == still
    assert page.evaluate(SCROLLS) == []
    visitor.go(f"/history/{code}/1")
    lines = page.get_by_role("list", name="Log")
    expect(lines).to_contain_text("The board is run 2 times")
    lines.get_by_role("button").last.click()
    expect(cards_of(page, 1)).to_have_count(5)


@pytest.mark.parametrize("size", quick_first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_a_bomb_pot_has_two_boards_and_each_pays_its_half(visit: Visit, house: House, size: dict[str, int]) -> None:
    visitor = visit("Ada", viewport=size, reduced_motion="reduce")
    code, guests = table_of(house, visitor, 300, 500, bomb_ante=3, bomb_every=1, double_board="bombs")
    page = visitor.page
    expect(cards_of(page, 0)).to_have_count(3)
    expect(cards_of(page, 1)).to_have_count(3)
    expect(spot(page, "notes")).to_contain_text("Bomb pot, 6 each")
    expect(spot(page, "pot-0")).to_have_attribute("data-amount", "18")
    boards = [page.locator(f'[data-spot="{name}"]').bounding_box() for name in ("board-0", "board-1-0")]
    assert boards[0]
    assert boards[1]
    assert boards[0]["y"] + boards[0]["height"] <= boards[1]["y"] + 1, "the second board lies below the first"
    play(visitor, guests, code, lambda state: state["result"] is not None, "check", "call")
    expect(spot(page, "result")).to_contain_text("Board 1")
    expect(spot(page, "result")).to_contain_text("Board 2")
    parts = guests[0].view(code)["state"]["result"]["pots"][0]["parts"]
    assert [(part["board"], part["amount"]) for part in parts] == [(0, 9), (1, 9)]
    assert page.evaluate(SCROLLS) == []


def test_hi_lo_names_both_halves_and_their_winners(house: House, new_page: Callable[..., Page]) -> None:
    """Eight or better: the aces' full house takes the high half, 7-5-4-2-A the low one."""
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    visitor = open_page(house, page)
    rules = {"seats": 6, "variant": "omaha-hilo", "limit": "pot-limit", "action_seconds": 0, "hand_delay": 60}
    order = deck("AsAdKsKd", "2h5hTcJd", board="Ac 4d 7s Kh 9c")
    trial = Trial(Holdem(), rules, Lots(1, [order]))
    for seat in (0, 1):
        trial.join(seat)
    told = Told(trial, visitor.view())
    page.evaluate("frame => window.parlourFeed(frame)", told.frame(trial.start()))
    while trial.public["result"] is None:
        legal = trial.game.legal(trial.state, trial.actor)
        assert legal is not None
        kind = "check" if "check" in legal["actions"] else "call"
        page.evaluate("frame => window.parlourFeed(frame)", told.frame(trial.act(trial.actor, kind)))
    high, low = trial.public["result"]["pots"][0]["parts"]
    names = {0: "Hero", 1: "Guest 1"}
    result = spot(page, "result")
    expect(result).to_contain_text(f"High: {names[high['winners'][0]]} wins 2, 3 of a kind")
    expect(result).to_contain_text(f"Low: {names[low['winners'][0]]} wins 2, 7-5-4-2-A low")
    assert high["winners"] != low["winners"]
    box, stage = result.bounding_box(), page.locator("[data-stage]").bounding_box()
    assert box
    assert stage
    assert stage["x"] <= box["x"]
    assert box["x"] + box["width"] <= stage["x"] + stage["width"]


def test_one_card_is_shown_and_the_rabbit_hunted(visit: Visit, house: House) -> None:
    visitor = visit("Ada", viewport=PHONE, reduced_motion="reduce")
    code, guests = table_of(house, visitor, 200, rabbit=True)
    page = visitor.page
    own = visitor.cards()
    while guests[0].view(code)["state"]["result"] is None:
        if guests[0].view(code)["state"]["actor"] == 0:
            act(visitor, code, "check", "call")
        else:
            act_in_turn(guests, code, "fold")
    page.get_by_role("button", name=re.compile("^Show only")).first.click()
    expect(page.get_by_role("button", name=re.compile("^Show only"))).to_have_count(1)
    players = {player["seat"]: player for player in guests[0].view(code)["state"]["players"]}
    assert players[0]["cards"] == own[:1]
    page.get_by_role("button", name="Rabbit hunt").click()
    expect(page.locator("[data-rabbit]")).to_have_count(5 - len(guests[0].view(code)["state"]["board"]))
    expect(cards_of(page, 0)).to_have_count(len(guests[0].view(code)["state"]["board"]))


def test_a_straddle_and_a_bomb_pot_are_asked_for(visit: Visit, house: House) -> None:
    visitor = visit("Ada", reduced_motion="reduce")
    code, guests = table_of(house, visitor, 200, 200, straddle="utg", bomb_ante=2, hand_delay=60)
    page = visitor.page
    play(visitor, guests, code, lambda state: state["result"] is not None, "fold", "check")
    for wish, field in (("Straddle", "straddlers"), ("Bomb pot next", "bombs")):
        button = page.get_by_role("button", name=re.compile(f"^{wish}"))
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert guests[0].view(code)["state"]["next"][field] == [0]


def test_the_dealer_chooses_the_game(visit: Visit, house: House) -> None:
    visitor = visit("Ada", viewport=PHONE, reduced_motion="reduce")
    games = [["holdem", "no-limit"], ["omaha", "pot-limit"]]
    code, guests = table_of(house, visitor, 200, choice="dealer", games=games, change_every=1, hand_delay=1)
    there(guests, code)
    page = visitor.page
    question = page.get_by_role("group", name="what do we play")
    expect(spot(page, "notes")).to_contain_text("Hold'em")
    while not question.count():
        state = guests[0].view(code)["state"]
        if state["actor"] == 0:
            act(visitor, code, "fold")
        elif state["actor"] is not None:
            act_in_turn(guests, code, "fold")
        elif state.get("choice", {}).get("seat") == 1:
            guests[0].act(code, type="choose", variant="holdem", limit="no-limit")
        page.wait_for_timeout(50)
    question.get_by_role("button", name="Pot-limit Omaha").click()
    expect(spot(page, "notes")).to_contain_text("Pot-limit Omaha")
    expect(spot(page, "cards-0").locator("[data-card]")).to_have_count(4)


WINDOWS = ((320, 640), (360, 740), (1280, 800), (2560, 1300))
OVERLAPS = """names => {
    const clipped = (one, by) => ({left: Math.max(one.left, by.left), right: Math.min(one.right, by.right),
        top: Math.max(one.top, by.top), bottom: Math.min(one.bottom, by.bottom)});
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.closest('[data-spot=notes]') ? clipped(box(one), box(one.parentElement)) : box(one);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const solid = '[data-spot^=seat-], [data-spot^=cards-] .slot, .community .slot, .replay-last';
    const lying = [...document.querySelectorAll(solid)];
    return [...document.querySelectorAll(names)].flatMap((one) => lying.filter((other) => meet(seen(one), box(other)))
        .map((other) => `${one.textContent} and ${(other.closest('[data-spot]') ?? other).dataset.spot}`));
}"""


LONGEST = """() => document.querySelectorAll('[data-spot=result] p').forEach((line) => {
    line.textContent = 'Board 1: ' + '5 players 1,123 · Ada, Bo and Cy 1,555 · '.repeat(4);
})"""
"""Boards that are split among many, in several pots: chance seldom deals them."""


@pytest.mark.slow
@pytest.mark.parametrize("players", [9, 2, 6])
def test_the_notes_and_the_result_of_three_runs_cover_no_seat_and_no_card(
    house: House, new_page: Callable[..., Page], players: int
) -> None:
    """Whoever sits where, at every size: also where the cards of the seat at the top lie open."""
    page = new_page(viewport=DESKTOP, reduced_motion="reduce")
    visitor = Visitor(page, house.url, "Ada")
    rules = {"run_it": 3, "seats": 9, "bomb_ante": 1, "bomb_every": 1, "seven_deuce": 5, "choice": "rotation"}
    games = [["holdem", "no-limit"], ["omaha5-hilo", "pot-limit"]]
    code, guests = table_of(house, visitor, *[100 + 10 * seat for seat in range(1, players)], games=games, **rules)
    there(guests, code)
    play(visitor, guests, code, lambda state: "run" in state, "allin", "call")
    for guest in guests:
        if "run" in guest.view(code)["you"]["options"]:
            guest.act(code, type="run", times=3)
    page.get_by_role("button", name="Three times").click()
    expect(spot(page, "result")).to_contain_text("Board 3")
    visitor.at_rest()
    page.evaluate(LONGEST)
    found = {}
    for width, height in WINDOWS:
        resize(page, width, height)
        if overlaps := page.evaluate(OVERLAPS, "[data-spot=notes] span, [data-spot=result]"):
            found[width] = overlaps
    assert found == {}
