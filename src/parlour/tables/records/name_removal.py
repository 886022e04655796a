"""What is left of somebody who has had all their data deleted, and how their name leaves what others need.

The hands belong to those who played them too, so events, records and states stay; in all of them the name is replaced,
the face and what the person wrote are taken out. The id stays: a random number that leads nowhere any more.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import structs

from parlour.tables.room.state import ChatMessage, TableState

DELETED = "deleted player"
SILENCE = "…"
"""In place of what they wrote."""


def clean_json(value: Any, player: str) -> bool:
    """Take somebody's name out of an event or a document that was read as JSON; whether anything was changed."""
    if isinstance(value, list):
        return sum(clean_json(one, player) for one in value) > 0
    if not isinstance(value, dict):
        return False
    changed = sum(clean_json(one, player) for one in value.values()) > 0
    wanted: dict[str, Any] = {}
    if player in (value.get("player"), value.get("id"), value.get("person")):
        wanted = {"name": DELETED, "avatar": None}
        if value.get("type") == "chat":
            wanted["text"] = SILENCE
    if value.get("host") == player:
        wanted["host_name"] = DELETED
    for key, new in wanted.items():
        if key in value and value[key] != new:
            value[key] = new
            changed = True
    return changed


def clean_state(state: TableState, player: str) -> None:
    """The same for the state of a table, and for a tournament, which knows its entries by name."""
    state.room = _cleaned(state.room, player)
    if state.rules.directs:
        state.play = _cleaned(state.play, player)


def _cleaned(value: Any, player: str) -> Any:
    """The value without the name: the same one where it can be changed or has nothing of it, else a copy."""
    if isinstance(value, msgspec.Struct):
        return _cleaned_struct(value, player)
    if isinstance(value, dict):
        for key, one in value.items():
            new = _cleaned(one, player)
            if key == player and isinstance(new, msgspec.Struct):
                new = _renamed(new)
            if new is not one:
                value[key] = new
    elif isinstance(value, list):
        for index, one in enumerate(value):
            new = _cleaned(one, player)
            if new is not one:
                value[index] = new
    return value


def _cleaned_struct(value: msgspec.Struct, player: str) -> msgspec.Struct:
    changes = {}
    for field in value.__struct_fields__:
        before = getattr(value, field)
        after = _cleaned(before, player)
        if after is not before:
            changes[field] = after
    if getattr(value, "host", None) == player and hasattr(value, "host_name"):
        changes["host_name"] = DELETED
    value = _with(value, changes)
    return _renamed(value) if player in (getattr(value, "player", None), getattr(value, "id", None)) else value


def _renamed(value: msgspec.Struct) -> msgspec.Struct:
    changes: dict[str, Any] = {}
    if hasattr(value, "name"):
        changes["name"] = DELETED
    if hasattr(value, "avatar"):
        changes["avatar"] = None
    if isinstance(value, ChatMessage):
        changes["text"] = SILENCE
    return _with(value, changes)


def _with(value: msgspec.Struct, changes: dict[str, Any]) -> msgspec.Struct:
    if not changes:
        return value
    if type(value).__struct_config__.frozen:
        return structs.replace(value, **changes)
    for field, new in changes.items():
        setattr(value, field, new)
    return value
