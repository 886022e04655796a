"""The analysis board, the board editor and the list of correspondence games, in real browsers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import chess
import chess.pgn
import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .looks import centre, check_page, resize
from .visitors import Visitor, until

Visit = Callable[..., Visitor]

BRANCHED = (
    "1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. Bb5 $1 {Rossolimo} g6) 3. d4) 2. Nf3 Nc6 3. Bb5 a6 {Morphy's move} "
    "4. Ba4 (4. Bxc6 dxc6 5. O-O) 4... Nf6 *"
)


def place(page: Page) -> dict[str, float]:
    """Where the board is on the page, however far that is scrolled."""
    told: dict[str, float] = page.locator("cg-board").evaluate(
        "(board) => { const { x, y, width } = board.getBoundingClientRect();"
        "return { x: x + scrollX, y: y + scrollY, width }; }"
    )
    return told


def drag(page: Page, move: str, black: bool = False) -> None:
    page.mouse.move(*centre(page, move[:2], black))
    page.mouse.down()
    page.mouse.move(*centre(page, move[2:4], black), steps=4)
    page.mouse.up()


def tap(page: Page, *squares: str) -> None:
    for square in squares:
        page.mouse.click(*centre(page, square))


def type_move(page: Page, san: str) -> None:
    field = page.get_by_label("Type a move")
    field.fill(san)
    field.press("Enter")


def moves(page: Page) -> list[str]:
    return page.locator(".move").all_text_contents()


def current(page: Page, san: str) -> None:
    expect(page.locator(".move[aria-current]")).to_have_text(san)


def fen(page: Page) -> str:
    """The position on the board, as the page would copy it."""
    return page.locator("input.fen").input_value()


def analysis(visitor: Visitor, **query: str) -> Page:
    visitor.go(f"/analysis?{urlencode(query, quote_via=quote)}" if query else "/analysis")
    expect(visitor.page.locator("cg-board piece").first).to_be_visible()
    return visitor.page


def finished_game(house: House, *ucis: str, **settings: Any) -> tuple[str, Guest]:
    """A table whose first game has been played and resigned by White."""
    white, black = Guest(house.url, "Wanda"), Guest(house.url, "Boris")
    code = white.open_table("chess", side="white", untimed=True, **settings)
    white.sit(code)
    black.sit(code)
    white.start(code)
    for number, uci in enumerate(ucis):
        (white, black)[number % 2].act(code, type="move", uci=uci)
    white.post(f"/tables/{code}/actions", {"action": {"type": "resign"}})
    return code, white


def test_moves_that_are_tried_become_variations(visit: Visit) -> None:
    page = analysis(visit())
    drag(page, "e2e4")
    current(page, "e4")
    tap(page, "e7", "e5")
    current(page, "e5")
    type_move(page, "Nf3")
    current(page, "Nf3")
    # The field is empty, so that arrow keys walk through the moves.
    page.keyboard.press("ArrowLeft")
    current(page, "e5")
    page.keyboard.press("ArrowLeft")
    current(page, "e4")
    type_move(page, "c5")
    current(page, "c5")
    variation = page.get_by_role("group", name="Variation").filter(has_text="c5")
    expect(variation).to_have_text("(1...c5)")
    type_move(page, "Nc3")
    assert moves(page) == ["e4", "e5", "c5", "Nc3", "Nf3"]
    page.get_by_role("button", name="Promote variation").click()
    expect(page.locator(".move").nth(1)).to_have_text("c5")
    assert moves(page) == ["e4", "c5", "e5", "Nf3", "Nc3"]
    expect(page.get_by_role("button", name="Promote variation")).to_be_disabled()
    # Up and down lead from one variation to the other.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    current(page, "e5")
    page.reload()
    expect(page.locator(".move").first).to_be_visible()
    assert moves(page) == ["e4", "c5", "e5", "Nf3", "Nc3"]
    page.get_by_role("button", name="pawn e5").or_(page.get_by_role("button", name="e5", exact=True)).click()
    page.get_by_role("button", name="Delete from here").click()
    current(page, "e4")
    assert moves(page) == ["e4", "c5", "Nc3"]
    expect(page.get_by_role("group", name="Variation").filter(has_text="e5")).to_have_count(0)


@pytest.mark.slow
def test_the_moves_stand_in_two_columns_or_in_one_line(visit: Visit) -> None:
    page = analysis(visit(), moves="e2e4,e7e5,g1f3,b8c6,f1b5,a7a6")

    def tops() -> list[int]:
        return [round(box["y"]) for one in page.locator(".move").all() if (box := one.bounding_box())]

    def in_columns() -> bool:
        rows = tops()
        return len(rows) == 6 and rows[::2] == rows[1::2] == sorted(set(rows))

    until(page, in_columns)
    resize(page, 360, 740)
    until(page, lambda: len(set(tops())) == 1)
    # The current move is in view, whichever it is.
    for key, san in (("End", "a6"), ("Home", None), ("ArrowRight", "e4")):
        page.keyboard.press(key)
        if san:
            current(page, san)
            inside = page.evaluate(
                "() => { const list = document.querySelector('.move-list').getBoundingClientRect();"
                "const box = document.querySelector('.move[aria-current]').getBoundingClientRect();"
                "return box.left >= list.left && box.right <= list.right; }"
            )
            assert inside


@pytest.mark.slow
def test_the_board_stays_where_it_is(visit: Visit) -> None:
    for size in ({"width": 360, "height": 740}, {"width": 1280, "height": 800}):
        page = analysis(visit(viewport=size))
        before = place(page)
        type_move(page, "e4")
        type_move(page, "e5")
        page.keyboard.press("ArrowLeft")
        type_move(page, "c5")
        current(page, "c5")
        page.get_by_role("button", name="Engine").click()
        expect(page.locator(".engine-line .score").first).not_to_be_empty()
        assert place(page) == before


@pytest.mark.slow
def test_the_engine_answers_in_san_with_as_many_lines_as_wanted(visit: Visit) -> None:
    page = analysis(visit(), fen="r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 2 3")
    page.get_by_role("button", name="Engine").click()
    expect(page.locator(".analysis-head .score")).to_have_text("#1")
    first = page.locator("button.engine-line").first
    expect(first).to_contain_text("3. Qxf7#")
    expect(page.locator(".cg-shapes line, .cg-shapes g").first).to_be_attached()
    page.get_by_role("combobox", name="Engine lines").select_option("3")
    expect(page.locator("button.engine-line")).to_have_count(3)
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 2 3")
    for line in page.locator("button.engine-line .line").all_text_contents():
        replay = board.copy()
        for san in re.sub(r"\d+(\.|…) ", "", line).split():
            replay.push_san(san)
    first.click()
    current(page, "Qxf7#")
    expect(page.locator(".analysis-head .score")).to_have_text(re.compile("White wins"))
    page.reload()
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_role("combobox", name="Engine lines")).to_have_value("3")


def test_no_engine_at_the_analysis_board_while_a_game_with_somebody_runs(visit: Visit, house: House) -> None:
    visitor, other = visit("Ada"), Guest(house.url, "Bo")
    code = other.open_table("chess", side="white", minutes=30)
    other.sit(code)
    visitor.sit(f"/t/{code}")
    other.start(code)
    page = analysis(visitor)
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_text("No engine while you play against somebody.")).to_be_visible()
    expect(page.get_by_role("link", name="To the game with Bo")).to_have_attribute("href", f"/t/{code}")
    expect(page.locator(".analysis")).to_have_count(0)
    assert page.workers == []
    other.post(f"/tables/{code}/actions", {"action": {"type": "resign"}})
    expect(page.locator(".analysis")).to_be_visible()


def test_a_game_with_variations_is_imported_and_copied(visit: Visit) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = analysis(visitor)
    page.get_by_role("button", name="Import PGN or FEN").click()
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("Paste a game or a position")
    field.fill("no game at all")
    dialog.get_by_role("button", name="Import PGN or FEN").click()
    expect(dialog.get_by_role("alert")).to_have_text("No game or position found in this text.")
    field.fill(BRANCHED)
    dialog.get_by_role("button", name="Import PGN or FEN").click()
    current(page, "Nf6")
    expect(page.get_by_text("Morphy's move")).to_be_visible()
    expect(page.get_by_text("Rossolimo")).to_be_visible()
    expect(page.get_by_role("button", name="bishop b5, good move")).to_have_text("Bb5!")
    page.get_by_role("button", name="Copy PGN").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    read = chess.pgn.read_game(io.StringIO(page.evaluate("() => navigator.clipboard.readText()")))
    meant = chess.pgn.read_game(io.StringIO(BRANCHED))
    assert read is not None
    assert meant is not None
    exporter = {"headers": False, "columns": None}
    assert read.accept(chess.pgn.StringExporter(**exporter)) == meant.accept(chess.pgn.StringExporter(**exporter))  # type: ignore[arg-type]
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('http')")
    link = page.evaluate("() => navigator.clipboard.readText()")
    before = moves(page)
    page.goto(link)
    expect(page.locator(".move").first).to_be_visible()
    assert moves(page) == before
    # A move that cannot be read is named, and what comes before it is there.
    page.get_by_text("Share and export").click()
    page.get_by_role("button", name="Import PGN or FEN").click()
    field.fill("1. d4 d5 2. Ke2")
    dialog.get_by_role("button", name="Import PGN or FEN").click()
    expect(page.locator(".toast").last).to_contain_text("Ke2 is not a legal move")
    current(page, "d5")


@pytest.mark.parametrize(
    ("variant", "played", "last"),
    [
        ("crazyhouse", ["e4", "d5", "exd5", "Qxd5", "@e4"], "@e4"),
        ("atomic", ["Nf3", "d5", "Nd4", "c5", "Nf5", "Bxf5"], "Bxf5"),
        ("chess960", ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"], "O-O"),
        ("horde", ["e5", "e6"], "e6"),
        ("racing_kings", ["Kg3", "Kb3"], "Kb3"),
    ],
)
def test_variants_are_played_by_their_rules(visit: Visit, variant: str, played: list[str], last: str) -> None:
    page = analysis(visit(), variant=variant)
    for san in played:
        type_move(page, san)
        current(page, san)
    type_move(page, "Qh9")
    expect(page.get_by_label("Type a move")).to_have_attribute("aria-invalid", "true")
    current(page, last)


def test_moves_are_written_and_typed_in_the_language(visit: Visit) -> None:
    visitor = visit(locale="de-DE")
    visitor.go("/analysis")
    field = visitor.page.get_by_label("Zug eingeben")
    for typed, shown in (("Sf3", "Sf3"), ("d5", "d5"), ("g3", "g3"), ("Nc6", "Sc6"), ("Lg2", "Lg2")):
        field.fill(typed)
        field.press("Enter")
        expect(visitor.page.locator(".move[aria-current]")).to_have_text(shown)
    visitor.page.get_by_role("switch", name="Figurinen-Notation").check()
    expect(visitor.page.locator(".move[aria-current]")).to_have_text("♗g2")


def test_the_end_of_a_game_leads_to_the_analysis_board(visit: Visit, house: House) -> None:
    code, _ = finished_game(house, "e2e4", "e7e5", "g1f3")
    visitor = visit()
    visitor.go(f"/t/{code}")
    visitor.page.get_by_role("link", name="Analysis board").click()
    expect(visitor.page.get_by_role("heading", name="Analysis board")).to_be_visible()
    current(visitor.page, "Nf3")
    assert moves(visitor.page) == ["e4", "e5", "Nf3"]


def test_a_finished_game_can_be_studied_where_it_is_kept(visit: Visit, house: House) -> None:
    code, _ = finished_game(house, "e2e4", "e7e5", "g1f3")
    visitor = visit()
    visitor.go(f"/history/{code}/1")
    page = visitor.page
    current(page, "Nf3")
    expect(page.get_by_text("Wanda", exact=True)).to_be_visible()
    expect(page.locator(".result-line")).to_have_text(re.compile("wins"))
    expect(page.get_by_role("link", name="PGN", exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    type_move(page, "d4")
    current(page, "d4")
    assert moves(page) == ["e4", "e5", "Nf3", "d4"]
    assert page.url.endswith(f"/history/{code}/1")


def test_a_position_is_set_up_by_mouse_touch_and_keyboard(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/editor")
    page = visitor.page
    expect(page.locator("cg-board piece")).to_have_count(32)
    expect(page.get_by_text("Legal position")).to_be_visible()
    page.get_by_role("button", name="Clear board").click()
    expect(page.get_by_text("The board is empty.")).to_be_visible()
    # A piece is chosen and squares are tapped.
    page.get_by_role("button", name="white king").click()
    tap(page, "e1")
    expect(page.get_by_text("Each side needs exactly one king.")).to_be_visible()
    # A piece is dragged from its place onto the board.
    page.get_by_role("button", name="black king").hover()
    page.mouse.down()
    page.mouse.move(*centre(page, "e8"), steps=5)
    page.mouse.up()
    expect(page.get_by_text("The game is already over in this position.")).to_be_visible()
    # By keyboard: the cursor begins on e4; a letter as in FEN places a piece, Delete takes it away.
    page.get_by_role("grid").focus()
    for key in ("ArrowDown", "ArrowDown", "P", "ArrowLeft", "q", "Delete"):
        page.keyboard.press(key)
    assert fen(page) == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    expect(page.get_by_text("Legal position")).to_be_visible()
    # With the hand pieces are moved; dropped off the board they are gone.
    page.get_by_role("button", name="Move pieces", exact=True).click()
    drag(page, "e2a2")
    expect(page.locator("input.fen")).to_have_value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
    page.mouse.move(*centre(page, "a2"))
    page.mouse.down()
    page.mouse.move(5, 5, steps=5)
    page.mouse.up()
    expect(page.locator("input.fen")).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


HOLD_FRAMES = (
    "() => { const later = []; const frame = window.requestAnimationFrame, timer = window.setTimeout;"
    "window.requestAnimationFrame = (work) => later.push(work); window.setTimeout = (work) => later.push(work);"
    "window.paint = () => { window.requestAnimationFrame = frame; window.setTimeout = timer;"
    "for (const work of later) frame(work); }; }"
)
"""No frame is painted until `paint` is called, as on a busy machine."""


@pytest.mark.slow
def test_a_piece_can_be_dragged_before_the_page_is_painted_again(visit: Visit) -> None:
    """As on a busy machine: the next frame comes only when the drag has begun."""
    visitor = visit()
    visitor.go(f"/editor?fen={quote(ENDING)}")
    page = visitor.page
    expect(page.locator("cg-board piece")).to_have_count(3)
    page.get_by_role("button", name="white queen").click()
    expect(page.get_by_role("button", name="white queen")).to_have_attribute("aria-pressed", "true")
    page.evaluate(HOLD_FRAMES)
    page.get_by_role("button", name="Move pieces", exact=True).click()
    page.mouse.move(*centre(page, "e3"))
    page.mouse.down()
    page.evaluate("() => window.paint()")
    page.mouse.move(*centre(page, "a3"), steps=4)
    page.mouse.up()
    expect(page.locator("input.fen")).to_have_value("8/4k3/8/8/8/P2K4/8/8 w - - 0 1")


@pytest.mark.slow
def test_a_key_pressed_before_the_page_is_painted_again_loses_no_move(visit: Visit) -> None:
    page = analysis(visit())
    type_move(page, "e4")
    current(page, "e4")
    page.evaluate(HOLD_FRAMES)
    type_move(page, "e5")
    page.wait_for_function("() => document.querySelectorAll('button.move').length === 2", polling=20)
    page.keyboard.press("ArrowLeft")
    page.evaluate("() => window.paint()")
    current(page, "e4")
    assert moves(page) == ["e4", "e5"]


@pytest.mark.slow
def test_the_parts_of_a_position(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/editor")
    page = visitor.page
    field = page.locator("input.fen")
    field.fill("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    expect(page.get_by_label("White O-O-O")).to_be_checked()
    expect(page.get_by_label("En passant")).to_have_value("d6")
    page.get_by_label("White O-O-O").uncheck()
    page.get_by_label("En passant").select_option("-")
    expect(field).to_have_value("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 1")
    page.get_by_role("radio", name="Black").check()
    expect(field).to_have_value("r3k2r/8/8/3pP3/8/8/8/R3K2R b Kkq - 0 1")
    page.get_by_role("button", name="Remove pieces").click()
    tap(page, "h1")
    expect(page.get_by_label("White O-O", exact=True)).to_be_disabled()
    expect(field).to_have_value("r3k2r/8/8/3pP3/8/8/8/R3K3 b kq - 0 1")
    field.fill("r3k2r/8/8")
    expect(page.get_by_text("This is not a valid FEN.")).to_be_visible()
    field.fill("8/4k3/8/8/8/8/4P3/4K3 w - - 0 1")
    page.get_by_label("Variant").select_option("racing_kings")
    expect(page.get_by_text("This position is impossible in this variant.")).to_be_visible()
    expect(page.get_by_role("button", name="Play a friend")).to_be_disabled()
    page.get_by_role("button", name="Starting position").click()
    expect(page.get_by_text("Legal position")).to_be_visible()
    page.get_by_label("Variant").select_option("standard")
    page.get_by_role("button", name="Starting position").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("heading", name="Analysis board")).to_be_visible()
    assert fen(page) == chess.STARTING_FEN


def test_a_game_without_a_clock_closes_only_its_own_position_to_the_engine(visit: Visit, house: House) -> None:
    visitor, other = visit("Ada"), Guest(house.url, "Bo")
    code = other.open_table("chess", side="white", untimed=True)
    other.sit(code)
    visitor.sit(f"/t/{code}")
    other.start(code)
    other.act(code, type="move", uci="e2e4")
    page = analysis(visitor)
    page.get_by_role("button", name="Engine").click()
    expect(page.locator(".analysis")).to_be_visible()
    blocked = page.get_by_text("No engine while you play against somebody.")
    for move in ("e4", "e5"):  # the position of the game, and what may follow it
        type_move(page, move)
        current(page, move)
        expect(blocked).to_be_visible()
        expect(page.locator(".analysis")).to_have_count(0)


ENDING = "8/4k3/8/8/8/3KP3/8/8 w - - 0 1"


@pytest.mark.slow
def test_a_position_is_played_with_a_friend_or_the_house(visit: Visit, house: House) -> None:
    visitor = visit("Ada")
    visitor.go(f"/editor?fen={quote(ENDING)}")
    visitor.press("Play a friend")
    visitor.introduce()
    table = Guest(house.url, "Bo").view(visitor.code)
    assert table["settings"]["start_fen"] == ENDING
    visitor.go(f"/editor?fen={quote(ENDING)}")
    expect(visitor.page.locator("cg-board piece")).to_have_count(3)
    visitor.press("Flip board")
    visitor.page.get_by_text("You play Black").wait_for()
    visitor.press("Play the house")
    # The house has White and moves first.
    expect(visitor.page.locator(".move").first).to_be_visible()
    view = Guest(house.url, "Cy").view(visitor.code)
    assert view["state"]["start_fen"] == ENDING


@pytest.mark.slow
def test_pieces_are_placed_with_a_finger(visit: Visit) -> None:
    visitor = visit(has_touch=True, viewport={"width": 360, "height": 740})
    visitor.go(f"/editor?fen={quote(ENDING)}")
    page = visitor.page
    expect(page.locator("cg-board piece")).to_have_count(3)
    page.get_by_role("button", name="black rook").tap()
    page.touchscreen.tap(*centre(page, "h5"))
    expect(page.locator("input.fen")).to_have_value("8/4k3/8/7r/8/3KP3/8/8 w - - 0 1")
    visitor.go("/analysis")
    expect(page.locator("cg-board piece")).to_have_count(32)
    page.touchscreen.tap(*centre(page, "g1"))
    page.touchscreen.tap(*centre(page, "f3"))
    current(page, "Nf3")


def test_both_boards_are_found_from_other_pages(visit: Visit) -> None:
    visitor = visit()
    for start in ("/calc", "/history"):
        for name in ("Analysis board", "Board editor"):
            visitor.go(start)
            visitor.page.get_by_role("link", name=name).click()
            expect(visitor.page.get_by_role("heading", name=name, level=1)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["de-DE", "en-GB", "es-ES"])
def test_the_boards_fit_every_screen(visit: Visit, locale: str) -> None:
    visitor = visit(locale=locale)
    page = analysis(visitor, pgn=BRANCHED)
    engine = {"en-GB": "Engine", "de-DE": "Engine", "es-ES": "Módulo"}[locale]
    page.get_by_role("button", name=engine).click()
    expect(page.locator("button.engine-line")).to_have_count(1)
    page.locator(".study-files summary").click()
    check_page(visitor.page, ((320, 568), (360, 740), (740, 360), (1280, 800)))
    visitor.go("/editor")
    expect(page.locator("cg-board piece")).to_have_count(32)
    check_page(visitor.page, ((320, 568), (360, 740), (740, 360), (1280, 800)))


@pytest.mark.slow
def test_correspondence_games_are_listed_by_whose_turn_it_is(visit: Visit, house: House) -> None:
    ada, bo, host = visit("Ada"), Guest(house.url, "Bo"), Guest(house.url, "Host")
    codes = []
    for days, side in ((5, "black"), (3, "white"), (1, "white")):
        code = host.open_table("chess", days=days, side=side, name=f"{days} days")
        ada.sit(f"/t/{code}")
        bo.sit(code)
        host.start(code)
        codes.append(code)
    ada.go("/")
    rows = ada.page.get_by_role("region", name="Where you left off").get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("1 days")
    expect(rows.nth(0)).to_contain_text("Your turn")
    expect(rows.nth(0)).to_contain_text("23 hours left")
    expect(rows.nth(1)).to_contain_text("3 days")
    expect(rows.nth(1)).to_contain_text("2 d 23 h left")
    expect(rows.nth(2)).to_contain_text("Their turn")
    expect(rows.nth(2)).to_contain_text("4 d 23 h left")
    expect(ada.page).to_have_title("● Your turn: 2 · Parlour")
    # The other moves: the page finds out by itself.
    bo.act(codes[0], type="move", uci="e2e4")
    expect(rows.filter(has_text="Your turn")).to_have_count(3)
    expect(ada.page).to_have_title("● Your turn: 3 · Parlour")
    check_page(ada.page, ((320, 568), (1280, 800)))
    ada.go("/history?show=tables")
    expect(ada.page.get_by_text("Your turn")).to_have_count(3)
    expect(ada.page.get_by_role("listitem").first).to_contain_text("1 days")
    ada.page.get_by_role("listitem").first.click()
    ada.page.wait_for_url(f"**/history/{codes[2]}")
