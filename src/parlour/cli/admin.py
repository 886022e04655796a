"""`parlour admin`: what an operator does with the data of the house."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import typer

from parlour.cli import _terminal as terminal
from parlour.cli._settings import Json

if TYPE_CHECKING:
    from parlour.tables import Identity, Parlour
    from parlour.tables.people import Device
    from parlour.tables.records.archive import Rebuilt
    from parlour.tables.records.repair import Damage
    from parlour.tables.suggestions import Suggestion

T = TypeVar("T")

PATIENCE = 600.0
"""Seconds that the database may take for one step: such work may be long, and nobody waits to play."""

TAKE_DASHES = {"ignore_unknown_options": True}
"""For commands that take ids and names, which may begin with a dash."""

app = typer.Typer(add_completion=False, help="Look after the data of the house.", no_args_is_help=True)

Data = Annotated[
    Path,
    typer.Option(envvar="PARLOUR_DATA", help="The folder with the database and the key.", file_okay=False),
]
Database = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLOUR_DATABASE",
        help="A PostgreSQL URL, in place of SQLite in the data folder. May be given again, as for the server.",
    ),
]
Who = Annotated[str, typer.Argument(help="The id of a person, or their name.")]
TokenId = Annotated[str | None, typer.Argument(help="The id of one device, as listed; all devices without it.")]
Codes = Annotated[
    list[str] | None, typer.Argument(help="The codes of the tables to mend; none to list what is damaged.")
]
Source = Annotated[Path, typer.Argument(help="A file that `parlour admin backup` or the operator's page has made.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="Also where the folder has a database, which is kept under another name.")
]
AnyKey = Annotated[
    bool, typer.Option("--any-key", help="Also where the key of the backup is lost: its hidden cards stay closed.")
]
Target = Annotated[Path, typer.Argument(help="The new file. There must be none of that name yet.")]


@app.callback()
def before_every_command() -> None:
    os.umask(0o077)  # what is written here is for its owner alone


@app.command()
def rebuild(data: Data = Path("parlour-data"), database: Database = None) -> None:
    """Derive all histories, ledgers, statistics and snapshots from the log again. The server may be running."""
    rebuilt = asyncio.run(_with_house(data, database, _rebuild))
    typer.echo(f"derived the records of {_tables(rebuilt.tables)} from the log")
    if rebuilt.unread:
        typer.echo(f"{_tables(len(rebuilt.unread))} cannot be read and {_have(len(rebuilt.unread))} no records now:")
        for table in rebuilt.unread:
            typer.echo(f"    {table.code}  {table.game}  {table.reason}: {table.message}")
        typer.echo("see parlour admin repair")


def _tables(count: int) -> str:
    return f"{count} {'table' if count == 1 else 'tables'}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


async def _rebuild(house: Parlour) -> Rebuilt:
    await house.check_key()
    rebuilt = await house.archive.rebuild()
    await house.versions.note()
    return rebuilt


@app.command(context_settings=TAKE_DASHES)
def repair(
    codes: Codes = None, data: Data = Path("parlour-data"), database: Database = None, json: Json = False
) -> None:
    """List the tables whose log cannot be followed to its end; those that are named go on from their last sound event,
    and what came after it is lost for good. With SQLite the server must not be running to mend a table."""
    from parlour.storage.lock import sole_server

    with ExitStack() as held:
        if codes and not database:
            _database_in(data)
            held.enter_context(sole_server(data))
        work = _with_house(data, database, lambda house: _repair(house, codes or []), alone=bool(codes))
        found = asyncio.run(work)
    if json:
        terminal.print_json([_told(damage) for damage in found])
        return
    for damage in found:
        which = f"events {damage.first} to {damage.last}" if damage.last > damage.first else f"event {damage.last}"
        head = f"{damage.entry.code}  {damage.entry.game}  {damage.entry.settings.get('name', '')}".rstrip()
        if codes:
            typer.echo(f"{head}: {which} lost; the table goes on from event {damage.sound}")
        elif damage.can_be_cut:
            typer.echo(f"{head}: {which} cannot be followed ({damage.reason}); {damage.sound} can")
        else:
            typer.echo(f"{head}: sealed under another key; put that key back, nothing else is wrong")
    if not found:
        typer.echo("every table can be followed to the end of its log")
    elif not codes:
        typer.echo("parlour admin repair CODE lets a table go on from its last sound event; make a backup before")


def _told(damage: Damage) -> dict[str, Any]:
    entry = damage.entry
    return {
        "code": entry.code,
        "game": entry.game,
        "name": entry.settings.get("name", ""),
        "sound": damage.sound,
        "last": damage.last,
        "reason": damage.reason,
    }


async def _repair(house: Parlour, codes: list[str]) -> list[Damage]:
    """The damaged tables, or those of these codes, which are mended."""
    from parlour.games.registry import Registry
    from parlour.tables.records.repair import cut, examine, find_damage
    from parlour.tables.room.words import read_code
    from parlour.tournaments.game import TournamentGame

    await house.check_key()
    store, games = house.store, {**house.games, **Registry(TournamentGame())}
    if not codes:
        return await find_damage(store, house.seal, games)
    found = []
    for code in codes:
        entry = await store.table(read_code(code))
        if entry is None or entry.game not in games:
            raise ValueError(f"there is no table with the code {code}")
        damage = await examine(store, house.seal, games[entry.game], entry)
        if damage is None:
            raise ValueError(f"the table {code} can be followed to the end of its log: nothing was changed")
        if not damage.can_be_cut:
            raise ValueError(f"the table {code} is sealed under another key: put that key back, nothing was changed")
        await cut(store, house.seal, games, house.clock, damage)
        found.append(damage)
    if any(damage.recorded for damage in found):
        await house.archive.rebuild()
    return found


@app.command(name="rotate-key")
def rotate_key(data: Data = Path("parlour-data")) -> None:
    """Make a new key, under which all is sealed from now on; the old ones open what they have sealed. A running server
    takes it up within a second or so."""
    from parlour.storage.seal import rotate_key as rotate

    count = rotate(data / "parlour.key")
    typer.echo(f"{data / 'parlour.key'} has {count} keys now, the new one first; make a copy of it in another place")


@app.command()
def secret(data: Data = Path("parlour-data")) -> None:
    """Print the operator's secret, which a request carries in the header X-Parlour-Operator."""
    from parlour.server.access.operator import FILE, VARIABLE, read_secret

    given = os.environ.get(VARIABLE)
    if given is None and not (data / FILE).exists():
        raise ValueError(f"there is no {FILE} in {data}; the first start of a server with this folder makes it")
    typer.echo(read_secret(data, given))


