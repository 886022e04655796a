"""Reports, names of openings, comments and files of several games on the analysis board, in real browsers."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .looks import check_page
from .test_chess_study import analysis, current, finished_game, type_move
from .visitors import Visitor

Visit = Callable[..., Visitor]


BLUNDER = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 d6 5. Bc4+ Be6 *"

SEVERAL = """[White "Ada"]
[Black "Bo"]
[Result "1-0"]

1. e4! {best by test} e5 (1... c5 $6) 2. Nf3 1-0

[White "Cy"]
[Black "Di"]
[Result "0-1"]

1. d4 d5 2. c4 e6 0-1
"""


def opening(page: Page, name: str) -> None:
    expect(page.locator(".opening-line")).to_have_text(name)


def report(page: Page) -> None:
    page.get_by_role("button", name="Report", exact=True).click()


def import_text(page: Page, text: str) -> None:
    page.get_by_role("button", name="Import PGN or FEN").click()
    page.get_by_label("Paste a game or a position").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Import PGN or FEN").click()


def downloaded(page: Page, button: str, to: Path) -> list[chess.pgn.Game]:
    """The games of the file that a button hands out."""
    with page.expect_download() as handed:
        page.get_by_role("button", name=button).click()
    handed.value.save_as(to)
    text = io.StringIO(to.read_text())
    games = []
    while (game := chess.pgn.read_game(text)) is not None:
        assert game.errors == []
        games.append(game)
    return games


def test_the_opening_is_named_as_moves_are_tried(visit: Visit) -> None:
    page = analysis(visit())
    for san in ("d4", "Nf6", "c4", "e6", "Nc3", "Bb4"):
        type_move(page, san)
        current(page, san)
    opening(page, "E20 Nimzo-Indian Defense")
    page.keyboard.press("Home")
    opening(page, "")
    # Another order of moves has the same name.
    page = analysis(visit(), moves="c2c4,e7e6,b1c3,g8f6,d2d4,f8b4")
    opening(page, "E20 Nimzo-Indian Defense")


def test_a_report_finds_the_blunder_and_leads_to_it(visit: Visit) -> None:
    page = analysis(visit(), pgn=BLUNDER)
    report(page)
    found = page.get_by_role("region", name="Game report")
    turn = found.get_by_role("button", name="3. Qxf7+??")
    expect(turn).to_be_visible()
    expect(found.get_by_role("progressbar")).to_have_count(0)
    accuracy = {
        side: int(found.locator(f"[data-accuracy={side}]").inner_text().split()[0]) for side in ("white", "black")
    }
    assert 0 < accuracy["white"] < accuracy["black"] <= 100
    turn.click()
    current(page, "Qxf7+")
    # The graph leads there as well, by mouse and by key.
    graph = found.get_by_role("slider", name="White’s chances, move by move")
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    current(page, "Be6")
    graph.press("ArrowLeft")
    current(page, "Bc4+")
    check_page(page)
    found.get_by_role("button", name="Add signs and better lines").click()
    expect(page.get_by_role("button", name="blunder").first).to_be_visible()
    expect(page.get_by_role("group", name="Variation").first).to_be_visible()


@pytest.mark.slow
def test_a_report_can_be_stopped_and_gone_on_with(visit: Visit) -> None:
    page = analysis(visit(), pgn=BLUNDER)
    report(page)
    page.get_by_role("button", name="Stop").click()
    found = page.get_by_role("region", name="Game report")
    expect(found.get_by_role("progressbar")).to_be_visible()
    found.get_by_role("button", name="Go on").click()
    expect(found.get_by_role("progressbar")).to_have_count(0)


def test_a_finished_game_has_a_report_and_a_name(visit: Visit, house: House) -> None:
    code, _ = finished_game(house, "e2e4", "c7c5", "g1f3", "d7d6")
    visitor = visit()
    visitor.go(f"/history/{code}/1")
    opening(visitor.page, "B50 Sicilian Defense: Modern Variations")
    file = visitor.page.request.get(f"{house.url}/api/v1/tables/{code}/history/1.pgn")
    assert '[ECO "B50"]' in file.text()


def test_no_report_while_one_plays_somebody(visit: Visit, house: House) -> None:
    host, opponent = Guest(house.url, "Host"), visit("Boris")
    code = host.open_table("chess", side="white", autostart=True)
    host.sit(code)
    opponent.sit(f"/t/{code}")
    expect(opponent.page.locator("cg-board piece").first).to_be_visible()
    page = analysis(opponent, pgn=BLUNDER)
    report(page)
    expect(page.get_by_text("No engine while you play against somebody.")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_moves_take_comments_and_signs(visit: Visit, tmp_path: Path) -> None:
    page = analysis(visit(), moves="e2e4,e7e5")
    page.get_by_text("Comment on this move").click()
    page.get_by_label("Comment", exact=True).fill("The old answer")
    page.get_by_label("Sign").select_option(label="! good move")
    expect(page.locator(".moves .said")).to_have_text("The old answer")
    expect(page.locator(".move").last).to_have_text("e5!")
    page.get_by_text("Share and export").click()
    (game,) = downloaded(page, "Download PGN", tmp_path / "one.pgn")
    last = game.end()
    assert (last.comment, last.nags) == ("The old answer", {chess.pgn.NAG_GOOD_MOVE})
    assert game.headers["ECO"] == "C20"
    page.reload()
    expect(page.locator(".moves .said")).to_have_text("The old answer")


@pytest.mark.slow
def test_a_file_of_several_games_is_gone_through_and_comes_back_whole(visit: Visit, tmp_path: Path) -> None:
    page = analysis(visit())
    import_text(page, SEVERAL)
    current(page, "Nf3")
    type_move(page, "Nc6")
    current(page, "Nc6")
    page.get_by_label("Game", exact=True).select_option(label="2. Cy – Di 0-1")
    current(page, "e6")
    opening(page, "D30 Queen's Gambit Declined")
    page.get_by_label("Game", exact=True).select_option(label="1. Ada – Bo 1-0")
    current(page, "Nc6")
    first, second = downloaded(page, "Download all games", tmp_path / "all.pgn")
    assert [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert (first.next().comment, first.next().nags) == ("best by test", {chess.pgn.NAG_GOOD_MOVE})
    assert first.next().variations[1].nags == {chess.pgn.NAG_DUBIOUS_MOVE}
    assert (second.headers["White"], second.headers["Opening"]) == ("Cy", "Queen's Gambit Declined")
