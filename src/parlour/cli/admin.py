"""`parlour admin`: what an operator does with the data of the house."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import _terminal as terminal

if TYPE_CHECKING:
    from parlour.tables.suggestions import Suggestion

PATIENCE = 600.0
"""Seconds that the database may take for one step: such work may be long, and nobody waits to play."""

app = typer.Typer(add_completion=False, help="Look after the data of the house.", no_args_is_help=True)

Data = Annotated[
    Path,
    typer.Option(envvar="PARLOUR_DATA", help="The folder with the database and the key.", file_okay=False, exists=True),
]
Database = Annotated[
    str | None, typer.Option(envvar="PARLOUR_DATABASE", help="A PostgreSQL URL, in place of SQLite in the data folder.")
]
Target = Annotated[Path, typer.Argument(help="The new file. There must be none of that name yet.")]


@app.callback()
def before_every_command() -> None:
    os.umask(0o077)  # what is written here is for its owner alone


@app.command()
def rebuild(data: Data = Path("parlour-data"), database: Database = None) -> None:
    """Derive all histories, ledgers, statistics and snapshots from the log again. The server may be running."""
    tables = asyncio.run(_rebuild(data, database))
    typer.echo(f"derived the records of {tables} {'table' if tables == 1 else 'tables'} from the log")


async def _rebuild(data: Path, database: str | None) -> int:
    from parlour.server.compose import open_parlour

    house = open_parlour(data, database, time_limit=PATIENCE)
    await house.open_store()
    try:
        return await house.archive.rebuild()
    finally:
        await house.store.close()


@app.command()
def secret(data: Data = Path("parlour-data")) -> None:
    """Print the operator's secret, which a request carries in the header X-Parlour-Operator."""
    from parlour.server.operator import read_secret

    typer.echo(read_secret(data))


@app.command()
def suggestions(data: Data = Path("parlour-data"), database: Database = None, json: terminal.Json = False) -> None:
    """List all suggestions of the guests that are kept, the newest first. The server may be running."""
    kept = asyncio.run(_suggestions(data, database))
    if json:
        terminal.print_json([{"title": one.title, "suggestion": one.suggestion, "at": one.at} for one in kept])
        return
    if not kept:
        typer.echo("The box is empty.")
    for one in kept:
        when = datetime.fromtimestamp(one.at / 1000, tz=UTC)
        typer.echo(f"{when:%Y-%m-%d %H:%M} UTC  {one.title}\n    {one.suggestion}")


async def _suggestions(data: Path, database: str | None) -> list[Suggestion]:
    from parlour.server.compose import open_parlour
    from parlour.tables.suggestions import KEPT, SuggestionBox

    house = open_parlour(data, database)
    await house.store.open()
    try:
        return await SuggestionBox(house.store, house.clock).newest(KEPT)
    finally:
        await house.store.close()


@app.command()
def backup(target: Target, data: Data = Path("parlour-data")) -> None:
    """Copy the SQLite database to a new file, also while the server is running. Keep the key with it."""
    from parlour.storage.sqlite import SqliteStore

    source = data / "parlour.db"
    if not source.exists():
        raise ValueError(f"there is no database in {data}; for PostgreSQL use pg_dump")
    SqliteStore(source).backup(target)
    typer.echo(f"copied {source} to {target}; hidden cards open only with {data / 'parlour.key'}: keep it too")
