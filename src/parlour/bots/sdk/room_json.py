"""What every view of the API has besides the game, for games that are played without a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def room_of(game: str, names: Sequence[str], seat: int, settings: dict[str, Any]) -> dict[str, Any]:
    """The members of a view for this seat that do not change; people sit in the order of their names."""
    people = [{"id": f"seat-{i}", "name": name, "avatar": None, "bot": True} for i, name in enumerate(names)]
    return {
        "code": "ARENA",
        "game": game,
        "epoch": "arena",
        "seq": 0,
        "status": "playing",
        "paused": False,
        "now": 0,
        "settings": settings,
        "queued": {},
        "chips_queued": [],
        "host": "",
        "tournament": None,
        "seats": [{"seat": i, "player": person, "connected": True} for i, person in enumerate(people)],
        "waiting": [],
        "spectators": 0,
        "deadline": None,
        "chat": [],
        "requests": [],
        "you": {
            "id": people[seat]["id"],
            "name": names[seat],
            "seats": [seat],
            "host": False,
            "muted": False,
            "kicked": False,
            "kick_reason": "",
            "request": None,
            "waiting": None,
            "moved_to": None,
            "moved_at": None,
            "grace": None,
            "options": [],
        },
    }
