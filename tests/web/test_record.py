"""The record in the page: lists of hands and games, pictures, files out of it and into the replayer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from .evening_shots import HAND
from .guests import Guest, act_in_turn
from .house import House
from .looks import check_page
from .visitors import Visitor, until

Visit = Callable[..., Visitor]
SIZES = ((320, 568), (360, 740), (1280, 800))
SCHOLARS_MATE = ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")


def guest_of(visitor: Visitor, name: str) -> Guest:
    """The person at this browser, who also plays over the API."""
    guest = Guest(visitor.base, name)
    visitor.page.context.add_cookies([{"name": "parlour", "value": guest.token, "url": visitor.base}])
    return guest


def play_hands(guests: list[Guest], *hands: tuple[str, ...]) -> str:
    """A table where these people play hands, in each of which everybody does the first thing of these that they may."""
    code = guests[0].open_table("holdem", seats=len(guests), action_seconds=0, hand_delay=0, name="Friday night")
    for guest in guests:
        guest.sit(code, buy_in=200)
    guests[0].start(code)
    for number, wishes in enumerate(hands, 1):
        while len(guests[0].get(f"/tables/{code}/history?limit=200")) < number:
            state = guests[0].view(code)["state"]
            if state["hand"] == number and state["actor"] is not None:
                act_in_turn(guests, code, *wishes)
    return code


def play_chess(white: Guest, black: Guest, **settings: object) -> str:
    code = white.open_table("chess", side="white", minutes=5, increment=3, **settings)
    white.sit(code)
    black.sit(code)
    white.start(code)
    for ply, uci in enumerate(SCHOLARS_MATE):
        (black if ply % 2 else white).act(code, type="move", uci=uci)
    return code


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Hands and games").get_by_role("listitem")


CHECK_DOWN = ("check", "call")
FOLD = ("fold", "check")


def test_hands_and_games_are_listed_with_cards_pot_net_and_result(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], CHECK_DOWN, FOLD)
    game = play_chess(ada, bo)
    visitor.go("/history")
    expect(rows(visitor.page)).to_have_count(3)
    newest, folded, shown = rows(visitor.page).all()
    expect(newest).to_contain_text("Ada – Bo")
    expect(newest).to_contain_text("Ada wins by checkmate")
    expect(newest).to_contain_text("1–0")
    named = ada.get("/me/rounds?game=chess")["rounds"][0]["summary"]["opening"]
    assert named
    expect(newest).to_contain_text(named)
    record = {line["number"]: line for line in ada.get("/me/rounds?game=holdem")["rounds"]}
    for row, number in ((folded, 2), (shown, 1)):
        line = record[number]
        net = line["you"]["net"]
        expect(row).to_contain_text(f"Pot {line['summary']['pot']}")
        expect(row.locator(".round-figures b")).to_have_text(f"{'+' if net > 0 else '−' if net < 0 else '±'}{abs(net)}")
        expect(row.locator(".own .card")).to_have_count(2)
        expect(row.locator(".round-boards .card")).to_have_count(len(line["summary"]["board"]))
    expect(shown.locator(".round-boards .card")).to_have_count(5)
    check_page(visitor.page, SIZES)
    visitor.page.get_by_role("link", name=re.compile("Hand 1")).click()
    visitor.page.wait_for_url(f"**/history/{code}/1")
    visitor.go(f"/history/{game}")
    expect(rows(visitor.page)).to_have_count(1)
    check_page(visitor.page, SIZES)


@pytest.mark.slow
def test_a_list_is_narrowed_down_and_its_address_keeps_that(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo, cy = guest_of(visitor, "Ada"), Guest(house.url, "Bo"), Guest(house.url, "Cyrus")
    play_hands([ada, bo], FOLD, FOLD)
    play_chess(ada, cy)
    page = visitor.page
    visitor.go("/history")
    expect(rows(page)).to_have_count(3)
    page.get_by_text("Search and filter").click()
    page.get_by_label("Player").fill("cyr")
    page.get_by_label("Player").press("Enter")
    expect(rows(page)).to_have_count(1)
    assert parse_qs(urlsplit(page.url).query) == {"with": ["cyr"]}
    page.reload()
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Game", exact=True).select_option("holdem")
    expect(page.get_by_text("Nothing matches these filters.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(3)
    won = sum(line["you"]["result"] == "won" for line in ada.get("/me/rounds")["rounds"])
    page.get_by_label("Result").select_option("won")
    expect(rows(page)).to_have_count(won)
    page.get_by_label("Game", exact=True).select_option("chess")
    expect(page.get_by_label("Variant")).to_be_visible()
    expect(page.get_by_label("Went to showdown")).to_have_count(0)
    page.get_by_label("From").fill("2020-01-01")
    page.get_by_label("To", exact=True).fill("2020-01-02")
    page.get_by_label("To", exact=True).press("Enter")
    expect(page.get_by_text("Nothing matches these filters.")).to_be_visible()
    check_page(page, SIZES)


@pytest.mark.slow
def test_what_is_being_typed_stays_when_the_page_is_drawn_again(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo, cy = guest_of(visitor, "Ada"), Guest(house.url, "Bo"), Guest(house.url, "Cyrus")
    play_hands([ada, bo], FOLD)
    play_chess(ada, cy)
    page = visitor.page
    held: list[Route] = []
    page.route("**/api/v1/me/tables", lambda route: held.append(route))
    visitor.go("/history")
    expect(rows(page)).to_have_count(2)
    page.get_by_text("Search and filter").click()
    page.get_by_label("Player").fill("cyr")
    until(page, lambda: held)
    held.pop().continue_()
    expect(page.get_by_label("Table", exact=True)).to_be_visible()
    expect(page.get_by_label("Player")).to_have_value("cyr")
    page.get_by_label("Player").press("Enter")
    expect(rows(page)).to_have_count(1)


def test_what_is_typed_before_the_page_has_come_to_rest_stays(visit: Visit, house: House) -> None:
    """On a busy machine somebody types before the effects of the last drawing have run."""
    visitor = visit()
    guest_of(visitor, "Ada")
    page = visitor.page
    visitor.go("/history")
    filters = page.get_by_text("Search and filter")
    filters.wait_for()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    filters.click()
    page.get_by_label("Player").fill("cyr")
    page.clock.run_for(1000)
    assert page.get_by_label("Player").input_value() == "cyr"


@pytest.mark.slow
def test_more_rounds_come_when_one_asks_for_them(visit: Visit, house: House) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    play_hands([ada, bo], *[FOLD] * 52)
    visitor.go("/history")
    expect(rows(visitor.page)).to_have_count(50)
    visitor.press("Show more")
    expect(rows(visitor.page)).to_have_count(52)
    expect(visitor.page.get_by_role("button", name="Show more")).to_have_count(0)
    numbers = visitor.page.locator(".round-words small:last-child").all_inner_texts()
    assert [int(re.findall(r"Hand (\d+)", text)[0]) for text in numbers] == list(range(52, 0, -1))


def picture(page: Page, path: Path) -> Image.Image:
    expect(page.get_by_role("dialog").get_by_role("button", name="Download")).to_be_enabled()
    with page.expect_download() as waiting:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    assert re.fullmatch(r"parlour-[A-Z0-9]+-1\.png", waiting.value.suggested_filename)
    waiting.value.save_as(path)
    return Image.open(path).convert("RGB")


def test_a_hand_becomes_a_picture(visit: Visit, house: House, tmp_path: Path) -> None:
    """What was shown is in it, one's own cards only if one wants that."""
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], FOLD)
    visitor.go(f"/history/{code}/1")
    visitor.press("Picture")
    page = visitor.page
    dialog = page.get_by_role("dialog", name="Picture")
    drawing = dialog.get_by_role("img")
    expect(drawing).to_have_attribute("aria-label", re.compile("wins"))
    own = ada.get(f"/tables/{code}/history/1")["you"]["cards"]
    without = picture(page, tmp_path / "without.png")
    assert without.size == (1200, 630)
    assert len(without.getcolors(1 << 24) or []) > 500, "a table, not a blank sheet"
    assert " of " not in (drawing.get_attribute("aria-label") or ""), "nobody has shown a card"
    dialog.get_by_label("Include my cards").check()
    expect(drawing).to_have_attribute("aria-label", re.compile(" of "))
    assert len(own) == 2
    with_cards = picture(page, tmp_path / "with.png")
    assert with_cards.tobytes() != without.tobytes()
    check_page(page, SIZES)


