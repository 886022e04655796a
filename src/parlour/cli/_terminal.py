"""What the commands share: tables for people, JSON for programs, a progress bar for long work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print JSON in place of a table.")]


def print_json(data: Any) -> None:
    """Write `data` as JSON to standard output."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def table(*columns: str) -> Table:
    """An empty table; a column whose heading begins with `>` holds numbers and stands to the right."""
    from rich import box
    from rich.table import Table

    out = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in columns:
        right = heading.startswith(">")
        out.add_column(heading.removeprefix(">"), justify="right" if right else "left", overflow="fold")
    return out


def show(*parts: Any) -> None:
    """Print tables and lines for a person."""
    from rich.console import Console

    console = Console(highlight=False)
    for part in parts:
        console.print(part)


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on a terminal's standard error; call what it gives with the fraction done, from 0 to 1."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda done: bar.update(task, completed=done)
