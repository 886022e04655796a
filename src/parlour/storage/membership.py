"""Which databases belong together, and in which order.

Every database gets a name of its own when it is first used as one of several. The first keeps the list of all names, in
order; the others keep the name of the first. URLs are not compared: hosts, ports and passwords may change.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import asyncpg
import msgspec

from parlour.storage import outages
from parlour.storage.connections import connect, ending, starting, why_away
from parlour.storage.postgres import FIRST, LIST, PostgresStore
from parlour.tables.errors import Conflict

NAME = "database"

ORDER = "Give --database for each of them, in the order in which they were added"


async def enrol(databases: Sequence[PostgresStore | None]) -> None:
    """Make sure that these are the databases that belong together, in their order; None stands for one that is away.
    New ones at the end are added. `ValueError` where others are missing, strange or in another order."""
    first = databases[0]
    assert first is not None
    while True:
        known = await first.fact(LIST)
        names = await _checked(databases, known)
        written = msgspec.json.encode(names).decode()
        if written != known:
            try:
                await first.learn(LIST, written, known)
            except Conflict:
                continue  # another process added databases: look again
        for database in databases[1:]:
            if database is not None and await database.fact(FIRST) is None:
                await database.learn(FIRST, names[0], None)
        return


async def why_wait(urls: Sequence[str], time_limit: float) -> ConnectionError | None:
    """Why a start has to wait: the first database is away, or one that is new; None where it need not. One that is
    known may come later. `NotLetIn` where to wait would not help."""
    why = await why_away(urls[0], time_limit)
    if why is not None or len(urls) == 1:
        return why
    try:
        known = await _known(urls[0], time_limit)
    except ConnectionError as error:
        return error
    for number in range(known, len(urls)):
        if await why_away(urls[number], time_limit, outages.DatabasePlace(number, len(urls))) is not None:
            return _new_and_away(number, len(urls))
    return None


async def _known(url: str, time_limit: float) -> int:
    """How many databases the first one knows: itself, where it has not been one of several yet."""
    with starting(url):
        connection = await connect(url, time_limit)
        try:
            with ending(connection, time_limit):
                listed = await connection.fetchval("SELECT value FROM meta WHERE name = $1", LIST)
        except asyncpg.UndefinedTableError:
            listed = None
        finally:
            connection.terminate()
    return len(msgspec.json.decode(listed)) if listed else 1


def _new_and_away(number: int, total: int) -> ConnectionError:
    return ConnectionError(f"{outages.DatabasePlace(number, total)} is new and does not answer")


async def recognise(first: PostgresStore, late: PostgresStore) -> None:
    """Make sure that a database that was away at the start is the one that belongs in its place."""
    names = msgspec.json.decode(await first.fact(LIST) or "[]")
    if names[late.place.number] != await late.fact(NAME):
        raise ValueError(f"{late.place} is not the database that belongs there. {ORDER}")


async def _checked(databases: Sequence[PostgresStore | None], known: str | None) -> list[str]:
    """The names of the databases, where they belong together or may do so from now on."""
    first = databases[0]
    assert first is not None
    if await first.fact(FIRST) is not None:
        raise ValueError(f"{first.place} is not the first of those that it belongs to. {ORDER}")
    listed: list[str] = msgspec.json.decode(known) if known else [await _name(first)]
    if len(databases) < len(listed):
        raise ValueError(f"there are {len(listed)} databases, and {len(databases)} were given. {ORDER}")
    names = listed.copy()
    for number, database in enumerate(databases):
        if database is None:
            if number >= len(listed):
                raise _new_and_away(number, len(databases))
            continue
        name = await _name(database)
        if number < len(listed):
            if name != listed[number]:
                raise ValueError(f"{database.place} {_stranger(name, listed)}. {ORDER}")
            continue
        if name in names:
            raise ValueError(f"{database.place} was given before. {ORDER}")
        owner = await database.fact(FIRST)
        if owner not in (None, names[0]) or await database.fact(LIST) is not None:
            raise ValueError(f"{database.place} belongs to other databases already. Give an empty one")
        if owner is None and await database.is_used():
            raise ValueError(f"{database.place} holds people or tables of its own already. Give an empty one")
        names.append(name)
    return names


def _stranger(name: str, listed: Sequence[str]) -> str:
    if name in listed:
        return f"was number {listed.index(name) + 1} of {len(listed)} before"
    return "is not one of those that belong together"


async def _name(database: PostgresStore) -> str:
    """The name of a database, which it gets here if it has none."""
    while True:
        name = await database.fact(NAME)
        if name is not None:
            return name
        try:
            await database.learn(NAME, secrets.token_hex(8), None)
        except Conflict:
            continue
