"""Log lines for operators: few, structured, and without anything secret.

A path can hold the code of a private table and a query can hold a ticket, so a request is logged by its route. The text
of an exception can hold anything, so a fault is logged by its type and the places in the code that it went through.
"""

from __future__ import annotations

import logging
import sys
import traceback
from contextlib import suppress

import structlog
from aiohttp import web

log = structlog.stdlib.get_logger("parlour")


class Lines(structlog.PrintLogger):
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
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: Lines(sys.stderr),
        cache_logger_on_first_use=False,
    )


def route(request: web.BaseRequest) -> str:
    """The pattern that the request matched, never the path itself."""
    match = getattr(request, "match_info", None)
    resource = match.route.resource if match is not None else None
    return resource.canonical if resource is not None else "unknown"


def fault(error: BaseException, where: str) -> None:
    """A fault of the server's own: what kind, and where in the code; not what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    log.error(
        "fault",
        where=where,
        error=type(error).__name__,
        trace=[f"{frame.filename.rpartition('parlour/')[2]}:{frame.lineno} {frame.name}" for frame in frames[-12:]],
    )
