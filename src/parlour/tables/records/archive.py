"""The record: finished rounds, the ledger and statistics, derived from the log and from nothing else.

A table's snapshot is also the cursor of its records: both are written together, so that what a stretch of the log adds
is added once, whichever process does it. All of it can be thrown away and derived again. A snapshot of another version,
in another form, is a cursor still: the state there is folded from the log.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, Protocol

import msgspec

from parlour.aside import aside
from parlour.games.contract import Illegal, Millis, Round, Seat, Summary
from parlour.games.registry import Listing
from parlour.tables.errors import Against, Conflict, Gone, Unavailable, Unreadable
from parlour.tables.ports import (
    Games,
    Identity,
    LedgerLine,
    Played,
    Records,
    RoundRecord,
    Row,
    Seal,
    Snapshot,
    Store,
    Tally,
)
from parlour.tables.records.log import Log, WrittenEvent, follow, may_read, on_the_wire
from parlour.tables.records.name_removal import clean_json, clean_state
from parlour.tables.records.ratings import Ratings, results_of
from parlour.tables.records.statistics import Cells
from parlour.tables.room.events import TABLE_EVENTS
from parlour.tables.room.state import TableState

_of_tables = frozenset(TABLE_EVENTS)

CHUNK = 512
"""How many events go into one step of the cursor."""
REMOVED = "the events of this table were removed some time after it was closed, as the operator wants it"
TOURNAMENT = "tournament"
"""The stakes of rounds at tables of tournaments, where the blinds are no money: they are kept apart from all others."""
STRETCH = 64
"""How many events are followed before others get their turn."""


def snapshot_place(table: str, seq: int) -> str:
    return f"{table}/snapshot/{seq}"


@contextmanager
def following() -> Iterator[None]:
    """Whatever goes wrong while events are read and applied: the log of this table cannot be followed."""
    try:
        yield
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable("unreadable", "the log of this table cannot be followed; the server has noted why") from error


class Recorded(Protocol):
    """A live table, as far as its records are concerned."""

    id: str
    recorded: int
    """The number up to which snapshot and records are written."""

    @property
    def seq(self) -> int: ...
    @property
    def log(self) -> Log: ...


class Unread(NamedTuple):
    """A table whose log could not be followed."""

    code: str
    game: str
    reason: str
    """As a code."""
    message: str


class Rebuilt(NamedTuple):
    """What came of deriving all records again."""

    tables: int
    """How many have their records."""
    unread: list[Unread]


class Archive:
    """Writes records and snapshots."""

    def __init__(self, store: Store, seal: Seal, games: Games, ratings: Ratings) -> None:
        self._store = store
        self._seal = seal
        self._games = games
        self._ratings = ratings
        self._at_work: dict[str, asyncio.Lock] = {}

    async def catch_up(self, table: Recorded) -> None:
        """Bring the records of a live table up to the present."""
        if table.recorded < table.seq:
            table.recorded = await self.follow(table.id, table.log.listing)

    async def catch_up_missed(self, tables: Sequence[str]) -> None:
        """Bring the records of tables up to the present that a process left behind when it was stopped or killed: where
        nobody comes to a table any more, nobody else would."""
        for start in range(0, len(tables), STRETCH):
            some = tables[start : start + STRETCH]
            heads, recorded = await self._store.heads(some), await self._store.recorded(some)
            for table in some:
                if recorded.get(table, 0) < heads.get(table, 0):
                    entry = await self._store.table_by_id(table)
                    if entry is not None and entry.game in self._games:
                        with suppress(Unreadable):
                            await self.follow(table, self._games[entry.game])
            await asyncio.sleep(0)

    async def load(self, table: str, listing: Listing, at: int | None = None) -> TableState:
        """The state of the last snapshot, or of the last one of an event no later than `at`."""
        snapshot = await self._store.snapshot(table, at)
        if snapshot is None:
            return TableState(listing)
        try:
            return TableState.thaw(listing, self._seal.open(snapshot.body, snapshot_place(table, snapshot.seq)))
        except ValueError:
            return await self._folded(table, listing, snapshot.seq)

    async def _folded(self, table: str, listing: Listing, upto: int) -> TableState:
        """The state at that number, from the log alone."""
        state = TableState(listing)
        log = Log(table, listing, self._seal)
        while rows := await self._store.rows(table, state.room.seq, upto, CHUNK):
            with following():
                for written in await self._read(log, rows):
                    follow(state, written.row, written.event)
        if state.room.seq < upto:
            raise Unreadable("log_removed", REMOVED)
        return state

    async def follow(self, table: str, listing: Listing, *, rate: bool = True) -> int:
        """Follow the log of a table from its last snapshot to the end; the number that the records have come to."""
        lock = self._at_work.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                return await self._follow(table, listing, rate)
        finally:
            if not lock.locked():
                self._at_work.pop(table, None)

    async def _follow(self, table: str, listing: Listing, rate: bool) -> int:
        state = await self.load(table, listing)
        log = Log(table, listing, self._seal)
        while rows := await self._store.rows(table, state.room.seq, limit=CHUNK):
            after = state.room.seq
            with following():
                records = await self._fold(log, state, await self._read(log, rows))
            if records.results:
                await self._ratings.add(records.results)
            body = self._seal.seal(state.freeze(), snapshot_place(table, state.room.seq))
            try:
                await self._store.record(table, after, Snapshot(state.room.seq, state.room.at, body), records)
            except Conflict:
                state = await self.load(table, listing)
            if records.results and rate:
                await self._ratings.catch_up()
            await asyncio.sleep(0)
        return state.room.seq

    @staticmethod
    async def _read(log: Log, rows: Sequence[Row]) -> list[WrittenEvent]:
        written: list[WrittenEvent] = []
        for start in range(0, len(rows), STRETCH):
            written += log.read(rows[start : start + STRETCH])
            await asyncio.sleep(0)
        return written

    async def _fold(self, log: Log, state: TableState, written: Sequence[WrittenEvent]) -> Records:
        rules = state.rules
        records = Records()
        cells = Cells()
        room = state.room
        start = room.seq
        for entry in written:
            row, event = entry.row, entry.event
            stake = rules.stakes(event)
            holder = room.seats[stake[0]] or room.round_players.get(stake[0]) if stake is not None else None
            if stake is not None and holder is not None:
                amount = stake[1]
                records.ledger.append(LedgerLine(holder.id, holder.name, max(amount, 0), max(-amount, 0)))
            follow(state, row, event)
            if row.seq % STRETCH == 0:
                await asyncio.sleep(0)
            if event.ends_round:
                first = room.round_first
                played = list(written[max(first - 1 - start, 0) : row.seq - start])
                if first <= start:
                    played[:0] = log.read(await self._store.rows(log.table, first - 1, start))
                record = RoundRecord(
                    number=room.round,
                    first=first,
                    last=row.seq,
                    at=played[0].row.at,
                    ended=row.at,
                    names={seat: player.name for seat, player in room.round_players.items()},
                    players={seat: player.id for seat, player in room.round_players.items()},
                    settings=room.settings,
                )
                whole = round_of(record, played)
                summary = rules.summary(whole)
                record = msgspec.structs.replace(record, summary=dict(summary.facts))
                records.rounds.append(record)
                records.played += self._parts(log.table, rules.name, record, summary)
                tally = rules.tally(whole)
                if tally:
                    facets = rules.facets(whole)
                    if state.directed and not rules.rates:
                        facets = msgspec.structs.replace(facets, stakes=TOURNAMENT)
                    cells.add(log.table, rules.name, record, tally, facets)
                records.results += results_of(log.table, rules, record, whole)
        records.cells = cells.summed()
        records.tallies = [
            (player, rules.name, name, amount)
            for player, counts in cells.totals().items()
            for name, amount in counts.items()
        ]
        return records

    def _parts(self, table: str, game: str, record: RoundRecord, summary: Summary) -> list[Played]:
        """What each person had of the round. Who held several seats has one line, with the sums of them."""
        seats: dict[str, list[Seat]] = {}
        for seat, player in record.players.items():
            if seat in summary.parts:
                seats.setdefault(player, []).append(seat)
        found: list[Played] = []
        for player, held in seats.items():
            parts = [summary.parts[seat] for seat in held]
            cards = [card for part in parts for card in part.cards]
            place = cards_place(table, record.number, player)
            found.append(
                Played(
                    number=record.number,
                    player=player,
                    name=record.names[held[0]].casefold(),
                    seats=held,
                    game=game,
                    variant=summary.variant,
                    ended=record.ended,
                    pot=summary.pot,
                    net=sum(part.net for part in parts),
                    result=parts[0].result if len(parts) == 1 else None,
                    showdown=any(part.showdown for part in parts),
                    cards=b64encode(self._seal.seal(msgspec.json.encode(cards), place)).decode() if cards else "",
                )
            )
        return found

    async def clean(self, table: str, listing: Listing, player: str) -> bool:
        """Take somebody's name out of the log and the snapshots of a table; whether there was anything of it. Nothing
        is recorded meanwhile: a new snapshot would be made of the old one."""
        lock = self._at_work.setdefault(table, asyncio.Lock())
        async with lock:
            return await self._clean(table, listing, player)

    async def _clean(self, table: str, listing: Listing, player: str) -> bool:
        after, found = 0, False
        while rows := await self._store.rows(table, after, limit=STRETCH):
            after = rows[-1].seq
            changed = [new for row in rows if (new := _without_name(row, player)) is not None]
            if changed:
                await self._store.rewrite_rows(table, changed)
                found = True
            await asyncio.sleep(0)
        for snapshot in await self._store.snapshots(table):
            place = snapshot_place(table, snapshot.seq)
            try:  # beside the event loop: a tournament has thousands of names
                body = await aside(self._snapshot_without_name, listing, snapshot.body, place, player)
            except ValueError:  # in the form of another version
                body = self._seal.seal((await self._folded(table, listing, snapshot.seq)).freeze(), place)
            if body is not None:
                await self._store.rewrite_snapshot(table, Snapshot(snapshot.seq, snapshot.at, body))
                found = True
        return found

    def _snapshot_without_name(self, listing: Listing, body: bytes, place: str, player: str) -> bytes | None:
        """The body of a snapshot without somebody's name, or nothing where it has none of it."""
        frozen = self._seal.open(body, place)
        if player.encode() not in frozen:
            return None
        state = TableState.thaw(listing, frozen)
        clean_state(state, player)
        clean = state.freeze()
        return None if clean == frozen else self._seal.seal(clean, place)

    async def remove_log(self, table: str, listing: Listing, now: Millis) -> None:
        """Remove the log of a closed table, once its records are written. What it adds to statistics is kept apart:
        no rebuild can find it in the log any more. `Conflict` where the table is open or is being written to."""
        upto = await self.follow(table, listing)
        log, state = Log(table, listing, self._seal), TableState(listing)
        tallies, cells = Counter[Tally](), Cells()
        while rows := await self._store.rows(table, state.room.seq, upto, CHUNK):
            records = await self._fold(log, state, await self._read(log, rows))
            for player, game, statistic, amount in records.tallies:
                tallies[player, game, statistic] += amount
            cells.include(records.cells)
        if not state.room.closed:
            raise Conflict("the table is open")
        await self._store.remove_log(table, upto, now, tallies, cells.summed())

    async def can_follow(self, table: str, listing: Listing) -> bool:
        """Whether the log of a table can be followed to its end. One that was removed, as far as it has to be."""
        log, state = Log(table, listing, self._seal), TableState(listing)
        try:
            while rows := await self._store.rows(table, state.room.seq, limit=CHUNK):
                await self._fold(log, state, await self._read(log, rows))
        except Unavailable:
            raise
        except Exception:
            return False
        snapshot = await self._store.snapshot(table)
        return snapshot is None or state.room.seq == 0 or snapshot.seq <= state.room.seq

    async def rate(self) -> None:
        """Bring the ratings up to date with the results."""
        await self._ratings.catch_up()

    async def rebuild(self) -> Rebuilt:
        """Throw all records and snapshots away and derive them again. A table that cannot be read is left without
        records, and one whose log was removed keeps those that it has."""
        await self._store.forget_records()
        tables = await self._store.every_table()
        unread: list[Unread] = []
        for table in tables:
            entry = await self._store.table_by_id(table)
            if entry is not None and entry.game in self._games:
                try:
                    await self.follow(table, self._games[entry.game], rate=False)
                except Unreadable as fault:
                    unread.append(Unread(entry.code, entry.game, fault.code, fault.message))
        await self._ratings.catch_up()
        return Rebuilt(len(tables) - len(unread), unread)


