"""A game that brings no page: the worked example of docs/adding-a-game.md, played in browsers to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .house import House
from .test_pages import check
from .visitors import Visitor, level, whose_turn

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "adding-a-game.md"
POINTS = 3


def install_high_card(folder: Path) -> Path:
    """The page's code as a package that is installed in a folder, with the page's entry point."""
    blocks = {
        language: re.findall(rf"^```{language}\n(.*?)^```$", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        for language in ("python", "toml")
    }
    (folder / "high_card.py").write_text("\n\n".join(blocks["python"]), "utf-8")
    info = folder / "high_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1.0\n")
    (point,) = re.findall(r'^high-card = "(.*)"$', blocks["toml"][0], re.MULTILINE)
    (info / "entry_points.txt").write_text(f"[parlour.games]\nhigh-card = {point}\n")
    return folder


@pytest.fixture(scope="module")
def card_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"), install_high_card(tmp_path_factory.mktemp("packages")))
    house.open()
    yield house
    house.close()


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
    while actor.view()["turn"] == before:
        actor.page.wait_for_timeout(20)


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

    # In the middle of a deal one of them loads the page anew, and finds everything.
    card = ben.view()["private"]["card"]
    ben.page.reload()
    while ben.view()["private"] is None:
        ben.page.wait_for_timeout(20)
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
    check(ada)
    ada.sit()
    ben.go(f"/t/{code}")
    ben.page.get_by_label("Dein Name").fill("Ben")
    ben.page.get_by_role("button", name="Platz nehmen").click()
    ada.press("Start the game")
    for turn in range(3):
        while (ada.view()["legal"] is None) == (ben.view()["legal"] is None):
            ada.page.wait_for_timeout(20)
        actor = ada if ada.view()["legal"] is not None else ben
        before = actor.view()["turn"]
        actor.page.get_by_role("button", name=("Swap", "Keep")[turn % 2]).click()
        while min(ada.view()["turn"], ben.view()["turn"]) == before or ada.view()["seq"] != ben.view()["seq"]:
            ada.page.wait_for_timeout(20)
    expect(ben.page.get_by_text("Punkte").first).to_be_visible()
    check(ada)
    check(ben)
    ada.go("/")
    expect(ada.page.get_by_role("radio")).to_have_count(3)
    ada.page.get_by_role("radio", name="High Card").check()
    ada.page.get_by_label("Points that win the game").wait_for()
    check(ada)


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
