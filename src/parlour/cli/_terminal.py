"""What the commands share: tables for people, JSON for programs, a progress bar for long work.

Only the standard library: the commands of the card library run where nothing but the library is installed.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

GAP = "   "
BAR = 30
"""How many characters a full progress bar has."""


class Parser(ArgumentParser):
    """The arguments of a command of the library. A fault in them is a `ValueError`, as every fault of the input is."""

    def __init__(self, command: str, **options: Any) -> None:
        super().__init__(prog=f"parlour {command}".strip(), allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)

    def add_json(self) -> None:
        """The option that every command with a table has."""
        self.add_argument("--json", action="store_true", help="Print JSON in place of a table.")


def print_json(data: Any) -> None:
    """Write `data` as JSON to standard output."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


class TextTable:
    """Rows under headings; a column whose heading begins with `>` holds numbers and stands to the right."""

    def __init__(self, *headings: str) -> None:
        self._right = [heading.startswith(">") for heading in headings]
        self._rows = [tuple(heading.removeprefix(">") for heading in headings)]

    def add_row(self, *cells: str) -> None:
        """One more row, with a cell for each column."""
        self._rows.append(cells)

    def lines(self) -> list[str]:
        """The headings, a rule and the rows."""
        widths = [max(map(len, column)) for column in zip(*self._rows, strict=True)]
        head, *rows = (
            GAP.join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, self._right, strict=True)
            ).rstrip()
            for row in self._rows
        )
        rule = "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
        return [head, rule, *rows]


def show(*parts: TextTable | str) -> None:
    """Print tables and lines for a person."""
    lines = [line for part in parts for line in (part.lines() if isinstance(part, TextTable) else [part])]
    encoding = sys.stdout.encoding or "utf-8"
    for line in lines:  # a terminal that lacks a character, as some on Windows do, gets a plain one
        drawn = line.replace("─", "-") if encoding.lower() in {"ascii", "cp1252", "us-ascii"} else line
        print(drawn.encode(encoding, "replace").decode(encoding))


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on a terminal's standard error; call what it gives with the fraction done, from 0 to 1."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return

    def draw(done: float) -> None:
        full = round(BAR * min(1.0, done))
        sys.stderr.write(f"\r{label} [{'#' * full}{'.' * (BAR - full)}] {100 * done:3.0f} %")
        sys.stderr.flush()

    draw(0.0)
    try:
        yield draw
    finally:
        sys.stderr.write(f"\r{' ' * (len(label) + BAR + 10)}\r")
        sys.stderr.flush()
