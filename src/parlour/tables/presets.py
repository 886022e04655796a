"""Presets: settings of a table that somebody has saved under a name, to open the next table with a tap.

They belong to the person, so that they are there on every device of theirs.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from parlour.tables.errors import BadRequest, Busy, NotFound
from parlour.tables.ports import Games, Identity, Store
from parlour.tables.room.settings import flat_settings, read_settings
from parlour.tables.room.words import clean

PRESETS_EACH = 12
NAME_LENGTH = 40
SETTINGS_BYTES = 4096
"""Far more than the settings of any game: a hundred levels of blinds take two thousand."""


class Preset(msgspec.Struct, frozen=True):
    """A table as somebody would open it again."""

    id: str
    name: str
    game: str
    settings: dict[str, Any]


_read = msgspec.json.Decoder(Preset).decode


class Presets:
    """Keeps the presets of each person as documents of the store."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games

    async def of(self, identity: Identity) -> list[Preset]:
        """All presets of a person, by name."""
        found = [_read(body) for _, body in await self._store.documents(_shelf(identity))]
        return sorted(found, key=lambda preset: (preset.name.casefold(), preset.name))

    async def save(self, identity: Identity, name: str, game: str, settings: Mapping[str, Any]) -> Preset:
        """Save settings under a name, in place of those that had it. What no table could be opened with is refused."""
        listing = self._games.get(game)
        if listing is None:
            raise NotFound("no_such_game", f"the games here are {', '.join(sorted(self._games))}")
        called = clean(name, NAME_LENGTH)
        if not called:
            raise BadRequest("bad_name", "a preset has a name")
        preset = Preset(_id_of(called), called, game, flat_settings(*read_settings(listing, settings)))
        body = msgspec.json.encode(preset)
        if len(body) > SETTINGS_BYTES:
            raise BadRequest("too_long", f"a preset has at most {SETTINGS_BYTES} bytes")
        known = {key for key, _ in await self._store.documents(_shelf(identity))}
        if preset.id not in known and len(known) >= PRESETS_EACH:
            raise Busy("too_many_presets", f"you have {PRESETS_EACH} presets; delete one first")
        await self._store.keep(_shelf(identity), preset.id, body)
        return preset

    async def delete(self, identity: Identity, preset: str) -> None:
        """Forget a preset, if it is there."""
        await self._store.drop(_shelf(identity), preset)


def _shelf(identity: Identity) -> str:
    return f"presets/{identity.id}"


def _id_of(name: str) -> str:
    """The same for the same name, so that to save under it again replaces what was there."""
    return urlsafe_b64encode(blake2b(name.casefold().encode(), digest_size=9).digest()).decode()