def test_a_stranger_sees_and_draws_only_what_was_shown(visit: Visit, house: House) -> None:
    ada, bo = Guest(house.url, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], FOLD)
    visitor = visit()
    visitor.go(f"/history/{code}/1")
    expect(visitor.page.get_by_text("Your cards")).to_have_count(0)
    visitor.press("Picture")
    dialog = visitor.page.get_by_role("dialog", name="Picture")
    expect(dialog.get_by_role("img")).to_have_attribute("aria-label", re.compile("wins"))
    expect(dialog.get_by_label("Include my cards")).to_have_count(0)


@pytest.mark.slow
def test_a_game_of_chess_becomes_a_picture(visit: Visit, house: House, tmp_path: Path) -> None:
    code = play_chess(Guest(house.url, "Ada"), Guest(house.url, "Bo"))
    visitor = visit()
    visitor.go(f"/history/{code}/1")
    visitor.press("Picture")
    drawing = visitor.page.get_by_role("dialog", name="Picture").get_by_role("img")
    expect(drawing).to_have_attribute("aria-label", "Ada – Bo. Ada wins by checkmate")
    drawn = picture(visitor.page, tmp_path / "chess.png")
    assert drawn.size == (1200, 630)
    light, dark = drawn.getpixel((60, 340)), drawn.getpixel((60, 280))  # a4 and a5, both empty
    assert isinstance(light, tuple)
    assert isinstance(dark, tuple)
    assert sum(light) > sum(dark) + 100


