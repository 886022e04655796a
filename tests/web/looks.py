"""What any page is held to: how it is laid out, and what axe says of it; and where the squares of a chess board lie."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SIZES = ((320, 568), (360, 740), (412, 915), (1280, 640), (1280, 800))
LOOKS = 10
REST = """async () => {
    const places = () => JSON.stringify([...document.querySelectorAll('body *')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
    }));
    const since = performance.now();
    let before = places();
    let same = 0;
    while (same < 5 && performance.now() - since < 10_000) {
        await new Promise((done) => setTimeout(done, 40));
        await new Promise((done) => requestAnimationFrame(done));
        const now = places();
        same = now === before ? same + 1 : 0;
        before = now;
    }
}"""
"""Resolves once nothing has moved for a while."""
FAULTS = Path(__file__).with_name("faults.js").read_text()


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until the page has followed: on a busy machine that takes a while."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("size => innerWidth === size[0] && innerHeight === size[1]", arg=[width, height])
    page.evaluate(REST)


def check_page(page: Page, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """The page as it stands, at every size and in both themes."""
    faults: list[str] = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{width} px: {fault}" for fault in _faults_that_stay(page)]
    assert not faults, "\n".join(faults)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        told = [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in violations]
        assert told == [], theme


def _faults_that_stay(page: Page) -> list[str]:
    """Faults of the layout once it has come to rest: a busy machine may take a while after a change of the size."""
    for _ in range(LOOKS):
        found: list[str] = page.evaluate(FAULTS)
        if not found:
            break
        page.evaluate(REST)
    return found


def centre(page: Page, square: str, black: bool = False) -> tuple[float, float]:
    """The middle of a square, seen from White's side or Black's."""
    box = page.locator("cg-board").bounding_box()
    assert box
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    column, row = (7 - file, rank) if black else (file, 7 - rank)
    return box["x"] + (column + 0.5) * box["width"] / 8, box["y"] + (row + 0.5) * box["height"] / 8
