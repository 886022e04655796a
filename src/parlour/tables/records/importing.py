"""Rounds of other programs, told as the history tells its own."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.games.contract import Illegal, Round
from parlour.games.registry import AnyGame
from parlour.tables.errors import Against
from parlour.tables.ports import Games


def read_rounds(games: Games, suffix: str, text: str) -> list[dict[str, Any]]:
    """The rounds of a file, each as a page of the history; `Against` where no game reads it."""
    for listing in games.values():
        if suffix in listing.game.imports:
            try:
                return [_page(listing.game, played) for played in listing.game.read(suffix, text)]
            except Illegal as refusal:
                raise Against(refusal.code, str(refusal)) from None
    raise Against("unknown_format", f"no game here reads files .{suffix}")


def _page(game: AnyGame, played: Round) -> dict[str, Any]:
    told = [
        {"seq": number, "at": at, **msgspec.to_builtins(event, str_keys=True)}
        for number, (at, event) in enumerate(played.events, 1)
    ]
    return {
        "code": "",
        "game": game.name,
        "you": None,
        "number": played.number,
        "first": 1,
        "last": len(told),
        "at": told[0]["at"],
        "ended": told[-1]["at"],
        "names": {str(seat): name for seat, name in played.names.items()},
        "players": {},
        "settings": dict(played.settings),
        "summary": game.summary(played).facts,
        **msgspec.to_builtins(game.details(played), str_keys=True),
        "events": told,
    }
