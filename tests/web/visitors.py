"""Somebody with a browser: what they do at a table, in the words of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import Error, Page, Request, WebSocket, expect
from tests.patience import wait_until

Found = TypeVar("Found")


def until(page: Page, holds: Callable[[], Found | None]) -> Found:
    """Wait for something for which Playwright has no event, while the page goes on."""
    return wait_until(holds, pause=lambda: page.wait_for_timeout(20))


class Shown:
    """What a page shows, for whoever reads of a test that failed."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._errors: list[str] = []
        self._pending: list[Request] = []
        page.on("request", lambda request: self._pending.append(request))
        page.on("requestfinished", self._over)
        page.on("requestfailed", self._over)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("console", lambda line: self._errors.append(line.text) if line.type == "error" else None)
        page.on("requestfailed", lambda request: self._errors.append(f"{request.url}: {request.failure}"))

    def _over(self, request: Request) -> None:
        if request in self._pending:
            self._pending.remove(request)

    def told(self) -> str:
        try:
            text = self._page.locator("body").inner_text(timeout=5000)
            text += "\nfocus: " + self._page.evaluate("document.activeElement?.outerHTML.slice(0, 200)")
        except Error as error:  # it may hang, be closed, or have no body yet
            text = str(error)
        waiting = [f"still waits for {request.url}" for request in self._pending]
        return "\n".join([self._page.url, *(f"error: {error}" for error in self._errors), *waiting, text])


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
        until(self.page, lambda: (self.view()["you"] or {}).get("seats"))

    def press(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=name, exact=isinstance(name, str)).click()

    def view(self) -> dict[str, Any]:
        """The view as the server has told it, once it has: the last whole one, with the patches since."""
        return until(self.page, self._told)

    def _told(self) -> dict[str, Any] | None:
        patches: list[dict[str, Any]] = []
        for frame in reversed(self.frames):
            message = json.loads(frame)
            if "view" in message:
                view: dict[str, Any] = message["view"]
                for patch in reversed(patches):
                    view |= patch
                return view
            patches.append(message.get("patch", {}))
        return None

    def expect_view(self, holds: Callable[[dict[str, Any]], object]) -> None:
        """Wait until the server has told a view of which this holds."""
        wait_until(lambda: holds(self.view()), self.view, lambda: self.page.wait_for_timeout(20))

    def at_rest(self) -> None:
        """Wait until the poker table shows the newest view: everything has been dealt, turned and paid."""
        self.page.wait_for_function(
            "seq => document.querySelector('[data-stage]').dataset.seq === String(seq)", arg=self.view()["seq"]
        )

    def cards(self) -> list[str]:
        """One's own cards, once they have come."""
        until(self.page, lambda: self.view()["private"] is not None)
        cards: list[str] = self.view()["private"]["cards"]
        return cards

    def key(self, key: str) -> None:
        """Press a key once the turn has come and may be answered, and wait until it has been taken."""
        expect(self.page.get_by_role("button", name="Fold")).to_be_enabled()
        turn = self.view()["turn"]
        self.page.keyboard.press(key)
        self.turn_passes(turn)

    def turn_passes(self, turn: int) -> None:
        """Wait until a turn that was answered is over."""
        until(self.page, lambda: self.view()["turn"] != turn)

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
    return until(visitors[0].page, lambda: next((visitor for visitor in visitors if visitor.on_turn()), None))


def level(*visitors: Visitor) -> None:
    """Waits until all of them have heard of the same events."""
    until(visitors[0].page, lambda: len({visitor.view()["seq"] for visitor in visitors}) <= 1)


def have_typefaces(page: Page) -> None:
    """Wait until the typefaces, which come after everything else, have taken the place of the machine's own."""
    page.wait_for_function(
        "() => document.fonts.status === 'loaded'"
        " && [...document.fonts].some(({ family, status }) => family.includes('Parlour Text') && status === 'loaded')"
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
