"""The host's choices that every table has, beside the game's own; on the wire they are one flat object."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from parlour.games.contract import Illegal
from parlour.games.registry import Listing
from parlour.tables.errors import BadRequest
from parlour.tables.room.words import clean


class RoomSettings(msgspec.Struct, frozen=True):
    """How the room is kept, whatever is played in it."""

    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    private: bool = False
    """Not in the lobby; the code is too long to guess."""
    approve_seats: bool = False
    """The host approves who sits down and with how many chips, and who buys more."""
    spectators: bool = True
    """People without a seat may watch."""
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=600)] = 0
    """How many seconds people without a seat lag behind."""
    grace: Annotated[int, msgspec.Meta(ge=0, le=600)] = 60
    """How many seconds longer the clock waits for somebody whose connection is lost."""
    chat: bool = True


_encode = msgspec.json.Encoder().encode

ROOM_NAMES = frozenset(field.encode_name for field in msgspec.structs.fields(RoomSettings))


def read_settings(listing: Listing, flat: Mapping[str, Any]) -> tuple[RoomSettings, Any]:
    """The room's settings and the game's, checked and filled in, from the one flat object."""
    try:
        room = msgspec.convert({k: v for k, v in flat.items() if k in ROOM_NAMES}, RoomSettings)
        game = listing.settings({k: v for k, v in flat.items() if k not in ROOM_NAMES})
    except msgspec.ValidationError as error:
        raise BadRequest("bad_settings", str(error)) from None
    except Illegal as refusal:
        raise BadRequest(refusal.code, str(refusal)) from None
    return msgspec.structs.replace(room, name=clean(room.name, 40)), game


def shared_settings(listing: Listing, flat: Mapping[str, Any]) -> tuple[dict[str, Any], RoomSettings, Any]:
    """The same, after the flat object itself. Tables with the same settings share all three, which nobody changes."""
    return _shared(listing, _encode(flat))


@lru_cache(1024)
def _shared(listing: Listing, encoded: bytes) -> tuple[dict[str, Any], RoomSettings, Any]:
    flat: dict[str, Any] = msgspec.json.decode(encoded)
    return flat, *read_settings(listing, flat)


def flat_settings(room: RoomSettings, game: Any) -> dict[str, Any]:
    """The one flat object, with every default written out."""
    return {**msgspec.to_builtins(room), **msgspec.to_builtins(game, str_keys=True)}
