"""A game that brings no page: the worked example of docs/adding-a-game.md, played in browsers to its end."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .guests import Guest
from .house import House
from .looks import check_page
from .visitors import Visitor, level, until, whose_turn

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "adding-a-game.md"
POINTS = 3


def install(folder: Path, name: str, code: str, point: str) -> None:
    """A package with a game, as an installer would leave it in a folder."""
    (folder / f"{name}.py").write_text(code, "utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[parlour.games]\n{point}\n")


def install_games(folder: Path) -> Path:
    """The worked example with the page's own code and entry point, a game whose action has fields, and a broken one."""
    page = DOCS.read_text("utf-8")
    python, toml = (
        re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) for language in ("python", "toml")
    )
    (point,) = re.findall(r'^high-card = "(.*)"$', toml[0], re.MULTILINE)
    install(folder, "high_card", "\n\n".join(python), f"high-card = {point}")
    install(folder, "auction", (Path(__file__).parent / "auction.py").read_text("utf-8"), "auction = auction:Auction")
    install(folder, "broken", "raise RuntimeError('made for another version')", "broken = broken:Broken")
    return folder


@pytest.fixture(scope="module")
def card_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"), install_games(tmp_path_factory.mktemp("packages")))
    house.start()
    yield house
    house.stop()


def open_table(ada: Visitor) -> str:
    """Choose High Card in the lobby, in the form made from its settings."""
    ada.go("/")
    ada.page.get_by_role("radio", name="High Card").check()
    ada.page.get_by_label("Points that win the game").fill(str(POINTS))
    ada.page.get_by_label("Seconds to decide").fill("300")
    ada.press("Open the table")
    ada.introduce()
    return ada.code


def play(turn: int, *visitors: Visitor) -> None:
    """Whoever's turn it is clicks a button, and everybody hears of it."""
    level(*visitors)
    actor = whose_turn(*visitors)
    before = actor.view()["turn"]
    actor.press("Swap" if turn % 3 else "Keep")
    actor.turn_passes(before)


def test_two_people_play_a_whole_game_by_clicking(new_page: Callable[..., Page], card_house: House) -> None:
    ada = Visitor(new_page(), card_house.url, "Ada")
    ben = Visitor(new_page(viewport={"width": 360, "height": 740}), card_house.url, "Ben")
    code = open_table(ada)
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("High Card")
    ada.sit()
    ben.sit(f"/t/{code}")
    ada.press("Start the game")
    for turn in range(4):
        play(turn, ada, ben)
    level(ada, ben)

    # In the middle of a deal one of them loads the page anew, and finds everything.
    card = ben.view()["private"]["card"]
    ben.page.reload()
    until(ben.page, lambda: ben.view()["private"] is not None)
    assert ben.view()["private"]["card"] == card
    expect(ben.page.get_by_role("region", name="Only you see this").get_by_role("img")).to_be_visible()

    turn = 4
    while ada.view()["status"] == "playing":
        play(turn, ada, ben)
        level(ada, ben)
        turn += 1
    winner = {0: "Ada", 1: "Ben"}[ada.view()["state"]["winner"]]
    for visitor in (ada, ben):
        expect(visitor.page.get_by_text("The game is over.")).to_be_visible()
        table = visitor.page.get_by_role("region", name="On the table")
        expect(table.locator("dt", has_text=re.compile("^Winner$")).last.locator("+ dd")).to_have_text(winner)
    points = ada.page.locator(".generic-seats li", has_text=winner).locator("dd").first
    expect(points).to_have_text(str(POINTS))
    ada.page.get_by_role("tab", name="Log").click()
    lines = ada.page.locator(".log li").all_inner_texts()
    assert any(re.fullmatch(r"(Ada|Ben): decided \(swapped\)", line) for line in lines), lines
    assert any(re.search(rf"winner {winner}\)", line) for line in lines)
    assert not any("skip" in line or "_" in line for line in lines)

    # The record tells each deal.
    ada.go(f"/history/{code}/1")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Round 1")
    expect(ada.page.locator(".generic-replay li", has_text="Deal ended")).to_have_count(1)
    ada.go("/me")
    expect(ada.page.get_by_text("Deals", exact=True)).to_be_visible()


