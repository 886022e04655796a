"""The store in SQL that SQLite and PostgreSQL share. Each adds how it appends, asks and transacts."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, ClassVar

import msgspec
import structlog

from parlour.faults import traced
from parlour.games.contract import Millis
from parlour.storage.history import RoundLists
from parlour.storage.name_removal import NameRemoval
from parlour.storage.retention import TALLY, TALLY_ADDED
from parlour.storage.statements import Statement as Statement
from parlour.tables.census import Census, Pulse
from parlour.tables.histogram import Histogram
from parlour.tables.ports import (
    DirectoryEntry,
    Done,
    Identity,
    LedgerLine,
    Records,
    Row,
    Snapshot,
    Token,
)

logger = structlog.get_logger(__name__)

SNAPSHOTS_KEPT = 3
"""A few, so that those who watch with a delay find an older one."""
WRITES_TRUSTED = 60.0
"""Seconds for which a write that went well says that the next one will."""

_json = msgspec.json.Encoder()
_settings = msgspec.json.Decoder(dict[str, Any])
_players = msgspec.json.Decoder(tuple[str, ...])

_ENTRY = (
    "id, code, game, host, host_name, settings, private, status, players, seats, created, updated, seq, due, to_act"
)
_NUMBERS = ("seats", "created", "updated", "seq", "due")
_ENTRY_TYPES = {
    name: "BOOLEAN" if name == "private" else "BIGINT" if name in _NUMBERS else "TEXT" for name in _ENTRY.split(", ")
}
_NEWER = """ON CONFLICT (id) DO UPDATE SET host = excluded.host, host_name = excluded.host_name,
    settings = excluded.settings, private = excluded.private, status = excluded.status, players = excluded.players,
    seats = excluded.seats, updated = excluded.updated, seq = excluded.seq, due = excluded.due, to_act = excluded.to_act
    WHERE excluded.seq >= tables.seq"""
_GUEST = {"player": "TEXT", "table_id": "TEXT"}
_IDENTITY_COLUMNS = "id, name, avatar, bot, created"
_TOKEN_COLUMNS = "hash, identity, device, created, used"  # noqa: S105 - names of columns
_OPEN = "status <> 'closed'"
_FOREVER = 1 << 62


class SqlStore(RoundLists, NameRemoval):
    """All of the port `Store` but `append` and `rows`, in terms of `_ask` and `_transact`."""

    for_update: ClassVar[str] = ""
    head: ClassVar[str]
    """The last number in the log, of a `table_id`."""
    until: ClassVar[str]
    """The same no later than a number."""

    database: ClassVar[str]
    """The name of the database system."""
    version: ClassVar[str]
    size: ClassVar[str]
    """SQL for the version of the database system, and for the bytes that the database takes."""

    _epoch: str = ""
    commits: Histogram
    """How long commits take. One thread writes to it."""
    _appended = 0
    _wrote_at: float | None = None
    """When something was written last, by the monotonic clock; None where the last attempt failed."""

    @property
    def epoch(self) -> str:
        return self._epoch

    @abstractmethod
    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    @abstractmethod
    async def _transact(self, *statements: Statement, rows: Sequence[Row] = ()) -> list[list[tuple[Any, ...]]]:
        """Run the statements and append the rows, all or none, durably. `Conflict` where a unique key is taken."""

    @abstractmethod
    def append(self, rows: Sequence[Row], done: Done) -> None: ...

    @abstractmethod
    async def rows(self, table: str, after: int, upto: int | None = None, limit: int | None = None) -> list[Row]: ...

    async def _name_epoch(self, fresh: str) -> None:
        await self._transact(
            Statement("INSERT INTO meta (name, value) VALUES ('epoch', ?) ON CONFLICT DO NOTHING", (fresh,))
        )
        ((self._epoch,),) = await self._ask("SELECT value FROM meta WHERE name = 'epoch'")

    parts = 1

    def part(self, table: str) -> int:
        return 0

    def place_table(self, fresh: str) -> str:
        return fresh

    def breaks(self, part: int = 0) -> int:
        return 0

    async def check(self, part: int = 0) -> None:
        await self._ask("SELECT value FROM meta WHERE name = 'epoch'")
        if self._wrote_at is None or time.monotonic() - self._wrote_at > WRITES_TRUSTED:
            await self._transact(
                Statement(
                    "INSERT INTO meta (name, value) VALUES ('checked', '1')"
                    " ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) % 1000 + 1 AS TEXT)"
                )
            )

    # For the operator

    def pulse(self) -> Pulse:
        return Pulse(self._appended, self._backlog(), self.commits)

    @abstractmethod
    def _backlog(self) -> int:
        """How much waits to be written."""

    def _committed(self, decisions: int, seconds: float) -> None:
        """Count a commit of so many decisions of tables."""
        self._appended += decisions
        self.commits.observe(seconds)

    async def census(self) -> Census:
        ((version, size, schema, people, tokens, oldest, tables, still_open),) = await self._ask_aside(
            f"SELECT {self.version}, {self.size}, (SELECT max(number) FROM migrations),"
            " (SELECT count(*) FROM identities), (SELECT count(*) FROM tokens), (SELECT min(created) FROM tokens),"
            f" (SELECT count(*) FROM tables), (SELECT count(*) FROM tables WHERE {_OPEN})"
        )
        return Census(self.database, version, schema, size, people, tokens, oldest, tables, still_open)

    async def _ask_aside(self, sql: str, *args: Any) -> list[tuple[Any, ...]]:
        """The rows of a query that may take long, without holding up the event loop."""
        return await self._ask(sql, *args)

    # The log

    def _asking_heads(self, tables: Sequence[str], head: str = "") -> tuple[str, str]:
        """The statement that asks for the last numbers of these tables, and its argument."""
        sql = f"SELECT each.value->>0, ({head or self.head} WHERE table_id = each.value->>0) FROM {self.each}"
        return sql, _json.encode([[table] for table in tables]).decode()

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        found = await self._ask(*self._asking_heads(tables))
        return {table: seq for table, seq in found if seq is not None}

    async def recorded(self, tables: Sequence[str]) -> dict[str, int]:
        found = await self._ask(*self._asking_heads(tables, "SELECT max(seq) FROM snapshots"))
        return {table: seq for table, seq in found if seq is not None}

    async def replace_tail(self, table: str, after: int, rows: Sequence[Row]) -> None:
        await self._transact()  # SQLite then has all rows on sheets; the one that is cut into is written anew
        ((start,),) = await self._ask(f"{self.head} WHERE table_id = ? AND {self.until} <= ?", table, after)
        kept = await self.rows(table, start or 0, after)
        await self._transact(
            Statement(self.removal, (table, start or 0, _FOREVER)),
            Statement("DELETE FROM snapshots WHERE table_id = ? AND seq > ?", (table, after)),
            rows=[*kept, *rows],
        )

    # The directory

    async def add_table(self, entry: DirectoryEntry, rows: Sequence[Row]) -> None:
        await self._transact(*new_entry(entry), rows=rows)

    async def table(self, code: str) -> DirectoryEntry | None:
        found = await self._ask(f"SELECT {_ENTRY} FROM tables WHERE code = ?", code)
        return _entry(found[0]) if found else None

    async def table_by_id(self, table: str) -> DirectoryEntry | None:
        found = await self._ask(f"SELECT {_ENTRY} FROM tables WHERE id = ?", table)
        return _entry(found[0]) if found else None

    async def entries(self, tables: Collection[str]) -> list[DirectoryEntry]:
        found = await self._ask(
            f"SELECT {_ENTRY} FROM tables WHERE id IN (SELECT each.value->>0 FROM {self.each})",
            _json.encode([[table] for table in tables]).decode(),
        )
        return [_entry(row) for row in found]

    async def listed(self, limit: int) -> list[DirectoryEntry]:
        found = await self._ask(
            f"SELECT {_ENTRY} FROM tables WHERE NOT private AND {_OPEN} AND game <> 'tournament'"
            " ORDER BY updated DESC, id LIMIT ?",
            limit,
        )
        return [_entry(row) for row in found]

    async def tournaments(self, limit: int, private: bool = False) -> list[DirectoryEntry]:
        chosen = "" if private else "NOT private AND "
        found = await self._ask(
            f"SELECT {_ENTRY} FROM tables WHERE {chosen}game = 'tournament'"
            " ORDER BY CASE status WHEN 'closed' THEN 1 ELSE 0 END, updated DESC, id LIMIT ?",
            limit,
        )
        return [_entry(row) for row in found]

    async def tournaments_hosted(self, player: str, limit: int) -> list[DirectoryEntry]:
        # A host stays a guest of the log when it is over, so that few rows are looked at.
        found = await self._ask(
            f"SELECT {_ENTRY} FROM tables JOIN guests ON guests.table_id = tables.id"
            " WHERE guests.player = ? AND host = guests.player AND game = 'tournament'"
            " ORDER BY CASE status WHEN 'closed' THEN 1 ELSE 0 END, updated DESC, id LIMIT ?",
            player,
            limit,
        )
        return [_entry(row) for row in found]

    async def tables_of(self, player: str, limit: int) -> list[DirectoryEntry]:
        found = await self._ask(
            f"SELECT {_ENTRY} FROM tables JOIN guests ON guests.table_id = tables.id"
            f" WHERE guests.player = ? AND {_OPEN} ORDER BY updated DESC, id LIMIT ?",
            player,
            limit,
        )
        return [_entry(row) for row in found]

    async def hosted(self, player: str) -> int:
        ((count,),) = await self._ask(f"SELECT count(*) FROM tables WHERE host = ? AND {_OPEN}", player)
        return int(count)

    async def unsettled(self, tables: Collection[str] | None = None) -> list[tuple[str, Millis | None]]:
        wanted = "" if tables is None else f" AND id IN (SELECT each.value->>0 FROM {self.each})"
        found = await self._ask(
            "SELECT id, CASE WHEN seq < head THEN NULL ELSE due END FROM"
            f" (SELECT id, seq, due, ({self.head} WHERE table_id = tables.id) AS head FROM tables"
            f" WHERE {_OPEN}{wanted}) AS known WHERE due IS NOT NULL OR seq < head",
            *(() if tables is None else (_json.encode([[table] for table in tables]).decode(),)),
        )
        return [(table, due) for table, due in found]

    async def every_table(self) -> list[str]:
        return [table for (table,) in await self._ask("SELECT id FROM tables ORDER BY created, id")]

    async def settle(self, entries: Sequence[DirectoryEntry], heartbeat: Millis | None) -> None:
        statements = [] if heartbeat is None else [_heartbeat(heartbeat)]
        if entries:
            tables = _json.encode([[entry.id] for entry in entries]).decode()
            guests = [(player, entry.id) for entry in entries for player in {entry.host, *entry.players}]
            statements += [
                *self.inserting("tables", _ENTRY_TYPES, [_entry_values(entry) for entry in entries], _NEWER),
                Statement(
                    f"DELETE FROM guests WHERE table_id IN (SELECT each.value->>0 FROM {self.each})",
                    (tables,),
                ),
                *self.inserting("guests", _GUEST, guests, "ON CONFLICT DO NOTHING"),
            ]
        await self._transact(*statements)

    async def beat(self, part: int, heartbeat: Millis) -> None:
        await self._transact(_heartbeat(heartbeat))

    async def heartbeat(self, part: int = 0) -> Millis | None:
        found = await self._ask("SELECT value FROM meta WHERE name = 'heartbeat'")
        return int(found[0][0]) if found else None

    # Snapshots and records

    async def snapshot(self, table: str, at: Millis | None = None) -> Snapshot | None:
        found = await self._ask(
            "SELECT seq, at, body FROM snapshots WHERE table_id = ? AND at <= ? ORDER BY seq DESC LIMIT 1",
            table,
            _FOREVER if at is None else at,
        )
        return Snapshot(*found[0]) if found else None

    async def record(self, table: str, after: int, snapshot: Snapshot, records: Records) -> None:
        cursor = "(SELECT coalesce(max(seq), 0) FROM snapshots WHERE table_id = ?)"
        cells = await self.added(records.cells)
        statements = [
            Statement(f"SELECT id FROM tables WHERE id = ?{self.for_update}", (table,), must=True),
            Statement(
                f"SELECT id FROM tables WHERE id = ? AND {cursor} = ?",
                (table, table, after),
                must=True,
            ),
            Statement(
                "INSERT INTO snapshots (table_id, seq, at, body) VALUES (?, ?, ?, ?)",
                (table, snapshot.seq, snapshot.at, snapshot.body),
            ),
            Statement(
                "DELETE FROM snapshots WHERE table_id = ? AND seq NOT IN"
                " (SELECT seq FROM snapshots WHERE table_id = ? ORDER BY seq DESC LIMIT ?)",
                (table, table, SNAPSHOTS_KEPT),
            ),
        ]
        statements += self.recording(table, records.rounds)
        statements += self.playing(table, records.played)
        statements += [
            Statement(
                "INSERT INTO ledger (table_id, player, name, brought, taken) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (table_id, player) DO UPDATE SET name = excluded.name,"
                " brought = ledger.brought + excluded.brought, taken = ledger.taken + excluded.taken",
                (table, line.player, line.name, line.brought, line.taken),
            )
            for line in records.ledger
        ]
        sums: dict[tuple[str, str, str], int] = {}
        for player, game, statistic, amount in records.tallies:
            sums[player, game, statistic] = sums.get((player, game, statistic), 0) + amount
        tallies = [(*names, amount) for names, amount in sorted(sums.items())]
        statements += self.inserting("tallies", TALLY, tallies, TALLY_ADDED.format("tallies"))
        statements += self.writing(cells)
        await self._transact(*statements)

    async def ledger(self, table: str) -> list[LedgerLine]:
        found = await self._ask(
            "SELECT player, name, brought, taken FROM ledger WHERE table_id = ? ORDER BY player", table
        )
        return [LedgerLine(*row) for row in found]

    async def tallies(self, player: str) -> dict[str, dict[str, int]]:
        sums: dict[str, dict[str, int]] = {}
        for game, statistic, amount in await self._ask(
            "SELECT game, statistic, amount FROM tallies WHERE player = ? ORDER BY game, statistic", player
        ):
            sums.setdefault(game, {})[statistic] = amount
        return sums

    async def forget_records(self) -> None:
        await self._transact(*self.forgetting(), *self.unrating())

    # People

    async def add_identity(self, identity: Identity, token: Token | None) -> None:
        known = " ON CONFLICT DO NOTHING" if token is None else ""
        await self._transact(
            Statement(
                f"INSERT INTO identities (id, name, avatar, bot, created) VALUES (?, ?, ?, ?, ?){known}",
                (identity.id, identity.name, identity.avatar, identity.bot, identity.created),
            ),
            *(() if token is None else (_new_token(token),)),
        )

    async def identity(self, identity: str) -> Identity | None:
        found = await self._ask(f"SELECT {_IDENTITY_COLUMNS} FROM identities WHERE id = ?", identity)
        return _identity(found[0]) if found else None

    async def identities(self, ids: Collection[str]) -> list[Identity]:
        found = await self._ask(
            f"SELECT {_IDENTITY_COLUMNS} FROM identities WHERE id IN (SELECT each.value->>0 FROM {self.each})",
            _json.encode([[one] for one in ids]).decode(),
        )
        return [_identity(row) for row in found]

    async def identities_named(self, name: str) -> list[Identity]:
        found = await self._ask(f"SELECT {_IDENTITY_COLUMNS} FROM identities WHERE name = ? ORDER BY created, id", name)
        return [_identity(row) for row in found]

    async def add_token(self, token: Token) -> None:
        await self._transact(_new_token(token))

    async def token(self, token_hash: bytes) -> Token | None:
        found = await self._ask(f"SELECT {_TOKEN_COLUMNS} FROM tokens WHERE hash = ?", token_hash)
        return Token(*found[0]) if found else None

    async def tokens_of(self, identity: str) -> list[Token]:
        found = await self._ask(
            f"SELECT {_TOKEN_COLUMNS} FROM tokens WHERE identity = ? ORDER BY created, hash", identity
        )
        return [Token(*row) for row in found]

    async def use_token(self, token_hash: bytes, day: Millis) -> None:
        await self._transact(Statement("UPDATE tokens SET used = ? WHERE hash = ?", (day, token_hash)))

    async def revoke_tokens(self, hashes: Sequence[bytes], at: Millis, forget: Millis) -> None:
        statements = [
            Statement("DELETE FROM revoked_tokens WHERE at < ?", (forget,)),
            Statement(
                "INSERT INTO meta (name, value) VALUES ('revocations', '1') ON CONFLICT (name)"
                " DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)"
            ),
        ]
        for one in hashes:
            statements += [
                Statement("DELETE FROM tokens WHERE hash = ?", (one,)),
                Statement("INSERT INTO revoked_tokens (hash, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (one, at)),
            ]
        await self._transact(*statements)

    async def revocations(self) -> int:
        found = await self._ask("SELECT value FROM meta WHERE name = 'revocations'")
        return int(found[0][0]) if found else 0

    async def revoked_tokens(self) -> list[bytes]:
        return [bytes(one) for (one,) in await self._ask("SELECT hash FROM revoked_tokens")]

    async def drop_unused_tokens(self, since: Millis) -> None:
        await self._transact(Statement("DELETE FROM tokens WHERE used < ?", (since,)))

    async def update_identity(self, identity: Identity) -> None:
        await self._transact(
            Statement(
                "UPDATE identities SET name = ?, avatar = ?, bot = (bot OR ?) WHERE id = ?",
                (identity.name, identity.avatar, identity.bot, identity.id),
            )
        )

    async def add_transfer(self, code_hash: bytes, identity: str, expires: Millis) -> None:
        await self._transact(
            Statement("UPDATE identities SET bot = bot WHERE id = ?", (identity,)),  # of two at once one waits here
            Statement("DELETE FROM transfers WHERE identity = ?", (identity,)),
            Statement(
                "INSERT INTO transfers (hash, identity, expires) VALUES (?, ?, ?)", (code_hash, identity, expires)
            ),
        )

    async def transfer_of(self, code_hash: bytes, now: Millis) -> str | None:
        found = await self._ask("SELECT identity FROM transfers WHERE hash = ? AND expires >= ?", code_hash, now)
        return str(found[0][0]) if found else None

    async def take_transfer(self, code_hash: bytes, now: Millis) -> str | None:
        found, _ = await self._transact(
            Statement("DELETE FROM transfers WHERE hash = ? RETURNING identity, expires", (code_hash,)),
            Statement("DELETE FROM transfers WHERE expires < ?", (now,)),
        )
        return str(found[0][0]) if found and found[0][1] >= now else None

    # The shelf

    async def keep(self, shelf: str, key: str, body: bytes) -> None:
        await self._transact(
            Statement(
                "INSERT INTO shelves (shelf, key, body) VALUES (?, ?, ?)"
                " ON CONFLICT (shelf, key) DO UPDATE SET body = excluded.body",
                (shelf, key, body),
            )
        )

    async def find(self, shelf: str, key: str) -> bytes | None:
        found = await self._ask("SELECT body FROM shelves WHERE shelf = ? AND key = ?", shelf, key)
        return bytes(found[0][0]) if found else None

    async def drop(self, shelf: str, key: str) -> None:
        await self._transact(Statement("DELETE FROM shelves WHERE shelf = ? AND key = ?", (shelf, key)))

    async def documents(self, shelf: str) -> list[tuple[str, bytes]]:
        found = await self._ask("SELECT key, body FROM shelves WHERE shelf = ? ORDER BY key", shelf)
        return [(key, bytes(body)) for key, body in found]


def tell(dones: list[Callable[[Any], None]], outcomes: Iterable[Any]) -> None:
    """Say to each how their append went; whatever comes of it, the others get their answers too. Who was told is let go
    at once, while at hand and not in a heap of old ones."""
    dones.reverse()
    for outcome in outcomes:
        done = dones.pop()
        try:
            done(outcome)
        except Exception as failure:  # by its kind alone: its words might tell a card
            logger.error("an append could not be followed", **traced(failure))


def new_entry(entry: DirectoryEntry) -> tuple[Statement, Statement]:
    """What enters a new table in the directory. `Conflict` where its id or code is taken."""
    values = ", ".join("?" * len(_ENTRY.split(",")))
    return (
        Statement(f"INSERT INTO tables ({_ENTRY}) VALUES ({values})", _entry_values(entry)),
        Statement("INSERT INTO guests (player, table_id) VALUES (?, ?)", (entry.host, entry.id)),
    )


def _heartbeat(at: Millis) -> Statement:
    return Statement(
        "INSERT INTO meta (name, value) VALUES ('heartbeat', ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (str(at),),
    )


def _new_token(token: Token) -> Statement:
    return Statement(
        f"INSERT INTO tokens ({_TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?)",
        (token.hash, token.identity, token.device, token.created, token.used),
    )


def _identity(row: tuple[Any, ...]) -> Identity:
    name, shown, avatar, bot, created = row
    return Identity(name, shown, avatar, bool(bot), created)


def _entry_values(entry: DirectoryEntry) -> tuple[Any, ...]:
    """In the order of the columns."""
    return (
        entry.id,
        entry.code,
        entry.game,
        entry.host,
        entry.host_name,
        _json.encode(entry.settings).decode(),
        entry.private,
        entry.status,
        _json.encode(entry.players).decode(),
        entry.seats,
        entry.created,
        entry.updated,
        entry.seq,
        entry.due,
        None if entry.to_act is None else _json.encode(entry.to_act).decode(),
    )


def _entry(row: tuple[Any, ...]) -> DirectoryEntry:
    values = list(row)
    values[5:9] = _settings.decode(row[5]), bool(row[6]), row[7], _players.decode(row[8])
    values[14] = None if row[14] is None else _players.decode(row[14])
    return DirectoryEntry(*values)
