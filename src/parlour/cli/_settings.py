"""What the server's commands share: an option, and all options as they are in force with where each came from."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
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
OTHER_VARIABLES = frozenset(
    f"PARLOUR_{name}"
    for name in ["KEY", "COMMIT", "QUIET", "THOROUGH", "STEPS", "EQUITY_SPOTS", "MUTANT", "POSTGRES_TEMPLATE"]
)
"""What is read besides options: by the server, the build, programs of bots, and tests."""
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


def unknown_variables(context: typer.Context, environment: Mapping[str, str]) -> dict[str, str]:
    """Variables of the environment that look like settings of this command and are none, with the nearest that is one
    (empty where none is near)."""
    settings = {name for option in context.command.params for name in _variables(option)} | {"PARLOUR_KEY"}
    known = settings | OTHER_VARIABLES
    strange = [name for name in environment if name.startswith("PARLOUR_") and name not in known]
    return {name: "".join(get_close_matches(name, settings, n=1, cutoff=0.8)) for name in sorted(strange)}


def _variables(option: Any) -> list[str]:
    named = option.envvar or []
    return [named] if isinstance(named, str) else list(named)


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
