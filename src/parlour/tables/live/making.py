"""New tables: of a person who is their host, and of a tournament, which directs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from parlour.tables.errors import Busy, Conflict, NotFound, TooMany
from parlour.tables.live.listing import TableInfo, table_info
from parlour.tables.people import new_id
from parlour.tables.ports import Clock, DirectoryEntry, Entropy, Games, Identity, Seal, Store
from parlour.tables.records.log import Log
from parlour.tables.room.directing import directed_settings
from parlour.tables.room.events import Created
from parlour.tables.room.settings import flat_settings, read_settings
from parlour.tables.room.state import TableState
from parlour.tables.room.words import new_code

TABLES_EACH = 20
"""How many open tables and tournaments one person may be host of."""


class Making:
    """Makes tables."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        seal: Seal,
        games: Games,
        may_append: Callable[[], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._seal = seal
        self._games = games
        self._may_append = may_append

    def reserve_code(self) -> str:
        """A code that nobody can guess, for a table that is made later."""
        return new_code(self._entropy, private=True)

    def reserve_table(self) -> tuple[str, str]:
        """The id and the code of a table that is made later."""
        return self._store.place_table(new_id(self._entropy)), self.reserve_code()

    async def create(
        self,
        identity: Identity,
        game: str,
        settings: Mapping[str, Any],
        reserved: str | None = None,
        directs: bool = False,
    ) -> TableInfo:
        """A new table, with this person as its host; or with `directs` a log that directs tables."""
        listing = self._games.get(game)
        if listing is None or listing.game.directs != directs:
            games = sorted(name for name, one in self._games.items() if not one.game.directs)
            raise NotFound("no_such_game", f"the games here are {', '.join(games)}")
        room, chosen = read_settings(listing, settings)
        if await self._store.hosted(identity.id) >= TABLES_EACH:
            raise TooMany(
                "too_many_tables", f"you are host of {TABLES_EACH} open tables and tournaments; close one first"
            )
        created = Created(game, identity.id, identity.name, flat_settings(room, chosen))
        table = self._store.place_table(new_id(self._entropy))
        while True:
            try:
                return await self._add(table, reserved or new_code(self._entropy, room.private), created)
            except Conflict:
                if reserved is not None:
                    raise _code_taken() from None

    async def create_directed(
        self, table: str, code: str, game: str, settings: Mapping[str, Any], director: str, tournament: str, name: str
    ) -> TableInfo:
        """A table of a tournament, which is known by its id, code and name. Its host is nobody: people host no more
        tables by it, and have no powers there."""
        room, chosen = directed_settings(self._games[game], settings)
        created = Created(game, director, name, flat_settings(room, chosen), director, tournament)
        try:
            return await self._add(table, code, created)
        except Conflict:
            there = await self._store.table_by_id(table)
            if there is None or there.host != director:
                raise _code_taken() from None
            return table_info(there, self._games)

    async def _add(self, table: str, code: str, created: Created) -> TableInfo:
        """Write the first event of a table and its entry in the directory. `Conflict` where its id or code is taken."""
        now, listing = self._clock.now(), self._games[created.game]
        state = TableState(listing)
        rows = Log(table, listing, self._seal).write(state, [created], now, created.host, None)
        state.apply(created, now)
        self._may_append()
        entry = DirectoryEntry(
            id=table,
            code=code,
            game=created.game,
            host=created.host,
            host_name=created.host_name,
            settings=created.settings,
            private=state.settings.private,
            status=state.status(),
            players=(),
            seats=len(state.room.seats),
            created=now,
            updated=now,
            seq=1,
            to_act=(),
        )
        await self._store.add_table(entry, rows)
        return table_info(entry, self._games)


def _code_taken() -> Busy:
    return Busy("code_taken", "there is a table with this code already")
