"""The chess board as a stage: it stays where it is, says what waits for an answer, and looks as one chose."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import chess
import pytest
from playwright.sync_api import Page, expect
from tests.tiers import quick_first

from .guests import Guest
from .house import House
from .looks import centre
from .test_chess import played, seated, type_move
from .visitors import Visitor, have_typefaces, until

Visit = Callable[..., Visitor]

SIZES = ((320, 640), (360, 740), (740, 360), (768, 1024), (1280, 800), (2560, 1300))
SPOTS = """(names) => Object.fromEntries(
    names.map((name) => {
        const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
        return [name, [x, y, width, height].map(Math.round)];
    }))"""
DRAWN = "(pieces) => Object.fromEntries(pieces.map((piece) => [piece.cgKey, piece.cgPiece]))"
NAMES = [
    "[data-spot=board]",
    "cg-board",
    "[data-player=white]",
    "[data-player=black]",
    ".tools",
    ".typed",
    ".beside-board",
]
FITS = """() => document.documentElement.scrollWidth <= innerWidth
    && document.documentElement.scrollHeight <= innerHeight"""
MOTION = """() => {
    window.moving = 0;
    new MutationObserver((changes) => {
        for (const { target } of changes) if (target.classList.contains('anim')) window.moving++;
    }).observe(document.querySelector('cg-board'), { subtree: true, attributeFilter: ['class'] });
}"""
SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            if (entry.hadRecentInput) continue;
            window.shifts.push(...entry.sources.map(({ node }) => node?.outerHTML ?? node?.textContent ?? 'gone'));
        }
    }).observe({ type: 'layout-shift', buffered: false });
}"""


def against_guest(
    visit: Visit, house: House, *, size: tuple[int, int] = (1280, 800), **settings: Any
) -> tuple[Visitor, Guest, str]:
    """A browser with White against somebody over the API, who is at the table."""
    boris = Guest(house.url, "Boris")
    code = boris.open_table("chess", **{"side": "black", **settings})
    boris.sit(code)
    boris.attend(code)
    wanda = visit("Wanda", viewport={"width": size[0], "height": size[1]})
    wanda.sit(f"/t/{code}")
    boris.start(code)
    wanda.page.locator("[data-player=white].turn").wait_for()
    return wanda, boris, code


def both_move(wanda: Visitor, boris: Guest, code: str, *moves: str) -> None:
    """White by typing, Black over the API."""
    for number, uci in enumerate(moves, start=len(wanda.view()["state"]["moves"])):
        if number % 2:
            boris.act(code, type="move", uci=uci)
        else:
            type_move(wanda, uci)
        expect(wanda.page.locator("button.move")).to_have_count(number + 1)


