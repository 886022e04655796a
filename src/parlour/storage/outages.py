"""Why a database cannot be used just now, in words for players and operators."""

from __future__ import annotations

from parlour.tables.errors import Unavailable

TIME_LIMIT = 5.0
"""Seconds that a database may take to answer, unless the operator says otherwise."""
RETRY_AFTER = 5
"""Seconds after which a client may ask again: most outages are restarts."""


def silent() -> Unavailable:
    return Unavailable(
        "database_silent",
        "the database does not answer; what you just did may or may not have been stored,"
        " and repeating it with the same key finds out",
        RETRY_AFTER,
    )


def full() -> Unavailable:
    return Unavailable(
        "disk_full", "the server's disk is full or cannot be written to; nothing was changed", RETRY_AFTER
    )


def busy() -> Unavailable:
    return Unavailable(
        "database_busy", "another program is writing to the database for long; nothing was changed", RETRY_AFTER
    )


def closed() -> Unavailable:
    return Unavailable("not_ready", "the server is stopping; nothing was changed", RETRY_AFTER)
