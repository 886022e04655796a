"""Tables that come to this process and leave it: what lost its owner is taken up, what another wants is given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress

from parlour.tables.errors import Refused, Unavailable
from parlour.tables.live.clockwork import Clockwork
from parlour.tables.live.keeping import LiveTables
from parlour.tables.ports import Store


class Takeover:
    """The `Holdings` of an ownership."""

    def __init__(
        self, store: Store, live: LiveTables, clockwork: Clockwork, record: Callable[[Collection[str]], object]
    ) -> None:
        """`record` has the records of tables written that their last owner may have left behind."""
        self._store = store
        self._record = record
        self._live = live
        self._clockwork = clockwork

    async def take_up(self, tables: Collection[str]) -> None:
        behind = tables
        with suppress(Unavailable):  # then each is tried, until the store can be used again
            behind = [table for table, _ in await self._store.unsettled(tables)]
        await asyncio.gather(*(self._clockwork.revive([table]) for table in behind))
        self._record(tables)

    async def give_up(self, tables: Collection[str]) -> None:
        loading = [self._live.loading[table] for table in tables if table in self._live.loading]
        await asyncio.gather(*loading, return_exceptions=True)
        live = [self._live.held[table] for table in tables if table in self._live.held]
        await self._live.compare(live)  # the next owner does not know how far they were
        for one in live:
            if one.owner.is_cut_off:  # the next owner does not know since when
                with suppress(Refused):
                    await one.owner.give_back()
        for table in tables:
            self._live.drop(table)
        for one in live:
            await one.owner.pipeline.finished()
        entries = [one.entry() for one in live if one.seq != one.settled]
        if entries:
            await self._store.settle(entries, None)

    def lose(self) -> None:
        self._live.remember()
        for table in {*self._live.held, *self._live.loading, *self._clockwork.tables()}:
            self._live.drop(table)
