"""Writes docs/screen-reader.md: what a screen reader says of a hand and of a game of chess, from the page itself.

python -m tests.web.transcripts
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from .browsers import launch
from .films import PEOPLE, Camera, act, chess, holdem
from .house import House

PAGE = Path(__file__).resolve().parents[2] / "docs/screen-reader.md"
HEAD = """# What a screen reader says

A hand of hold'em and a game of chess as they are spoken, one line for each announcement; after *You can* come the
controls that the keyboard reaches when it is your turn. `make films` writes this page from what the web app says.
"""
RAISED = (("raise", 6), "fold", "call", "call", "check", "check")
SPOKEN = """() => [...document.querySelectorAll('[role=log][aria-live] p')].map((line) => line.textContent)"""


class Listener:
    """Writes down what the page adds to its live region."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.heard: list[str] = self.spoken()
        self.lines: list[str] = []

    def spoken(self) -> list[str]:
        lines: list[str] = self.camera.page.evaluate(SPOKEN)
        return lines

    def listen(self) -> None:
        self.camera.page.clock.run_for(100)
        now = self.spoken()
        fresh = next(now[-count:] if count else [] for count in range(len(now) + 1) if ends(self.heard, now, count))
        self.lines += [f"- {line}" for line in fresh]
        self.heard = now

    def controls(self) -> None:
        """What one may do now."""
        self.camera.page.clock.run_for(600)
        names = self.camera.page.get_by_role("group", name="Your turn").locator("button, input").all()
        said = [name.get_attribute("aria-label") or name.inner_text().replace("\n", " ") for name in names]
        if said:
            self.lines.append(f"  - *You can:* {' · '.join(part for part in said if part)}")


def ends(before: list[str], now: list[str], fresh: int) -> bool:
    """Whether the lines now are the last ones from before, and so many new ones."""
    kept = now[: len(now) - fresh]
    return not kept or before[-len(kept) :] == kept


def hand(camera: Camera, house: House) -> list[str]:
    told = holdem(camera, house, [200, 60, 200, 200], "As Kd", "7c 7d", "Qh Qs", "9c 8c", board="Ah 7s 2h Jc 4d")
    listener = Listener(camera)
    camera.feed(told.frame(told.trial.start()))
    listener.listen()
    for action in (*RAISED, ("bet", 20), "call", "allin", "fold", "call"):
        if told.trial.actor == 0:
            listener.controls()
        camera.feed(told.frame(act(told, action)))
        listener.listen()
    return listener.lines


def game(camera: Camera, house: House) -> list[str]:
    told = chess(camera, house)
    trial = told.trial
    listener = Listener(camera)
    camera.feed(told.frame(trial.start()))
    listener.listen()
    for uci in ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"):
        trial.now += 1500
        camera.feed(told.frame(trial.act(trial.actor, "move", uci=uci)))
        listener.listen()
    return listener.lines


def main() -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data))
        house.start()
        browser = launch(playwright)
        parts = [HEAD]
        try:
            for title, play in ((f"A hand of hold'em, heard by {PEOPLE[0]}", hand), ("A game of chess", game)):
                camera = Camera(browser, house, "desktop", "light")
                parts += [f"## {title}", "\n".join(play(camera, house)) + "\n"]
                camera.close()
        finally:
            browser.close()
            house.stop()
    PAGE.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
