"""Log lines for operators: few, structured, and without anything secret.

A path can hold the code of a private table and a query can hold a ticket, so a request is logged by its route. The text
of an exception can hold anything, so a fault is logged as `parlour.faults` tells it. That goes for complaints of Python
itself and of libraries as well. Each line names the machine, and the node where there are several.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any

import structlog
from aiohttp import web

from parlour.faults import traced

log = structlog.stdlib.get_logger("parlour")

_here = {"host": socket.gethostname()}


class LogLines(structlog.PrintLogger):
    """Writes log lines. One that cannot be written is lost: a full disk, or a pipe that nobody reads any more, must not
    keep a command from its answer."""

    def msg(self, message: str) -> None:
        with suppress(OSError):
            super().msg(message)

    debug = info = warning = error = critical = msg


def configure(json: bool, level: str = "info") -> None:
    """Write log lines to stderr, one JSON object each or for reading in a terminal."""
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            _locate,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: LogLines(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[FromLibraries()], level=logging.WARNING, force=True)
    sys.excepthook = _died
    threading.excepthook = lambda died: _died(died.exc_type, died.exc_value, died.exc_traceback)


def name_node(node: str) -> None:
    """From now on each line names this node."""
    _here["node"] = node


def _locate(logger: object, method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    return {**event, **_here}


class FromLibraries(logging.Handler):
    """What libraries log, which have no idea of what is secret: who, where and what kind of error, not their words."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        place = f"{record.filename}:{record.lineno} {record.funcName}"
        told: dict[str, Any] = {"logger": record.name, "where": place, **(traced(error) if error is not None else {})}
        log.log(record.levelno, "a library complains", **told)


def complaint(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The exception handler of the event loop: somebody's error that nobody has waited for."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        fault(error, "event loop")
    else:
        log.error("fault", where="event loop")


def _died(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """The process, or a thread of it, ends with an error that nobody expected."""
    if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
        fault(error, "process" if threading.current_thread() is threading.main_thread() else "thread")


def route(request: web.BaseRequest) -> str:
    """The pattern that the request matched, never the path itself."""
    match = getattr(request, "match_info", None)
    resource = match.route.resource if match is not None else None
    return resource.canonical if resource is not None else "unknown"


def fault(error: BaseException, where: str) -> None:
    """A fault of the server's own: what kind, and where in the code; not what it says."""
    log.error("fault", where=where, **traced(error))