def test_the_page_made_from_a_contract_can_be_used_by_everybody(
    new_page: Callable[..., Page], card_house: House
) -> None:
    ada = Visitor(new_page(), card_house.url, "Ada")
    ben = Visitor(new_page(locale="de-DE"), card_house.url, "Ben")
    code = open_table(ada)
    check_page(ada.page)
    ada.sit()
    ben.go(f"/t/{code}")
    ben.page.get_by_label("Dein Name").fill("Ben")
    ben.page.get_by_role("button", name="Platz nehmen").click()
    ada.press("Start the game")
    for turn in range(3):
        until(ada.page, lambda: (ada.view()["legal"] is None) != (ben.view()["legal"] is None))
        actor = ada if ada.view()["legal"] is not None else ben
        before = actor.view()["turn"]
        actor.page.get_by_role("button", name=("Swap", "Keep")[turn % 2]).click()
        ada.turn_passes(before)
        ben.turn_passes(before)
        level(ada, ben)
    expect(ben.page.get_by_text("Punkte").first).to_be_visible()
    check_page(ada.page)
    check_page(ben.page)
    ada.go("/")
    expect(ada.page.get_by_role("radio")).to_have_count(4)
    ada.page.get_by_role("radio", name="High Card").check()
    ada.page.get_by_label("Points that win the game").wait_for()
    check_page(ada.page)


def test_an_action_with_fields_has_a_form(new_page: Callable[..., Page], card_house: House) -> None:
    """Bounds, choices, a switch, players by name, only values that the turn allows; a refusal in the game's words."""
    ada = Visitor(new_page(viewport={"width": 360, "height": 740}), card_house.url, "Ada")
    ben = Guest(card_house.url, "Ben")
    code = ben.open_table("auction", most=50)
    ada.sit(f"/t/{code}")
    ben.sit(code)
    ben.start(code)
    ada.press("Offer…")
    form = ada.page.get_by_role("form", name="Offer")
    amount = form.get_by_label("Chips")
    assert (amount.get_attribute("min"), amount.get_attribute("max")) == ("1", "1000")
    assert form.get_by_label("Lot").locator("option").all_inner_texts() == ["Old clock", "K♠", "Q♥"]
    assert form.get_by_label("Who will win?").locator("option").all_inner_texts() == ["Ada", "Ben"]
    assert form.get_by_label("Tone").locator("option").all_inner_texts() == ["Calm", "Very loud"]
    check_page(ada.page)
    amount.fill("60")
    form.get_by_role("button", name="Offer").click()
    expect(ada.page.locator(".toast")).to_have_text("So much is not taken here")
    ada.page.locator(".toast").get_by_role("button", name="Close").click()

    ada.press("Offer…")
    amount.fill("40")
    form.get_by_label("Lot").select_option(label="K♠")
    form.get_by_label("Who will win?").select_option(label="Ben")
    form.get_by_label("Tone").select_option(label="Very loud")
    form.get_by_label("Quietly").check()
    form.get_by_role("button", name="Offer").click()
    row = ada.page.get_by_role("region", name="On the table").get_by_role("row").nth(1)
    expect(row.get_by_role("cell").nth(0)).to_have_text("Ada")
    expect(row.get_by_role("cell").nth(1)).to_have_text("40")
    expect(row.get_by_role("img", name="King of spades")).to_be_visible()
    expect(row.get_by_role("cell").nth(3)).to_have_text("Very loud")
    (told,) = [event for event in events(ben, code) if event["type"] == "offered"]
    assert {name: told[name] for name in ("seat", "amount", "lot", "player", "tone", "quiet")} == {
        "seat": 0, "amount": 40, "lot": "Ks", "player": 1, "tone": "very_loud", "quiet": True,
    }  # fmt: skip
    ben.act(code, type="offer", amount=5, lot="Qh", player=0)
    expect(ada.page.get_by_text("The game is over.")).to_be_visible()
    ada.page.get_by_role("tab", name="Log").click()
    expect(ada.page.locator(".log li", has_text="Auction ended (winner Ada)")).to_be_visible()
    check_page(ada.page)


def events(guest: Guest, code: str) -> list[dict[str, Any]]:
    request = urllib.request.Request(
        f"{guest.base}/api/v1/tables/{code}/events", headers={"Authorization": f"Bearer {guest.token}"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return [json.loads(line) for line in answer.read().splitlines()]


BRANCH = re.compile(r"""["'`](holdem|chess)["'`]""")
WORDS = re.compile(r"(withWords|loadWords)\([^\n]*\)")
"""The areas of the catalogue are named after the games; to load the words of one is no branch."""


def test_nothing_but_the_games_themselves_knows_their_names() -> None:
    source = ROOT / "web" / "src"
    found = []
    for path in source.rglob("*.ts*"):
        part = path.relative_to(source)
        if part.parts[0] in ("games", "i18n", "api"):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if BRANCH.search(WORDS.sub("", line)):
                found.append(f"{part}:{number}: {line.strip()}")
    assert found == []