def _without_name(row: Row, player: str) -> Row | None:
    """The row without somebody's name; None where there is nothing of it. What is sealed are cards."""
    if row.readers is not None or player.encode() not in row.body:
        return None
    event = msgspec.json.decode(row.body)
    return msgspec.structs.replace(row, body=msgspec.json.encode(event)) if clean_json(event, player) else None


def check_kept(rows: Sequence[Row], after: int, upto: int) -> None:
    """`Gone` where some of the rows between two numbers are no longer in the log."""
    if len(rows) < upto - after:
        raise Gone("log_removed", REMOVED)


def cards_place(table: str, number: int, player: str) -> str:
    """Where somebody's own cards of a round are sealed, in the list of rounds."""
    return f"{table}/cards/{number}/{player}"


def exported(log: Log, record: RoundRecord, suffix: str, rows: Sequence[Row], reader: str | None) -> str:
    """A round in a notation, telling no more than its reader knows."""
    try:
        return log.listing.game.export(suffix, _as_read(log, record, rows, reader))
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None


def round_page(
    log: Log,
    code: str,
    record: RoundRecord,
    you: msgspec.Struct | None,
    people: Mapping[str, Identity],
    rows: Sequence[Row],
    reader: str | None,
) -> bytes:
    """A round as JSON: the table's code and game, what the directory of rounds says of it, what it was for the reader,
    the faces of the players that are still known, what the game has to say, and the events."""
    events = [on_the_wire(row, log.clear(row) if may_read(row, reader) else None) for row in rows]
    details = log.listing.game.details(_as_read(log, record, rows, reader))
    players = {seat: people[player] for seat, player in record.players.items() if player in people}
    faces = {str(seat): {"avatar": one.avatar, "bot": one.bot} for seat, one in players.items()}
    head: dict[str, Any] = {"code": code, "game": log.listing.game.name, "you": you, "faces": faces}
    head |= msgspec.to_builtins(record, str_keys=True) | details
    return b'%b,"events":[%b]}' % (msgspec.json.encode(head)[:-1], b",".join(events))


def _as_read(log: Log, record: RoundRecord, rows: Sequence[Row], reader: str | None) -> Round:
    """The round as somebody may know it."""
    return round_of(record, log.read(row for row in rows if may_read(row, reader)))


def round_of(record: RoundRecord, played: Sequence[WrittenEvent]) -> Round:
    """The round as its game knows it."""
    events = [(entry.row.at, entry.event) for entry in played if type(entry.event) not in _of_tables]
    return Round(record.number, record.settings, record.names, events)
