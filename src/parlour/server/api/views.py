"""The view of a table in the OpenAPI document: one schema for each game that says what it shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from parlour.games.registry import AnyGame

Schema = dict[str, Any]
BARE = dict[str, Any]
"""The type of a part that a game does not describe."""


def by_game(view: Schema, games: Iterable[AnyGame], reference: str) -> dict[str, Schema]:
    """`View` as one of the views of these games, and the schemas that it needs, from the view with open parts.

    A game without types of its own has the view with open parts, which is `OtherView` and fits every other name.
    """
    found: dict[str, Schema] = {}
    described = [game for game in games if game.public_type != BARE]
    names = []
    for game in described:
        prefix = _prefix(game.name)
        kinds = {"state": game.public_type, "private": game.private_type, "legal": game.legal_type}
        schemas, structs = msgspec.json.schema_components(
            list(kinds.values()), ref_template=reference.format(name=prefix + "{name}")
        )
        found |= {prefix + name: struct for name, struct in structs.items()}
        found[prefix + "View"] = _with(view, game.name, dict(zip(kinds, schemas, strict=True)))
        names.append(prefix + "View")
    other = _with(view, None, {})
    other["properties"]["game"] = {"type": "string", "not": {"enum": [game.name for game in described]}}
    found["OtherView"] = other
    choices = [{"$ref": reference.format(name=name)} for name in [*names, "OtherView"]]
    found["View"] = {"title": "View", "description": view.get("description", ""), "oneOf": choices}
    return found


def _with(view: Schema, game: str | None, parts: dict[str, Schema]) -> Schema:
    """The view with these parts in place of the open ones; each of them may also be null."""
    properties = dict(view["properties"])
    if game is not None:
        properties["game"] = {"const": game}
    for name, schema in parts.items():
        choices = [schema] if schema == {"type": "null"} else [schema, {"type": "null"}]
        properties[name] = {"anyOf": choices}
    return {**view, "title": (_prefix(game) if game else "Other") + "View", "properties": properties}


def _prefix(game: str) -> str:
    """`high-card` → `HighCard`."""
    return "".join(word.capitalize() for word in game.replace("_", "-").split("-"))
