"""Somebody with a browser: what they do at a table, in the words of the page."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

PATIENCE = 60_000
"""Milliseconds until something that must come is missing: a busy machine has stood still for half a minute."""


class Visitor:
    def __init__(self, page: Page, base: str, name: str) -> None:
        self.page = page
        self.base = base
        self.name = name
        self.frames: list[str] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    @property
    def code(self) -> str:
        self.page.wait_for_url(re.compile(r"/t/[A-Z0-9]+$"))
        return self.page.url.rsplit("/", 1)[1]

    def introduce(self) -> None:
        """Answer the question for a name."""
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Continue").click()

    def sit(self, path: str | None = None) -> None:
        """Sit down, giving a name where one is asked for."""
        if path:
            self.go(path)
        button = self.page.get_by_role("button", name="Sit down")
        button.wait_for()
        name = self.page.get_by_label("Your name")
        if name.count():
            name.fill(self.name)
        button.click()
        while not (self.view()["you"] or {}).get("seats"):
            self.page.wait_for_timeout(20)

    def press(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=name, exact=isinstance(name, str)).click()

    def view(self) -> dict[str, Any]:
        """The view as the server has told it: the last whole one, with the patches since."""
        patches: list[dict[str, Any]] = []
        for frame in reversed(self.frames):
            message = json.loads(frame)
            if "view" in message:
                view: dict[str, Any] = message["view"]
                for patch in reversed(patches):
                    view |= patch
                return view
            patches.append(message.get("patch", {}))
        raise AssertionError("no view has come")

    def expect_view(self, holds: Callable[[dict[str, Any]], object]) -> None:
        """Wait until the server has told a view of which this holds."""
        until = time.monotonic() + PATIENCE / 1000
        while not holds(self.view()):
            assert time.monotonic() < until, self.view()
            self.page.wait_for_timeout(20)

    def at_rest(self) -> None:
        """Wait until the poker table shows the newest view: everything has been dealt, turned and paid."""
        self.page.wait_for_function(
            "seq => document.querySelector('[data-stage]').dataset.seq === String(seq)", arg=self.view()["seq"]
        )

    def cards(self) -> list[str]:
        """One's own cards, once they have come."""
        while self.view()["private"] is None:
            self.page.wait_for_timeout(20)
        cards: list[str] = self.view()["private"]["cards"]
        return cards

    def key(self, key: str) -> None:
        """Press a key once the turn has come and may be answered, and wait until it has been taken."""
        expect(self.page.get_by_role("button", name="Fold")).to_be_enabled()
        turn = self.view()["turn"]
        self.page.keyboard.press(key)
        while self.view()["turn"] == turn:
            self.page.wait_for_timeout(20)

    def on_turn(self) -> bool:
        return self.page.get_by_role("group", name="Your turn").is_visible()

    def expect_turn(self) -> None:
        expect(self.page.get_by_role("group", name="Your turn")).to_be_visible()

    def expect_no_turn(self) -> None:
        expect(self.page.get_by_role("group", name="Your turn")).to_have_count(0)

    def expect_text(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()


def whose_turn(*visitors: Visitor) -> Visitor:
    """Waits until one of them is to act."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        for visitor in visitors:
            if visitor.on_turn():
                return visitor
        visitors[0].page.wait_for_timeout(50)
    raise AssertionError("nobody's turn came")


def level(*visitors: Visitor) -> None:
    """Waits until all of them have heard of the same events."""
    while len({visitor.view()["seq"] for visitor in visitors}) > 1:
        visitors[0].page.wait_for_timeout(20)


def have_typefaces(page: Page) -> None:
    """Wait until the typefaces, which come after everything else, have taken the place of the machine's own."""
    page.wait_for_function(
        "() => document.fonts.status === 'loaded'"
        " && [...document.fonts].some(({ family, status }) => family.includes('Parlour Text') && status === 'loaded')"
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