@app.command()
def suggestions(data: Data = Path("parlour-data"), database: Database = None, json: Json = False) -> None:
    """List all suggestions of the guests that are kept, the newest first. The server may be running."""
    kept = asyncio.run(_with_house(data, database, _suggestions))
    if json:
        terminal.print_json([{"title": one.title, "suggestion": one.suggestion, "at": one.at} for one in kept])
        return
    if not kept:
        typer.echo("The box is empty.")
    for one in kept:
        when = datetime.fromtimestamp(one.at / 1000, tz=UTC)
        typer.echo(f"{when:%Y-%m-%d %H:%M} UTC  {one.title}\n    {one.suggestion}")


async def _suggestions(house: Parlour) -> list[Suggestion]:
    from parlour.tables.suggestions import KEPT, SuggestionBox

    return await SuggestionBox(house.store, house.clock).newest(KEPT)


@app.command()
def security(data: Data = Path("parlour-data"), database: Database = None, json: Json = False) -> None:
    """List sign-ins by transfer link, revoked tokens, what the operator did, wrong operator's secrets and new keys, the
    newest first. The server may be running."""
    kept = asyncio.run(_with_house(data, database, lambda house: house.security.newest()))
    if json:
        terminal.print_json([msgspec.to_builtins(one) for one in kept])
        return
    if not kept:
        typer.echo("Nothing has been noted.")
    for one in kept:
        when = datetime.fromtimestamp(one.at / 1000, tz=UTC)
        often = f"{one.count} times within an hour" if one.count > 1 else ""
        whose = f"{one.name} ({one.person})" if one.person else ""
        told = (f"{one.what:16}", one.network or "here", whose, one.detail, often)
        typer.echo(f"{when:%Y-%m-%d %H:%M} UTC  " + "  ".join(filter(None, told)))


@app.command(context_settings=TAKE_DASHES)
def tokens(who: Who, data: Data = Path("parlour-data"), database: Database = None, json: Json = False) -> None:
    """List the devices on which somebody is signed in. The server may be running."""
    people = asyncio.run(_with_house(data, database, lambda house: _devices(house, who)))
    if json:
        terminal.print_json(
            [
                {"id": identity.id, "name": identity.name, "tokens": [msgspec.to_builtins(one) for one in devices]}
                for identity, devices in people
            ]
        )
        return
    for identity, devices in people:
        typer.echo(f"{identity.name} ({identity.id})")
        for one in devices:
            used, created = (datetime.fromtimestamp(at / 1000, tz=UTC) for at in (one.used, one.created))
            typer.echo(
                f"    {one.id}  used {used:%Y-%m-%d}  since {created:%Y-%m-%d}  {one.device or 'unknown device'}"
            )
        if not devices:
            typer.echo("    signed in nowhere")


@app.command(context_settings=TAKE_DASHES)
def revoke(who: Who, token: TokenId = None, data: Data = Path("parlour-data"), database: Database = None) -> None:
    """Sign somebody out, on one device or on all. A running server closes their sockets within a second or so."""
    count = asyncio.run(_with_house(data, database, lambda house: _revoke(house, who, token)))
    typer.echo(f"signed out {count} {'device' if count == 1 else 'devices'}")


