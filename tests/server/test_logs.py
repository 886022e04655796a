"""Log lines: each says where it comes from, and none repeats what an error says."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from parlour.server.monitoring import logs

TOKEN, CARD = "a-token-of-ann", "As Kd"

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Lines]:
    """What a server with JSON logs has written so far; nothing else may be on stderr."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(logs, "_here", dict(logs._here))
    logs.configure(json=True)
    yield lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)


def failure() -> Exception:
    """An error with secrets in its arguments, in its cause and in local values."""
    hand = CARD
    try:
        try:
            raise ValueError(TOKEN, hand)
        except ValueError as error:
            raise RuntimeError(f"{hand} of {TOKEN}") from error
    except RuntimeError as error:
        return error


def check(line: dict[str, Any]) -> None:
    assert line["error"] == "RuntimeError"
    assert any(place.endswith(" failure") for place in line["trace"])
    assert line["after"][0].startswith("ValueError at ")
    assert TOKEN not in json.dumps(line)
    assert CARD not in json.dumps(line)


def test_each_line_names_machine_and_node(lines: Lines) -> None:
    logs.log.info("alone")
    logs.name_node("west")
    structlog.get_logger("parlour.tables.live.pipeline").warning("with others")
    alone, with_others = lines()
    assert alone["host"] == with_others["host"] == socket.gethostname()
    assert "node" not in alone
    assert with_others["node"] == "west"


def test_a_fault_is_traced_without_its_words(lines: Lines) -> None:
    logs.fault(failure(), "here")
    (line,) = lines()
    assert (line["event"], line["where"]) == ("fault", "here")
    check(line)


def test_what_ends_the_process_or_a_thread_is_traced_without_its_words(lines: Lines) -> None:
    error = failure()
    sys.excepthook(type(error), error, error.__traceback__)

    def die() -> None:
        raise error

    thread = threading.Thread(target=die)
    thread.start()
    thread.join()
    of_process, of_thread = lines()
    assert (of_process["where"], of_thread["where"]) == ("process", "thread")
    check(of_process)
    check(of_thread)


def test_a_task_that_nobody_waits_for_is_traced_without_its_words(lines: Lines) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(logs.complaint)
        loop.call_exception_handler({"message": TOKEN, "exception": failure()})
        loop.call_exception_handler({"message": TOKEN})

    asyncio.run(main())
    with_error, without = lines()
    check(with_error)
    assert without["where"] == "event loop"
    assert TOKEN not in json.dumps(without)


def test_complaints_of_libraries_come_without_their_words(lines: Lines) -> None:
    logging.getLogger("asyncpg").error("no %s", TOKEN, exc_info=failure())
    logging.getLogger("aiohttp.server").warning(traceback.format_exception(failure()))
    with_error, without = lines()
    check(with_error)
    assert (with_error["logger"], without["logger"]) == ("asyncpg", "aiohttp.server")
    assert (with_error["level"], without["level"]) == ("error", "warning")
    assert TOKEN not in json.dumps(without)
