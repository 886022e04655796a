"""Deleting somebody: at once they are nobody any more, and by and by their name leaves everything that others need.

Whom the server is still erasing stands on a shelf, so that whatever stops a process, the next one goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.tables.errors import NotFound, Refused, Unavailable, Unreadable
from parlour.tables.live.keeping import LiveTables
from parlour.tables.people import People
from parlour.tables.ports import Games, Identity, Store
from parlour.tables.records.archive import Archive
from parlour.tables.records.name_removal import DELETED, clean_json
from parlour.tables.security import SecurityLog

logger = structlog.get_logger(__name__)

SHELF = "deletions"
PASSES = 5
"""How often all tables are looked through for one person, until nothing was left the last time."""
TRY_AGAIN = 5.0
"""Seconds until a database that was away is tried again."""
DOCUMENTS_AT_ONCE = 100
"""Documents of a shelf that are looked through in one turn of the event loop."""
KEPT_BY_ID = "house-bots"
"""The only shelf with documents of identities that is not of people."""


class Deletion:
    def __init__(
        self,
        store: Store,
        games: Games,
        archive: Archive,
        live: LiveTables,
        people: People,
        security: SecurityLog,
        late: float = 0.0,
    ) -> None:
        """`late`: seconds after which the directory knows of tables that other nodes keep in memory."""
        self._store = store
        self._games = games
        self._archive = archive
        self._live = live
        self._people = people
        self._security = security
        self.late = late
        self._working: asyncio.Task[None] | None = None

    async def begin(self, identity: Identity) -> None:
        """Make somebody nobody: no device, no profile, no name. The rest follows in the background."""
        await self._store.keep(SHELF, identity.id, msgspec.json.encode(identity.created))
        await self._people.delete(identity, DELETED)
        self.go_on()

    def go_on(self) -> None:
        """Work on what is left to do."""
        if self._working is None or self._working.done():
            self._working = asyncio.get_running_loop().create_task(self._work())

    async def finished(self) -> None:
        """Wait until nothing is left to do."""
        if self._working is not None:
            await asyncio.shield(self._working)

    async def stop(self) -> None:
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
            self._working = None

    async def _work(self) -> None:
        while pending := await self._pending():
            for player, created in pending:
                try:
                    await self._delete(player, created)
                    await self._store.drop(SHELF, player)
                except Unavailable:
                    await asyncio.sleep(TRY_AGAIN)
                except Exception as error:  # of one person: the others go on, and the next start tries it again
                    logger.error("somebody could not be deleted from everything", **traced(error))
                    return

    async def _pending(self) -> Sequence[tuple[str, Millis]]:
        try:
            return [(key, msgspec.json.decode(body)) for key, body in await self._store.documents(SHELF)]
        except Unavailable:
            await asyncio.sleep(TRY_AGAIN)
            return await self._pending()

    async def _delete(self, player: str, created: Millis) -> None:
        await self._store.rename_person(player, DELETED)
        await self._clean_shelves(player)
        self._security.forget(player)
        await self._people.revoke_others(player)  # what was on its way while they were signed out, at other nodes too
        await self._clean_tables(player, created)
        if self.late:
            await asyncio.sleep(self.late)
            await self._people.revoke_others(player)  # what a node gave them that had not heard of it yet
            await self._clean_tables(player, created)

    async def _clean_tables(self, player: str, created: Millis) -> None:
        """Look through all tables again and again, since one may be written to from memory meanwhile."""
        for _ in range(PASSES):
            tables = dict.fromkeys([*await self._store.touched_since(created), *self._live.tables])
            changed = [table for table in tables if await self._clean_table(table, player)]
            if not changed:
                return

    async def _clean_shelves(self, player: str) -> None:
        """Drop what is kept under the id, and take the name out of other documents."""
        for shelf in await self._store.shelves():
            if shelf in (SHELF, KEPT_BY_ID):
                continue
            for number, (key, body) in enumerate(await self._store.documents(shelf)):
                if number % DOCUMENTS_AT_ONCE == 0:
                    await asyncio.sleep(0)
                if key == player or shelf == f"presets/{player}":
                    await self._store.drop(shelf, key)
                elif player.encode() in body and body[:1] in (b"{", b"["):
                    newest = await self._store.find(shelf, key)
                    document = None if newest is None else msgspec.json.decode(newest)
                    if clean_json(document, player):
                        await self._store.keep(shelf, key, msgspec.json.encode(document))

    async def _clean_table(self, table: str, player: str) -> bool:
        """Take the name out of one table; whether there was anything of it in the log or in memory."""
        entry = await self._store.table_by_id(table)
        if entry is None or entry.game not in self._games:
            return False
        try:
            changed = await self._archive.clean(table, self._games[entry.game], player)
        except Unavailable:
            raise
        except Exception as error:  # a damaged log, or one under a lost key: the other tables are cleaned all the same
            logger.error("a table still has the name of somebody who was deleted", table=table, **traced(error))
            return False
        if changed:
            await self._store.rename_in_records(table, player, DELETED)
            await self._read_anew(table, entry.status == "closed")
            await self._store.rename_person(player, DELETED)  # the directory, which the state in memory kept up to date
        return changed

    async def _read_anew(self, table: str, closed: bool) -> None:
        """Let the process that keeps the table in memory forget the name. Who plays there is not disturbed: anybody
        could write a line at a table and be deleted, again and again."""
        try:
            live = self._live.tables.get(table)
            if live is not None and not closed:
                await live.owner.pipeline.read_anew()
                return
            if not closed:
                await self._live.open_by_id(table, here=True)
            self._live.drop(table)
            if not closed:
                await self._live.open_by_id(table, here=True)
        except (NotFound, Unreadable):
            pass  # nobody can look at it
        except Unavailable:
            raise
        except Refused as refusal:
            logger.warning("a table is not read anew after a deletion", table=table, reason=refusal.code)
