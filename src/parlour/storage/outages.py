"""Why a database cannot be used just now, in words for players and operators."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from parlour.tables.errors import Unavailable

TIME_LIMIT = 5.0
"""Seconds that a database may take to answer, unless the operator says otherwise."""
RETRY_AFTER = 5
"""Seconds after which a client may ask again: most outages are restarts."""


class DatabasePlace(NamedTuple):
    """Which of several databases one is."""

    number: int = 0
    """Counted from 0, the first."""
    total: int = 1

    def __str__(self) -> str:
        return "the database" if self.total == 1 else f"database {self.number + 1} of {self.total}"


ALONE = DatabasePlace()


class NotLetIn(ConnectionError):
    """PostgreSQL answers, but not as it should: it refuses the connection, or has no place for tables."""


def silent(place: DatabasePlace = ALONE) -> Unavailable:
    return Unavailable(
        "database_silent",
        f"{place} does not answer; what you just did may or may not have been stored,"
        " and repeating it with the same key finds out",
        RETRY_AFTER,
        place.number,
    )


def read_only(place: DatabasePlace = ALONE) -> Unavailable:
    """Players can do no more about it than where the database is silent, so that it has the same code."""
    return Unavailable("database_silent", f"{place} is read-only; nothing was changed", RETRY_AFTER, place.number)


def full(place: DatabasePlace = ALONE) -> Unavailable:
    disk = "the server's disk" if place.total == 1 else f"the disk of {place}"
    return Unavailable(
        "disk_full", f"{disk} is full or cannot be written to; nothing was changed", RETRY_AFTER, place.number
    )


def busy() -> Unavailable:
    return Unavailable(
        "database_busy", "another program is writing to the database for long; nothing was changed", RETRY_AFTER
    )


def closed() -> Unavailable:
    return Unavailable("not_ready", "the server is stopping; nothing was changed", RETRY_AFTER)


def fenced() -> Unavailable:
    return Unavailable(
        "owner_changed", "another server has taken this table over; nothing was changed, so try again", 1
    )


def not_there(error: Exception, place: DatabasePlace = ALONE) -> ConnectionError:
    """At the start: nobody waits, and the operator is told why."""
    which = "" if place.total == 1 else f", {place},"
    return ConnectionError(f"PostgreSQL{which} does not answer ({error or type(error).__name__})")


def not_usable(error: Exception, url: str, place: DatabasePlace = ALONE) -> NotLetIn:
    """At the start, where PostgreSQL does answer: what it said."""
    which = "" if place.total == 1 else f", {place},"
    return NotLetIn(f"the database{_where(url)}{which} cannot be used. PostgreSQL says: {error}")


def _where(url: str) -> str:
    """Name and host of a database, without the password: that may stand before the host or among the parameters."""
    parts = urlsplit(url)
    name = parts.path.removeprefix("/")
    host = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", [""])[0]
    return (f" {name}" if name else "") + (f" at {host}" if host else "")