@pytest.mark.parametrize(("name", "ending"), [("PHH", "phhs"), ("Open Hand History", "ohh"), ("PokerStars", "txt")])
def test_an_evening_and_everything_of_mine_are_kept_as_files(
    visit: Visit, house: House, tmp_path: Path, name: str, ending: str
) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], CHECK_DOWN, FOLD)
    for path in (f"/history/{code}", "/history"):
        visitor.go(path)
        link = visitor.page.get_by_role("link", name=name, exact=True)
        with visitor.page.expect_download() as waiting:
            link.click()
        assert waiting.value.suggested_filename.endswith(f".{ending}")
        kept = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(kept)
        assert "Ada" in kept.read_text()
        assert "Bo" in kept.read_text()


def test_the_ledger_is_kept_as_a_table(visit: Visit, house: House, tmp_path: Path) -> None:
    visitor = visit()
    ada, bo = guest_of(visitor, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], CHECK_DOWN)
    visitor.go(f"/history/{code}")
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("link", name="Ledger (CSV)").click()
    waiting.value.save_as(tmp_path / "ledger.csv")
    lines = (tmp_path / "ledger.csv").read_text().splitlines()
    assert len(lines) == 3, "a head and two players"


def test_a_hand_from_a_file_is_replayed(visit: Visit, house: House, tmp_path: Path) -> None:
    ada, bo = Guest(house.url, "Ada"), Guest(house.url, "Bo")
    visitor = visit()
    token = guest_of(visitor, "Reader")
    code = play_hands([ada, bo], CHECK_DOWN, FOLD)
    visitor.go(f"/history/{code}")
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("link", name="PHH", exact=True).click()
    file = tmp_path / "evening.phhs"
    waiting.value.save_as(file)
    visitor.go("/replay")
    page = visitor.page
    check_page(page, SIZES)
    page.get_by_label("File").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand 1 of 2")
    expect(page.get_by_role("list", name="Log").get_by_role("listitem").first).to_contain_text("has the button")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".replay-lines .on")).to_contain_text("wins")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand 2 of 2")
    check_page(page, SIZES)
    assert token.get("/me/tables") == [], "a hand that is looked at belongs to no table"


def test_a_hand_whose_cards_are_all_known_is_replayed_with_open_cards(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/replay")
    page = visitor.page
    page.get_by_label("Or paste the text").fill(HAND)
    visitor.press("Open")
    log = page.get_by_role("list", name="Log")
    expect(log).to_contain_text("Ada is dealt Ace of hearts, King of hearts")
    expect(log).not_to_contain_text("Your cards")
    log.get_by_role("button", name="Carla raises to 6").click()
    expect(page.locator(".stage .hand")).to_have_count(3)
    expect(page.locator(".stage .hand [data-card]")).to_have_count(6)
    expect(page.locator(".stage .hand .slot")).to_have_count(6)


def test_a_file_that_is_no_hand_is_refused_with_a_reason(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/replay")
    page = visitor.page
    page.get_by_label("Or paste the text").fill("variant = 'NT'\nactions = [")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("alert")).not_to_have_text("Something went wrong.")
    page.get_by_label("Or paste the text").fill("x" * 1_000_001)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("That’s too much at once.")


def test_a_game_from_a_file_opens_on_the_analysis_board(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Event "Casual"]\n[White "Ada"]\n[Black "Bo"]\n\n1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *\n')
    visitor = visit()
    visitor.go("/replay")
    visitor.page.get_by_label("File").set_input_files(file)
    visitor.page.wait_for_url(re.compile("/analysis"))
    expect(visitor.page.get_by_role("heading", name="Analysis board")).to_be_visible()
    visitor.expect_text(re.compile("Bb5"))
    visitor.expect_text(re.compile("d6"))


def test_a_link_to_a_hand_works_after_the_table_was_closed(visit: Visit, house: House) -> None:
    ada, bo = Guest(house.url, "Ada"), Guest(house.url, "Bo")
    code = play_hands([ada, bo], CHECK_DOWN)
    ada.post(f"/tables/{code}/host/close")
    visitor = visit()
    visitor.go(f"/history/{code}/1")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Hand 1")
    visitor.go(f"/history/{code}/99")
    visitor.expect_text("This hand or game doesn’t exist, or it isn’t over yet.")