@pytest.mark.parametrize("size", quick_first(SIZES), ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_board_stays_where_it_is_through_a_whole_game(visit: Visit, house: House, size: tuple[int, int]) -> None:
    """Moves, offers, questions, answers and the end: nothing moves, and the page never scrolls."""
    wanda, boris, code = against_guest(visit, house, size=size, minutes=30)
    page = wanda.page
    have_typefaces(page)
    page.evaluate(SHIFTS)
    at_first = page.evaluate(SPOTS, NAMES)
    x, y, width, height = at_first["cg-board"]
    assert width == height >= 280
    assert 0 <= x <= size[0] - width
    assert 0 <= y <= size[1] - height

    def still() -> None:
        assert page.evaluate(SPOTS, NAMES) == at_first
        assert page.evaluate(FITS)

    both_move(wanda, boris, code, "e2e4", "d7d5", "e4d5", "d8d5")
    still()
    boris.act(code, type="offer_takeback")
    expect(page.get_by_role("button", name="Accept takeback")).to_be_in_viewport(ratio=1)
    still()
    wanda.press("Decline takeback")
    wanda.press("Draw")
    expect(page.locator(".offers")).to_contain_text("You offered a draw")
    still()
    boris.act(code, type="decline_draw")
    boris.act(code, type="offer_draw")
    expect(page.get_by_role("button", name="Accept draw")).to_be_in_viewport(ratio=1)
    still()
    both_move(wanda, boris, code, "b1c3", "d5a5")
    wanda.press("Resign")
    expect(page.get_by_role("button", name="Yes, resign")).to_be_in_viewport(ratio=1)
    still()
    wanda.press("Yes, resign")
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    still()
    wanda.press("Close")
    still()
    assert page.evaluate("() => window.shifts") == []


def test_what_is_drawn_is_what_the_server_said(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, untimed=True, start_fen="4k3/P6p/8/4Pp2/8/8/8/R3K2R w KQ f6 0 2")
    board = wanda.page.locator("[data-spot=board]")
    for move in ("e5f6", "h7h5", "e1g1", "h5h4", "a7a8q"):
        both_move(wanda, boris, code, move)
        fen = boris.view(code)["state"]["fen"]
        expect(board).to_have_attribute("data-fen", fen.split(" ")[0])
        expect(board).to_have_attribute("data-turn", "white" if fen.split(" ")[1] == "w" else "black")
        expect_drawn(wanda.page, pieces(fen))
    expect(wanda.page.locator("[data-clock]")).to_have_count(0)


def expect_drawn(page: Page, expected: dict[str, str]) -> None:
    """The board is drawn in the next frame."""
    until(page, lambda: page.locator("cg-board piece").evaluate_all(DRAWN) == expected)


def pieces(fen: str) -> dict[str, str]:
    board = chess.Board(fen)
    return {
        chess.square_name(square): f"{'white' if piece.color else 'black'} {chess.piece_name(piece.piece_type)}"
        for square, piece in board.piece_map().items()
    }


def test_the_end_names_the_winner_and_offers_a_rematch_first(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30)
    both_move(wanda, boris, code, "f2f3", "e7e5", "g2g4", "d8h4")
    card = wanda.page.get_by_role("group", name="Boris wins by checkmate")
    expect(card).to_contain_text("0–1")
    expect(card.locator(".button").first).to_have_text("Rematch")
    expect(wanda.page.locator(".offers")).to_have_text("0–1 · Boris wins by checkmate")
    expect(card.get_by_role("link", name="New game")).to_have_attribute("href", "/")
    wanda.page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    wanda.press("Rematch")
    boris.act(code, type="accept_rematch")
    expect(wanda.page.locator("[data-player=white].turn")).to_contain_text("Boris")


def test_a_game_is_aborted_before_it_has_begun_and_resigned_after(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=30)
    expect(wanda.page.get_by_role("button", name="Resign")).to_have_count(0)
    wanda.press("Abort")
    wanda.press("No")
    expect(wanda.page.get_by_role("button", name="Yes, abort")).to_have_count(0)
    wanda.press("Abort")
    wanda.press("Yes, abort")
    expect(wanda.page.get_by_role("group", name="Game aborted")).to_be_visible()


def test_a_draw_is_claimed_by_threefold_repetition(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30)
    both_move(wanda, boris, code, *("g1f3", "g8f6", "f3g1", "f6g8") * 2)
    expect(wanda.page.locator(".offers")).to_contain_text("Threefold repetition")
    wanda.press("Claim draw")
    wanda.expect_text("Draw by threefold repetition")


def test_promotion_is_asked_on_the_file_and_can_be_left(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=30, start_fen="8/5P1k/8/8/8/8/7K/8 w - - 0 1")
    page = wanda.page
    for square in ("f7", "f8"):
        page.mouse.click(*centre(page, square))
    queen = page.get_by_role("button", name="queen")
    expect(queen).to_be_focused()
    box = queen.bounding_box()
    assert box
    assert abs(box["x"] + box["width"] / 2 - centre(page, "f8")[0]) < 2
    page.keyboard.press("Escape")
    expect(queen).to_have_count(0)
    expect(page.locator("[data-spot=board]")).to_have_attribute("data-fen", "8/5P1k/8/8/8/8/7K/8")
    for square in ("f7", "f8"):
        page.mouse.click(*centre(page, square))
    expect(queen).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    played(wanda, "f8=N+")


def test_arrows_and_circles_are_drawn_by_mouse_and_by_finger_and_go_with_the_position(
    visit: Visit, house: House
) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30)
    page = wanda.page
    shapes = page.locator(".cg-shapes > g > *")

    def stroke(start: str, end: str, button: Any = "left") -> None:
        page.mouse.move(*centre(page, start))
        page.mouse.down(button=button)
        page.mouse.move(*centre(page, end), steps=3)
        page.mouse.up(button=button)

    stroke("e2", "e4", "right")
    stroke("d4", "d4", "right")
    expect(shapes).to_have_count(2)
    wanda.press("Arrows")
    stroke("g1", "f3")
    expect(shapes).to_have_count(3)
    stroke("g1", "f3")
    expect(shapes).to_have_count(2)
    assert wanda.view()["state"]["moves"] == []
    wanda.press("Arrows")
    both_move(wanda, boris, code, "e2e4")
    expect(shapes).to_have_count(0)


