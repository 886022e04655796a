"""Chess in real browsers: a game to mate by dragging, tapping and typing; it survives what a hand survives."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .looks import centre
from .visitors import Visitor, level, until

Visit = Callable[..., Visitor]


def seated(visit: Visit, house: House, **settings: Any) -> tuple[Visitor, Visitor]:
    """White and Black at a started table."""
    host = Guest(house.url, "Host")
    code = host.open_table("chess", **{"side": "white", "untimed": True, **settings})
    white, black = visit("Wanda"), visit("Boris")
    white.sit(f"/t/{code}")
    black.sit(f"/t/{code}")
    host.start(code)
    for visitor in (white, black):
        expect(visitor.page.locator("cg-board piece").first).to_be_visible()
    white.page.locator("[data-player=white].turn").wait_for()
    return white, black


def drag(visitor: Visitor, move: str, black: bool = False) -> None:
    mouse = visitor.page.mouse
    mouse.move(*centre(visitor.page, move[:2], black))
    mouse.down()
    mouse.move(*centre(visitor.page, move[2:4], black), steps=4)
    mouse.up()


def tap(visitor: Visitor, move: str, black: bool = False) -> None:
    visitor.page.mouse.click(*centre(visitor.page, move[:2], black))
    visitor.page.mouse.click(*centre(visitor.page, move[2:4], black))


def type_move(visitor: Visitor, san: str) -> None:
    field = visitor.page.get_by_label("Type a move")
    field.fill(san)
    field.press("Enter")


def played(visitor: Visitor, san: str) -> None:
    expect(visitor.page.locator(".move").last).to_have_text(san)


def test_two_browsers_play_to_mate(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    moves: list[tuple[Visitor, Callable[[], None], str]] = [
        (white, lambda: drag(white, "e2e4"), "e4"),
        (black, lambda: tap(black, "e7e5", black=True), "e5"),
        (white, lambda: type_move(white, "Bc4"), "Bc4"),
        (black, lambda: type_move(black, "b8c6"), "Nc6"),
        (white, lambda: drag(white, "d1h5"), "Qh5"),
        (black, lambda: drag(black, "g8f6", black=True), "Nf6"),
        (white, lambda: tap(white, "h5f7"), "Qxf7#"),
    ]
    for _, make, san in moves:
        make()
        for visitor in (white, black):
            played(visitor, san)
    for visitor in (white, black):
        visitor.expect_text("Wanda wins by checkmate")


def test_a_premove_is_played_when_its_turn_comes_and_only_then(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    drag(black, "e7e5", black=True)
    expect(black.page.locator("cg-board square.current-premove").first).to_be_visible()
    drag(white, "e2e4")
    played(white, "e5")


def test_a_premove_does_not_survive_a_reload(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    drag(black, "e7e5", black=True)
    expect(black.page.locator("cg-board square.current-premove").first).to_be_visible()
    black.page.reload()
    expect(black.page.locator("cg-board piece").first).to_be_visible()
    drag(white, "e2e4")
    played(black, "e4")
    black.page.locator("[data-player=black].turn").wait_for()
    black.expect_view(lambda view: len(view["state"]["moves"]) == 1)


def test_promotion_asks_for_the_piece(visit: Visit, house: House) -> None:
    white, black = seated(visit, house, start_fen="8/P6k/8/8/8/8/7K/8 w - - 0 1")
    drag(white, "a7a8")
    white.page.get_by_role("button", name="knight").click()
    played(black, "a8=N")


@pytest.mark.slow
def test_offers_go_to_the_other_side(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    type_move(white, "e4")
    played(black, "e4")
    type_move(black, "e5")
    played(white, "e5")
    black.press("Takeback")
    expect(black.page.locator(".offers")).to_contain_text("You asked for a takeback")
    expect(white.page.locator(".offers")).to_contain_text("Boris asks for a takeback")
    white.press("Decline takeback")
    expect(black.page.locator(".offers")).to_have_text("Takeback declined")
    expect(black.page.locator(".offers")).to_have_text("Wanda to move")  # after some seconds
    white.press("Draw")
    expect(white.page.locator(".offers")).to_contain_text("You offered a draw")
    expect(white.page.get_by_role("button", name="Draw", exact=True)).to_be_disabled()
    expect(black.page.locator(".offers")).to_contain_text("Wanda offers a draw")
    black.press("Accept draw")
    for visitor in (white, black):
        visitor.expect_text("Draw by agreement")
    black.press("Rematch")
    expect(black.page.get_by_role("button", name="Rematch offered")).to_be_disabled()
    expect(white.page.locator(".board-card")).to_contain_text("Boris wants a rematch")
    white.press("Accept rematch")
    expect(white.page.get_by_text("No moves yet")).to_be_visible()


def test_a_killed_server_loses_no_move(new_page: Callable[..., Page], own_house: House) -> None:
    white, black = seated(lambda name: Visitor(new_page(), own_house.url, name), own_house)
    type_move(white, "d4")
    played(black, "d4")
    own_house.kill()
    expect(black.page.get_by_text("No connection. Trying again")).to_be_visible()
    own_house.start()
    expect(black.page.get_by_text("No connection. Trying again")).to_have_count(0)
    type_move(black, "d5")
    played(white, "d5")
    white.page.reload()
    played(white, "d5")


def test_two_people_share_one_screen(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check()
    ada.press(re.compile("^Same screen"))
    ada.introduce()
    place = ada.page.locator(".offers")
    expect(place).to_have_text("White to move")
    type_move(ada, "e4")
    played(ada, "e4")
    expect(place).to_have_text("Black to move")
    type_move(ada, "e5")
    played(ada, "e5")
    ada.press("Draw")  # it would end the game at once, so it is asked first
    expect(place).to_contain_text("Agree on a draw?")
    ada.press("No")
    expect(place).to_have_text("White to move")
    ada.press("Draw")
    ada.press("Yes, draw")
    ada.expect_text("Draw by agreement")


def test_a_draw_is_claimed_with_the_move_that_would_repeat_the_position(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    for san in ("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"):
        mover = white if white.view()["legal"] else black
        type_move(mover, san)
        played(mover, san)
        level(white, black)
    expect(white.page.get_by_role("button", name="Claim draw")).to_have_count(0)
    black.expect_text("Threefold repetition with Nf6–g8")
    black.press("Claim draw")
    white.expect_text("Draw by threefold repetition")
    assert len(white.view()["state"]["moves"]) == 7, "the move is named, not played"


def test_who_opens_a_table_for_a_friend_has_a_seat_and_the_chosen_colour(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check()
    ada.press("More settings")
    ada.page.get_by_label("First player plays").select_option(label="Black")
    ada.press("Open the table")
    ada.introduce()
    expect(ada.page.get_by_role("button", name="Invite a friend")).to_be_visible()
    boris = Guest(house.url, "Boris")
    boris.sit(ada.code)
    ada.press("Start the game")
    expect(ada.page.locator(".player-bar.bottom")).to_have_attribute("data-player", "black")
    expect(ada.page.locator(".player-bar.bottom")).to_contain_text("Ada")


def test_both_players_see_racing_kings_from_the_side_of_white(visit: Visit, house: House) -> None:
    for visitor in seated(visit, house, variant="racing_kings"):
        expect(visitor.page.locator(".player-bar.bottom")).to_have_attribute("data-player", "white")


def test_the_text_board_names_every_square(visit: Visit, house: House) -> None:
    white, _ = seated(visit, house)
    white.press("Menu")
    white.page.get_by_label("Show the table as text").check()
    white.page.keyboard.press("Escape")
    squares = white.page.locator(".text-board td .visually-hidden")
    expect(squares).to_have_count(64)
    expect(squares.filter(has_text="e4")).to_have_text("e4")


def in_hand(visitor: Visitor, pieces: int) -> None:
    """So many kinds of pieces are in hand, of both sides together."""
    expect(visitor.page.locator(".in-hand")).to_have_count(10)
    expect(visitor.page.locator(".in-hand:not(.none)")).to_have_count(pieces)


def no_engine(visitor: Visitor) -> None:
    """No engine thinks on the page, and there is nothing to start one with."""
    expect(visitor.page.locator(".analysis")).to_have_count(0)
    expect(visitor.page.get_by_role("link", name="Analysis board")).to_have_count(0)
    until(visitor.page, lambda: not visitor.page.workers)


def one_move_each(white: Visitor, black: Visitor) -> None:
    """After that a game can no longer be aborted, only resigned."""
    type_move(white, "e4")
    played(black, "e4")
    type_move(black, "e5")
    played(white, "e5")


def finish(white: Visitor, black: Visitor) -> None:
    """White resigns, and both may go to the analysis board."""
    white.press("Resign")
    white.press("Yes, resign")
    for visitor in (white, black):
        expect(visitor.page.get_by_role("link", name="Analysis board")).to_be_visible()


def test_no_engine_at_the_table_of_a_rematch(visit: Visit, house: House) -> None:
    white, black = seated(visit, house)
    one_move_each(white, black)
    for visitor in (white, black):
        no_engine(visitor)
    finish(white, black)
    black.press("Rematch")
    white.press("Accept rematch")
    for visitor in (white, black):
        no_engine(visitor)
        visitor.page.reload()
        expect(visitor.page.locator("cg-board piece").first).to_be_visible()
        no_engine(visitor)
    watcher = visit("Eve")
    watcher.go(white.page.url.removeprefix(house.url))
    expect(watcher.page.locator("cg-board piece").first).to_be_visible()
    no_engine(watcher)


@pytest.mark.slow
def test_no_engine_in_another_tab_while_a_game_with_a_person_runs(visit: Visit, house: House) -> None:
    white, black = seated(visit, house, untimed=False, minutes=30)
    one_move_each(white, black)
    finish(white, black)
    tab = Visitor(white.page.context.new_page(), house.url, "Wanda")
    tab.go(f"/history/{white.code}/1")
    tab.press("Engine")
    expect(tab.page.locator(".analysis")).to_be_visible()
    black.press("Rematch")
    white.press("Accept rematch")
    expect(tab.page.get_by_text("No engine while you play against somebody.")).to_be_visible()
    expect(tab.page.locator(".analysis")).to_have_count(0)
    until(tab.page, lambda: not tab.page.workers)
    tab.page.reload()
    tab.press("Engine")
    expect(tab.page.get_by_text("No engine while you play against somebody.")).to_be_visible()
    white.press("Abort")
    white.press("Yes, abort")
    expect(tab.page.locator(".analysis")).to_be_visible()


def test_pieces_in_hand_are_shown_and_dropped_by_tapping_and_dragging(visit: Visit, house: House) -> None:
    white, black = seated(visit, house, variant="crazyhouse")
    for visitor, san in ((white, "e4"), (black, "d5"), (white, "exd5"), (black, "Qxd5")):
        type_move(visitor, san)
        for one in (white, black):
            played(one, san)
    pocket = white.page.get_by_role("button", name="pawn × 1")
    expect(pocket).to_have_count(2)
    expect(pocket.and_(white.page.locator(":enabled"))).to_have_count(1)
    white.page.locator(".in-hand:enabled").click()
    white.page.mouse.click(*centre(white.page, "e4"))
    for one in (white, black):
        played(one, "@e4")
    held = black.page.locator(".in-hand:enabled")
    held.hover()
    black.page.mouse.down()
    black.page.mouse.move(*centre(black.page, "e5", black=True), steps=5)
    black.page.mouse.up()
    for one in (white, black):
        played(one, "@e5")
    in_hand(white, 0)
    white.page.get_by_label("Type a move").blur()
    white.page.keyboard.press("Home")
    expect(white.page.locator("cg-board piece.pawn")).to_have_count(16)
    in_hand(white, 0)
    white.page.locator(".move").nth(3).click()
    expect(white.page.locator("cg-board piece.pawn")).to_have_count(14)
    expect(white.page.get_by_role("button", name="pawn × 1")).to_have_count(2)
    expect(white.page.locator(".in-hand:enabled")).to_have_count(0)  # only to look at
    white.page.keyboard.press("End")
    expect(white.page.locator("cg-board piece.pawn")).to_have_count(16)
    code = white.code
    white.press("Resign")
    white.press("Yes, resign")
    expect(white.page.get_by_role("group", name="Boris wins by resignation")).to_be_visible()
    white.go(f"/history/{code}/1")
    in_hand(white, 0)
    # The engine knows neither the pieces in hand nor the aims of other variants.
    expect(white.page.get_by_role("button", name="Engine")).to_have_count(0)
    white.page.locator(".move").nth(2).click()
    expect(white.page.get_by_role("button", name="pawn × 1")).to_have_count(1)