def _database_in(data: Path, otherwise: str = "for PostgreSQL give its --database") -> Path:
    """The SQLite database of the folder. None is made: whoever looks into the wrong folder is to know."""
    path = data / "parlour.db"
    if not path.exists():
        raise ValueError(f"there is no database in {data}; {otherwise}")
    return path


async def _with_house(
    data: Path, databases: list[str] | None, work: Callable[[Parlour], Awaitable[T]], alone: bool = False
) -> T:
    """Do some work on the open store. Nothing sealed is read, so the key is not looked at. `alone`: no server uses the
    folder, as is known already."""
    from parlour.server.compose import open_parlour
    from parlour.tables.errors import Unavailable

    with ExitStack() as held:
        if not databases and _is_older(_database_in(data)):
            if not alone:
                held.enter_context(_unused(data))
            typer.echo(f"the database in {data} is upgraded to this version of Parlour", err=True)
        house = open_parlour(data, databases or (), time_limit=PATIENCE)
        try:
            await house.store.open()
            return await work(house)
        except Unavailable as error:  # a full disk, or a database that went away: a line says it
            raise OSError(str(error)) from error
        finally:
            await house.store.close()


def _is_older(database: Path) -> bool:
    """Whether an older version of Parlour has made the database: whoever opens it upgrades it."""
    import sqlite3

    from parlour.storage.migrations import MIGRATIONS

    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            ((done,),) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchall()
        except sqlite3.Error:  # whoever opens it is told what is wrong with it
            return False
    return bool(done < MIGRATIONS[-1].number)


@contextmanager
def _unused(data: Path) -> Iterator[None]:
    """Keep servers out of the folder. `InUse` where one uses it: it would not know its database any more."""
    from parlour.storage.lock import InUse, sole_server

    try:
        held = ExitStack()
        held.enter_context(sole_server(data))
    except InUse:
        raise InUse(
            f"a server of an older version uses {data}, and this one would upgrade the database under it:"
            " stop that server first, or use its own version of this command"
        ) from None
    with held:
        yield


async def _found(house: Parlour, who: str) -> list[Identity]:
    """Everybody of that id or name."""
    by_id = await house.store.identity(who)
    found = [by_id] if by_id is not None else await house.store.identities_named(who)
    if not found:
        raise ValueError(f"there is nobody with the id or the name {who!r}")
    return found


async def _devices(house: Parlour, who: str) -> list[tuple[Identity, list[Device]]]:
    return [(identity, await house.people.devices(identity.id)) for identity in await _found(house, who)]


async def _revoke(house: Parlour, who: str, token: str | None) -> int:
    found = await _found(house, who)
    if len(found) > 1:
        ids = ", ".join(identity.id for identity in found)
        raise ValueError(f"{len(found)} people are called {who!r}: give an id, one of {ids}")
    (identity,) = found
    before = await house.people.devices(identity.id)
    if token is None:
        await house.people.revoke_others(identity.id)
    elif token in {one.id for one in before}:
        await house.people.revoke(identity.id, token)
    else:
        raise ValueError(f"{identity.name} has no device with the id {token}; see parlour admin tokens {identity.id}")
    house.security.note("signed out", person=identity, detail="parlour admin, " + ("one device" if token else "all"))
    await house.security.finish()
    return len(before) - len(await house.people.devices(identity.id))


@app.command()
def backup(target: Target, data: Data = Path("parlour-data")) -> None:
    """Copy the SQLite database to a new file, also while the server is running. Keep the key with it."""
    from parlour.storage.sqlite import SqliteStore

    source = _database_in(data, "for PostgreSQL use pg_dump")
    SqliteStore(source).backup(target)
    typer.echo(f"copied {source} to {target}; hidden cards open only with the key, which is not in it: keep it too")


@app.command()
def restore(
    source: Source,
    data: Annotated[Path, typer.Option(envvar="PARLOUR_DATA", help="The data folder.", file_okay=False)] = Path(
        "parlour-data"
    ),
    database: Database = None,
    replace: Replace = False,
    any_key: AnyKey = False,
) -> None:
    """Put a backup of the SQLite database into the data folder. The server must not be running."""
    from parlour.storage.restore import restore as put_back
    from parlour.storage.seal import find_key

    if database is not None:
        raise ValueError(
            "PostgreSQL is restored with its own program, pg_restore;"
            " then DELETE FROM meta WHERE name = 'epoch' in the restored database"
        )
    target = data / "parlour.db"
    kept = put_back(source, target, find_key(data / "parlour.key"), replace=replace, any_key=any_key)
    if kept is not None:
        typer.echo(f"kept the database that was there as {kept}")
    typer.echo(f"restored {target} from {source}; start the server, and it goes on from there")