def test_board_and_pieces_are_chosen_in_the_menu_and_kept(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=30)
    page = wanda.page
    board, king = page.locator("[data-spot=board]"), page.locator("cg-board piece.white.king")
    picture = "king => getComputedStyle(king).backgroundImage"
    own = king.evaluate(picture)
    assert own.startswith('url("data:image/svg+xml')
    wanda.press("Menu")
    page.get_by_role("radio", name="Sea").check()
    page.get_by_role("radio", name="Classic").check()
    wanda.press("Close")
    expect(board).to_have_class(re.compile("board-sea"))
    expect(king).not_to_have_css("background-image", own)
    page.reload()
    expect(board).to_have_class(re.compile("board-sea"))
    expect(king).not_to_have_css("background-image", own)
    wanda.go("/me")
    expect(page.get_by_role("radio", name="Sea")).to_be_checked()
    expect(page.get_by_role("radio", name="Classic")).to_be_checked()
    expect(page.get_by_role("group", name="Chess board").get_by_role("radio")).to_have_count(5)


def test_a_clock_that_runs_low_shows_tenths_in_another_colour(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=60, increment=0)
    clock = wanda.page.locator("[data-clock=white]")
    black = wanda.page.locator("[data-clock=black]")
    wanda.page.clock.install()
    wanda.page.clock.fast_forward(int(clock.get_attribute("data-ms") or "") - 9_000)
    expect(clock).to_have_class(re.compile("running low"))
    expect(clock).to_have_text(re.compile(r"^0:0\d\.\d$"))
    expect(black).to_have_text("1:00:00")
    expect(black).not_to_have_class(re.compile("low"))


@pytest.mark.slow
def test_a_clock_that_has_run_down_stands_at_zero(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=0.25, increment=0)
    wanda.expect_text("Boris wins on time")
    expect(wanda.page.locator("[data-clock=white]")).to_have_attribute("data-ms", "0")


def test_a_correspondence_clock_counts_days(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, days=3)
    expect(wanda.page.locator("[data-clock=black]")).to_have_text("3 days")
    expect(wanda.page.locator("[data-clock=white]")).to_have_text("2 d 23 h")


def test_the_board_is_flipped_by_a_button_and_a_key(visit: Visit, house: House) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=30)
    page = wanda.page
    assert player_on_top(page) == "black"
    wanda.press("Flip")
    page.locator(".player-bar.top[data-player=white]").wait_for()
    page.keyboard.press("f")
    page.locator(".player-bar.top[data-player=black]").wait_for()
    page.get_by_label("Type a move").press("f")
    assert player_on_top(page) == "black"


def test_two_keys_at_once_flip_the_board_twice(visit: Visit, house: House) -> None:
    """The second comes before the page has been drawn again, as on a busy machine."""
    wanda, _, _ = against_guest(visit, house, minutes=30)
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }))"
    wanda.page.evaluate(f"() => {{ {press}; {press}; {press}; }}")
    expect(wanda.page.locator(".player-bar.top[data-player=white]")).to_be_visible()
    wanda.page.evaluate(f"() => {{ {press}; {press}; }}")
    wanda.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert player_on_top(wanda.page) == "white"


def player_on_top(page: Page) -> str | None:
    return page.locator(".player-bar.top").get_attribute("data-player")


def test_a_move_typed_early_is_played_on_its_turn(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30)
    both_move(wanda, boris, code, "e2e4")
    type_move(wanda, "Nf3")
    expect(wanda.page.get_by_label("Type a move")).to_have_value("Nf3")
    boris.act(code, type="move", uci="e7e5")
    played(wanda, "Nf3")
    expect(wanda.page.get_by_label("Type a move")).to_have_value("")


def test_a_premoved_pawn_becomes_a_queen(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30, start_fen="8/5P2/7k/8/8/7p/8/K7 w - - 0 1")
    page = wanda.page
    both_move(wanda, boris, code, "a1b1")
    for square in ("f7", "f8"):
        page.mouse.click(*centre(page, square))
    expect(page.locator("cg-board square.current-premove").first).to_be_visible()
    boris.act(code, type="move", uci="h3h2")
    played(wanda, "f8=Q+")


