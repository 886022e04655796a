"""What the server's commands share: an option, and all options as they are in force with where each came from."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit, urlunsplit

import typer

if TYPE_CHECKING:
    from parlour.server.config import Setting, Source

Json = Annotated[bool, typer.Option("--json", help="Print JSON in place of a table.")]

MASK = "•••"
SECRETS = frozenset({"operator_secret"})
URLS = frozenset({"bus", "database"})
"""Options whose value may hold a password."""
SOURCES: dict[str, Source] = {
    "COMMANDLINE": "command line",
    "ENVIRONMENT": "environment",
}


def in_force(context: typer.Context) -> tuple[Setting, ...]:
    """Every option of the command that is being run, in the order of its help."""
    from parlour.server.config import Setting

    found = []
    for option in context.command.params:
        name = option.name or ""
        if name == "help":
            continue
        value = context.params.get(name)
        source = context.get_parameter_source(name)
        origin = SOURCES.get("" if source is None else source.name, "default")
        if name in SECRETS and value is None:
            found.append(Setting(_spelt(option), MASK, "file"))
        else:
            found.append(Setting(_spelt(option), _written(name, value), origin))
    return tuple(found)


def _spelt(option: Any) -> str:
    """The option as it is written on the command line."""
    return str(max(option.opts, key=len))


def _written(name: str, value: object) -> str:
    if value is None:
        return ""
    if name in SECRETS:
        return MASK
    if name in URLS:
        urls = value if isinstance(value, list | tuple) else [value]
        return ", ".join(_without_password(str(url)) for url in urls)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value.value if isinstance(value, Enum) else value)


def _without_password(url: str) -> str:
    """A database URL that can be shown: passwords may stand before the host, and in the query."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")
        user = host[0].partition(":")
    except ValueError:
        return MASK
    netloc = f"{user[0]}{':' + MASK if user[1] else ''}{host[1]}{host[2]}"
    return urlunsplit((parts.scheme, netloc, parts.path, MASK if parts.query else "", ""))
