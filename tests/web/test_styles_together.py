"""Style sheets come when a page needs them and stay: none may change what another page looks like."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .contests import at_table, known
from .house import House
from .looks import resize
from .visitors import Visitor

Visit = Callable[..., Visitor]
SOURCE = Path(__file__).resolve().parents[2] / "web/src"
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}

IMPORT = re.compile(r"""(?:from\s+|import\s+|(import)\()["'](\.[^"']+)["']""")
CLASS = re.compile(r'class=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})')
BARE = re.compile(r"\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?)*")
"""A class with nothing else but states of it: the rule holds wherever the class is used."""

SHARED = {
    "at-tournament": "the strip is part of the table's head where a tournament is played",
    "table-head": "the strip changes the head in which it is",
    "fills-window": "the table of chess changes the page in which it is",
}
"""Classes that a sheet styles on purpose in a part that comes without it."""


def reached(start: Iterable[Path], links: dict[Path, set[Path]]) -> set[Path]:
    seen = set(start)
    todo = list(seen)
    while todo:
        new = links[todo.pop()] - seen
        seen |= new
        todo += new
    return seen


def classes_in(code: str) -> set[str]:
    found: set[str] = set()
    for plain, computed in CLASS.findall(code):
        found.update(plain.split())
        for quoted in re.findall(r'"([^"]*)"|`((?:[^`$]|\$\{[^}]*\})*)`', computed):
            found.update(word for text in quoted for word in re.sub(r"[\w-]*\$\{[^}]*\}[\w-]*", " ", text).split())
    return found


def styled_bare(sheet: Path) -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    selectors = [one.strip() for head in re.findall(r"([^{};]+)\{", text) for one in re.split(r",(?![^(]*\))", head)]
    return {match[1] for selector in selectors if (match := BARE.fullmatch(selector))}


def test_no_sheet_styles_a_class_of_a_part_that_comes_without_it() -> None:
    """Otherwise the part looks different once a page that brings the sheet has been open."""
    below: dict[Path, set[Path]] = defaultdict(set)
    above: dict[Path, set[Path]] = defaultdict(set)
    sources = {path: path.read_text() for path in SOURCE.rglob("*.ts*")}
    for path, code in sources.items():
        for later, name in IMPORT.findall(re.sub(r"import type [^;]*;", "", code)):
            other = (path.parent / name).resolve()
            if not later:
                below[path].add(other)
            # A game's entry only names its parts, which come by themselves.
            if not later or path.name not in ("entry.ts", "index.ts"):
                above[other].add(path)
    bare = {sheet: styled_bare(sheet) for sheet in (SOURCE / "styles").glob("*.css")}
    assert "board" in bare[SOURCE / "styles/chess-board.css"]
    always = reached([SOURCE / "main.tsx"], below)
    room = {SOURCE / "styles/table.css", SOURCE / "styles/history.css"}
    faults = []
    for path, code in sources.items():
        # A part is always there with those that bring it. A game is shown on the page of a table or of its history.
        around = always | reached(reached([path], above), below) | (room if SOURCE / "games" in path.parents else set())
        words = classes_in(code) - SHARED.keys()
        faults += [
            f"{path.relative_to(SOURCE)} uses '{word}', which {sheet.name} styles"
            for sheet, styled in bare.items()
            if sheet not in around
            for word in words & styled
        ]
    assert sorted(faults) == []


LOOK = """names => names.flatMap((name) => {
  const element = document.querySelector(name);
  if (!element) return [`${name} is not there`];
  const style = getComputedStyle(element);
  return ['display', 'position', 'padding', 'margin', 'font-size', 'gap', 'aspect-ratio', 'grid-template-columns']
    .map((property) => `${innerWidth} px, ${name}: ${property}: ${style.getPropertyValue(property)}`);
})"""


def looks(page: Page, *names: str) -> list[str]:
    """How these elements look on a phone and on a desk."""
    found: list[str] = []
    for size in (PHONE, DESK):
        resize(page, size["width"], size["height"])
        found += page.evaluate(LOOK, list(names))
    assert [line for line in found if line.endswith("is not there")] == []
    return found


def from_the_lobby_of_chess(visit: Visit, house: House) -> Visitor:
    """Somebody who has looked at what the lobby has for chess, and at nothing else."""
    ada, _ = known(visit, house, "Ada", viewport=PHONE)
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check(force=True)
    expect(ada.page.locator("link[rel=stylesheet][href*=chess-board]")).to_have_count(1)
    return ada


OVER = """() => {
  const box = (element) => element.getBoundingClientRect();
  const board = [...document.querySelectorAll('[data-spot^=board-]')].map(box);
  const hand = [...document.querySelectorAll('.hand.own .card')].map(box);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return { board: board.length, hand: hand.length, over: board.filter((a) => hand.some((b) => meet(a, b))).length };
}"""


@pytest.mark.slow
def test_the_poker_table_looks_the_same_after_the_lobby_of_chess(visit: Visit, house: House) -> None:
    ada = from_the_lobby_of_chess(visit, house)
    page = ada.page
    page.get_by_role("radio", name="Hold'em").check(force=True)
    ada.press("Play against the house")
    at_table(ada)
    ada.expect_turn()
    parts = ("[data-spot=board]", ".panel-button", ".invite-button", ".table-head", ".hand.own")
    expect(page.locator(".hand.own .card")).to_have_count(2)
    ada.at_rest()
    for size in (DESK, PHONE):
        resize(page, size["width"], size["height"])
        assert page.evaluate(OVER) == {"board": 5, "hand": 2, "over": 0}
    came = looks(page, *parts)
    expect(page.locator(".panel-button")).to_be_hidden()
    page.reload()
    expect(page.locator(".hand.own .card")).to_have_count(2)
    assert looks(page, *parts) == came


@pytest.mark.slow
def test_the_page_of_tournaments_looks_the_same_after_the_lobby(visit: Visit, house: House) -> None:
    ada = from_the_lobby_of_chess(visit, house)
    parts = (".tour-presets", ".tour-presets .preset", ".tour-choice")
    ada.page.locator('a[href="/tournaments"]').first.click()
    ada.page.locator(".tour-presets").wait_for()
    came = looks(ada.page, *parts)
    # Their own sheet says so, over the two columns that presets have in the lobby.
    boxes = [preset.bounding_box() for preset in ada.page.locator(".tour-presets .preset").all()]
    assert len({box["x"] for box in boxes if box}) == 3
    ada.page.reload()
    ada.page.locator(".tour-presets").wait_for()
    assert looks(ada.page, *parts) == came


@pytest.mark.slow
def test_the_chess_table_and_its_menu_look_the_same_after_the_lobby(visit: Visit, house: House) -> None:
    ada = from_the_lobby_of_chess(visit, house)
    page = ada.page
    ada.press("White")
    bar = (".player-bar", ".player-bar .avatar")
    parts = (*bar, ".invite-button", ".panel-button", ".pictures", ".picture", ".picture input")
    seen = []
    for _ in range(2):
        page.locator("cg-board piece").first.wait_for()
        ada.press("Menu")
        # The pictures are the buttons of the choice; those of the browser are only there for the keyboard.
        expect(page.locator(".picture input").first).to_have_css("opacity", "0")
        expect(page.locator(".pictures").first).to_have_css("display", "grid")
        seen.append(looks(page, *parts))
        page.reload()
    assert seen[0] == seen[1]