def test_captured_pieces_and_the_difference_stand_at_the_players(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30)
    both_move(wanda, boris, code, "e2e4", "d7d5", "e4d5", "c7c6", "d5c6")
    mine = wanda.page.locator("[data-player=white] .taken")
    expect(mine).to_have_attribute("aria-label", "Captured pieces: 2, +2")
    expect(mine.locator(".piece-art.black.pawn")).to_have_count(2)
    expect(wanda.page.locator("[data-player=black] .taken")).to_have_attribute("aria-label", "Captured pieces: 0")


def test_a_promoted_pawn_is_not_captured(visit: Visit, house: House) -> None:
    start = "8/5P2/7k/8/8/7p/8/K7 w - - 0 1"
    wanda, boris, code = against_guest(visit, house, minutes=30, start_fen=start)
    both_move(wanda, boris, code, "f7f8q")
    played(wanda, "f8=Q+")
    expect(wanda.page.locator("[data-player=black] .taken")).to_have_attribute("aria-label", "Captured pieces: 0")


def test_three_check_counts_the_checks(visit: Visit, house: House) -> None:
    wanda, boris, code = against_guest(visit, house, minutes=30, variant="three_check")
    both_move(wanda, boris, code, "e2e4", "e7e5", "f1c4", "b8c6", "c4f7", "e8f7")
    expect(wanda.page.get_by_role("img", name="1 of 3 checks given")).to_be_visible()
    both_move(wanda, boris, code, "d1h5", "g7g6", "h5g6")
    expect(wanda.page.get_by_role("img", name="3 of 3 checks given")).to_be_visible()
    wanda.expect_text("Wanda wins with three checks")


@pytest.mark.parametrize(("variant", "zone"), [("king_of_the_hill", "zone-hill"), ("racing_kings", "zone-race")])
def test_the_squares_of_a_variant_are_marked(visit: Visit, house: House, variant: str, zone: str) -> None:
    wanda, _, _ = against_guest(visit, house, minutes=30, variant=variant)
    expect(wanda.page.locator("[data-spot=board]")).to_have_class(re.compile(zone))


def test_a_watcher_sees_the_game_and_cannot_touch_it(visit: Visit, house: House) -> None:
    white, _ = seated(visit, house)
    eve = visit("Eve")
    eve.go(white.page.url.removeprefix(house.url))
    expect(eve.page.locator("cg-board piece").first).to_be_visible()
    expect(eve.page.get_by_role("button", name="Flip")).to_be_visible()
    for name in ("Draw", "Takeback", "Abort", "Sit down"):
        expect(eve.page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(eve.page.get_by_label("Type a move")).to_have_count(0)
    expect(eve.page.locator(".offers")).to_have_text("Wanda to move")


def test_with_reduced_motion_nothing_moves(visit: Visit, house: House) -> None:
    boris = Guest(house.url, "Boris")
    code = boris.open_table("chess", side="black", minutes=30)
    boris.sit(code)
    wanda = visit("Wanda", reduced_motion="reduce")
    wanda.sit(f"/t/{code}")
    boris.start(code)
    wanda.page.locator("[data-player=white].turn").wait_for()
    wanda.page.evaluate(MOTION)
    both_move(wanda, boris, code, "e2e4", "e7e5", "g1f3", "b8c6")
    assert wanda.page.evaluate("() => [window.moving, document.getAnimations().length]") == [0, 0]


def test_chess_against_the_house_with_level_clock_and_colour_in_three_taps(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check()
    styles: list[Any] = []
    ada.page.on("request", lambda request: styles.append(request.post_data_json) if "add_bot" in request.url else None)
    ada.page.get_by_role("radio", name="6", exact=True).check()
    ada.expect_text("Plays like somebody rated about 2,500")
    ada.page.get_by_role("radio", name="3 + 2").check()
    ada.press("Black")
    ada.introduce()
    expect(ada.page.locator(".player-bar.bottom[data-player=black]")).to_contain_text("Ada")
    expect(ada.page.locator("[data-clock]")).to_have_count(2)
    assert (ada.view()["settings"]["minutes"], ada.view()["settings"]["increment"]) == (3, 2)
    assert [style["style"] for style in styles] == ["level6"]
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check()
    for name in ("6", "3 + 2"):
        expect(ada.page.get_by_role("radio", name=name, exact=True)).to_be_checked()
