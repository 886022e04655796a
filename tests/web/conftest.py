"""Browsers and a house for them to play in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.patience import PATIENCE

from .browsers import launch
from .house import House
from .visitors import Shown, Visitor

SHOWN = pytest.StashKey[list[Shown]]()

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.start()
    yield house
    house.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A house that a test may kill."""
    house = House(tmp_path)
    house.start()
    yield house
    house.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """The one browser of a worker, and the loop that Playwright marks as the running one of this thread."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser for the tests of one file. While Playwright's loop is marked as running no other can run, so the
    mark is taken away where other files may come, whose tests are coroutines."""
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    assert browser.contexts == [], "each test closes what it has opened"
    asyncio._set_running_loop(None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails says what its pages showed."""
    report = yield
    if report.when == "call" and report.failed:
        for number, page in enumerate(item.stash.get(SHOWN, []), 1):
            report.sections.append((f"page {number}", page.told()))
    return report


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a browser profile of its own; an error on any of them fails the test."""
    shown = request.node.stash.setdefault(SHOWN, [])
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def new_page(**options: Any) -> Page:
        options.setdefault("locale", "en-GB")
        options.setdefault("viewport", {"width": 1280, "height": 800})
        options.setdefault("service_workers", "block")  # it fetches the whole app again for each profile
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        shown.append(Shown(page))
        return page

    yield new_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def visit(new_page: Callable[..., Page], house: House) -> Callable[..., Visitor]:
    """Opens a browser for somebody, who may go to any page of the house.

    They ask for reduced motion, which takes the browser less of the processor: tests of motion ask for it.
    """

    def visit(name: str = "", **options: Any) -> Visitor:
        options.setdefault("reduced_motion", "reduce")
        return Visitor(new_page(**options), house.url, name)

    return visit


class Blank(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another site</title>")

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def other_site() -> Iterator[str]:
    """The address of a site that is not the server's, with an empty page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
