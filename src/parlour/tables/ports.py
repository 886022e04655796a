"""What tables need from the world: a store, a clock, chance, a seal, a house of bots. Every test chooses them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from parlour.games.contract import Chance, Millis
from parlour.games.registry import Listing
from parlour.tables.census import Census, Pulse
from parlour.tables.counted import Cell, RatedOutcome, StatisticsStore
from parlour.tables.name_removal import NameRemovalStore
from parlour.tables.outages import Outages

if TYPE_CHECKING:
    from parlour.tables.live.table import Table

Games = Mapping[str, Listing]
"""Every game that can be played here, by its name."""

Done = Callable[[Exception | None], None]
"""Told how something went: None where it went well."""


class Row(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One event in the log of a table. `(table, seq)` is the key, gapless from 1."""

    table: str
    seq: int
    at: Millis
    actor: str | None
    """The identity that brought it about; None for the clock."""
    key: str | None
    """The idempotency key of the command, on the last of its rows."""
    readers: str | None
    """Who may read it: None for everyone, else the identities, separated by spaces. Such a row is sealed."""
    body: bytes
    """JSON of the event, or the sealed form of it."""


class Identity(msgspec.Struct, frozen=True):
    """A person or a bot. The id is public; the token is not kept, only its hash."""

    id: str
    name: str
    avatar: str | None = None
    bot: bool = False
    created: Millis = 0


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token: a hash, whose it is, and from which device. A person has one for each device."""

    hash: bytes
    identity: str
    device: str
    """Browser and system, as far as they are known."""
    created: Millis
    used: Millis
    """The beginning of the day on which it was last used."""


class DirectoryEntry(msgspec.Struct, frozen=True):
    """A table in the directory: what can be said of it without opening it, as of `seq`."""

    id: str
    code: str
    game: str
    host: str
    host_name: str
    settings: dict[str, Any]
    private: bool
    status: str
    players: Sequence[str]
    """The identities that hold seats."""
    seats: int
    created: Millis
    updated: Millis
    seq: int
    due: Millis | None = None
    """When the clock plays next."""
    to_act: Sequence[str] | None = None
    """The identities that the game waits for; None where a version wrote the entry that did not say."""


class Snapshot(msgspec.Struct, frozen=True):
    """The sealed state of a table as of `seq`: also the cursor up to which its records are written."""

    seq: int
    at: Millis
    body: bytes


class RoundRecord(msgspec.Struct, frozen=True):
    """Where one finished hand or game lies in the log, and who sat where."""

    number: int
    first: int
    last: int
    at: Millis
    ended: Millis
    names: dict[int, str]
    players: dict[int, str]
    settings: dict[str, Any]
    summary: dict[str, Any] = {}
    """What the game tells everyone in a line; nothing in a record of an older version."""


class Played(msgspec.Struct, frozen=True, gc=False):
    """One person's part in a finished round: what lists say of it, and what it is searched by."""

    number: int
    player: str
    name: str
    """In small letters, to search for."""
    seats: Sequence[int]
    game: str
    variant: str
    ended: Millis
    pot: int
    net: int
    result: str | None
    showdown: bool
    cards: str
    """The person's own cards, sealed; empty where there are none."""


class RoundSearch(msgspec.Struct, frozen=True):
    """Which rounds somebody looks for; what is None does not matter."""

    game: str | None = None
    variant: str | None = None
    table: str | None = None
    """The id of a table."""
    other: str | None = None
    """Somebody else who played: their id, or a part of their name."""
    result: str | None = None
    pot: int | None = None
    """The least pot."""
    showdown: bool | None = None
    """Whether the person had cards at a showdown."""
    since: Millis | None = None
    until: Millis | None = None
    """When the round ended: from the one, before the other."""


class Mark(NamedTuple):
    """A place in somebody's list of rounds, which goes by the time at which they ended."""

    ended: Millis
    number: int
    table: str


class Found(NamedTuple):
    """A round in a list."""

    table: str
    record: RoundRecord
    part: Played | None
    """That of the person who asks."""
    kept: bool
    """Whether its events are still in the log."""

    @property
    def mark(self) -> Mark:
        return Mark(self.record.ended, self.record.number, self.table)


class LedgerLine(msgspec.Struct, frozen=True):
    """What one person brought to a table and took away from it, in chips."""

    player: str
    name: str
    brought: int = 0
    taken: int = 0


Tally = tuple[str, str, str]
"""A player, a game and what is counted."""


class Records(msgspec.Struct):
    """What a stretch of the log adds to the read models."""

    rounds: list[RoundRecord] = []
    played: list[Played] = []
    ledger: list[LedgerLine] = []
    tallies: list[tuple[str, str, str, int]] = []
    """(player, game, statistic, how much more)."""
    cells: list[Cell] = []
    results: list[RatedOutcome] = []
    """Told to `add_results` before the rest is recorded."""


class Store(StatisticsStore, NameRemovalStore, Protocol):
    """Where everything is kept. Each method is atomic and durable when it returns, and raises `Unavailable` where the
    database does not answer in time or cannot write."""

    @property
    def epoch(self) -> str:
        """The name of this database: numbering is continuous within it and nowhere else."""

    @property
    def copies(self) -> bool:
        """Whether `backup` copies the database; if not, it has programs of its own for that."""

    @property
    def parts(self) -> int:
        """How many databases there are. Each of them may be away while the others can be used; the first of them, part
        0, keeps everything but the logs and records of the tables that are spread over the others."""

    def part(self, table: str) -> int:
        """Which of them keeps the log and the records of this table."""

    def place_table(self, fresh: str) -> str:
        """The id of a new table, made of a fresh one: it says for good which part keeps the table."""

    async def open(self) -> None: ...
    async def close(self) -> None: ...

    async def check(self, part: int = 0) -> None:
        """Read, and where the last write failed or was long ago also write. `Unavailable` where that fails."""

    # For the operator

    def pulse(self) -> Pulse:
        """How busy the store is. One caller asks, at regular intervals."""

    async def census(self) -> Census:
        """Count what is kept. This reads whole tables, so ask seldom; nobody who plays waits for it."""

    def backup(self, target: Path) -> None:
        """Copy everything to a new file, in use or not. Blocks for as long as that takes: call it in a thread. `Busy`
        where the database has programs of its own for that."""

    # The log

    def append(self, rows: Sequence[Row], done: Done) -> None:
        """Add the rows of one decision of one table, all or none. `done` is called in the event loop: with None when
        they are durable, else with what went wrong: `Conflict` where a number is taken, `Gap` where the one before is
        not in the log."""

    async def replace_tail(self, table: str, after: int, rows: Sequence[Row]) -> None:
        """Put these rows in the place of all after that number, and delete the snapshots after it. `Conflict` where
        somebody appends meanwhile."""

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The last numbers in the logs of those of these tables that have any."""

    async def times(self, places: Mapping[str, int]) -> dict[str, Millis]:
        """When the events of these numbers happened, one of each table, as far as the logs have them."""

    async def recorded(self, tables: Sequence[str]) -> dict[str, int]:
        """The numbers that the records of those of these tables have come to that have any."""

    def breaks(self, part: int = 0) -> int:
        """How often the connection was lost over which rows are appended. The database may have come back without the
        last of them since."""

    async def rows(self, table: str, after: int, upto: int | None = None, limit: int | None = None) -> list[Row]:
        """The rows with after < seq ≤ upto, in order."""

    # The directory

    async def add_table(self, entry: DirectoryEntry, rows: Sequence[Row]) -> None:
        """Create a table with its first rows. `Conflict` where the code is taken."""

    async def table(self, code: str) -> DirectoryEntry | None: ...
    async def table_by_id(self, table: str) -> DirectoryEntry | None: ...

    async def entries(self, tables: Collection[str]) -> list[DirectoryEntry]:
        """Those of these tables that are in the directory."""

    async def listed(self, limit: int) -> list[DirectoryEntry]:
        """The public tables that are open, the most recently used first."""

    async def tournaments(self, limit: int, private: bool = False) -> list[DirectoryEntry]:
        """The public tournaments, and with `private` all: those that are not over first, the most recently used
        first."""

    async def tournaments_hosted(self, player: str, limit: int) -> list[DirectoryEntry]:
        """The tournaments of this host, private ones too, in the same order."""

    async def tables_of(self, player: str, limit: int) -> list[DirectoryEntry]:
        """The open tables at which this identity sits or is host, the most recently used first."""

    async def hosted(self, player: str) -> int:
        """How many open tables this identity is host of."""

    async def unsettled(self, tables: Collection[str] | None = None) -> list[tuple[str, Millis | None]]:
        """Open tables, of these or of all, whose clock may run: (id, due), due None where the log is ahead of the
        directory."""

    async def every_table(self) -> list[str]: ...

    async def settle(self, entries: Sequence[DirectoryEntry], heartbeat: Millis | None) -> None:
        """Bring the directory up to date with these entries, and say that the server lives, unless others keep account
        of that. Older entries lose."""

    async def beat(self, part: int, heartbeat: Millis) -> None:
        """Say in one part that the server lives and can use it."""

    async def heartbeat(self, part: int = 0) -> Millis | None:
        """When that was last said."""

    # Snapshots and records

    async def snapshot(self, table: str, at: Millis | None = None) -> Snapshot | None:
        """The last snapshot, or the last one of an event no later than `at`."""

    async def record(self, table: str, after: int, snapshot: Snapshot, records: Records) -> None:
        """Move the cursor from `after` to the snapshot, with what lies between them. `Conflict` if it has moved."""

    async def rounds(
        self,
        table: str,
        player: str | None,
        search: RoundSearch,
        beyond: int | None,
        limit: int,
        *,
        own: bool = False,
        oldest_first: bool = False,
    ) -> list[Found]:
        """Finished rounds of a table by number, each with the part that `player` had in it: the newest first, before
        the number `beyond`, or the oldest first, after it. With `own` only those that the person played, or where the
        search is for a result or a showdown."""

    async def rounds_of(
        self, player: str, search: RoundSearch, beyond: Mark | None, limit: int, *, oldest_first: bool = False
    ) -> list[Found]:
        """The finished rounds that somebody played, at any table, in the order of their marks: the newest first, or the
        oldest first, beyond that mark."""

    async def ledger(self, table: str) -> list[LedgerLine]: ...
    async def tallies(self, player: str) -> dict[str, dict[str, int]]:
        """Game → statistic → sum."""

    async def forget_records(self) -> None:
        """Drop all read models and snapshots that the log can tell again."""

    # Logs that are not kept

    async def finished(self, before: Millis, limit: int) -> list[str]:
        """Tables whose log is there although they were closed, or their game was over, before that time, the oldest
        first."""

    async def remove_log(
        self, table: str, seq: int, at: Millis, tallies: Mapping[Tally, int], cells: Sequence[Cell] = ()
    ) -> None:
        """Mark the log of a closed table, which ends with `seq`, as removed: nobody may read it from then on. Its
        records stay, and with them what it adds to statistics: `tallies`, and `cells` in place of those that are there.
        `Conflict` where the table is open, or its records have not come to the end of the log."""

    async def delete_removed(self) -> bool:
        """Delete the rows of one log that is marked, so many in each transaction; False where there is none."""

    async def expired_records(self, before: Millis, limit: int) -> list[str]:
        """Tables that had finished before that time, whose log was deleted, and whose rounds are still listed."""

    async def remove_records(self, table: str) -> None:
        """Remove the list of a table's rounds. Ledger, statistics, ratings and the last snapshot stay."""

    # People

    async def add_identity(self, identity: Identity, token: Token | None) -> None:
        """Keep a new identity. One without a token, which the server itself uses, may be there already."""

    async def identity(self, identity: str) -> Identity | None: ...
    async def identities(self, ids: Collection[str]) -> list[Identity]:
        """Those of these people who are known."""

    async def identities_named(self, name: str) -> list[Identity]: ...

    async def add_token(self, token: Token) -> None: ...
    async def token(self, token_hash: bytes) -> Token | None: ...
    async def tokens_of(self, identity: str) -> list[Token]:
        """The tokens of one person, the oldest first."""

    async def use_token(self, token_hash: bytes, day: Millis) -> None:
        """Note the day on which a token was used."""

    async def revoke_tokens(self, hashes: Sequence[bytes], at: Millis, forget: Millis) -> None:
        """Delete tokens, and let every process know. Revocations from before `forget` need not be known any more."""

    async def revocations(self) -> int:
        """A number that is another whenever tokens were revoked."""

    async def revoked_tokens(self) -> list[bytes]:
        """The tokens that were revoked, as far as that is not forgotten."""

    async def drop_unused_tokens(self, since: Millis) -> None:
        """Delete the tokens that were last used before then."""

    async def update_identity(self, identity: Identity) -> None:
        """Keep another name and avatar. Whoever is a bot stays one, also where the caller did not know it yet."""

    async def add_transfer(self, code_hash: bytes, identity: str, expires: Millis) -> None:
        """Keep a code of an identity, in place of any that it had."""

    async def transfer_of(self, code_hash: bytes, now: Millis) -> str | None:
        """The same without spending it."""

    async def take_transfer(self, code_hash: bytes, now: Millis) -> str | None:
        """The identity behind a one-time code, which is thereby spent; None if there is none or it has expired."""

    # The shelf: small documents of those who stand on tables, such as dialects, bots and the suggestion box

    async def keep(self, shelf: str, key: str, body: bytes) -> None:
        """Put a document there, in place of the one that was."""

    async def find(self, shelf: str, key: str) -> bytes | None: ...

    async def drop(self, shelf: str, key: str) -> None:
        """Take a document away, if it is there."""

    async def documents(self, shelf: str) -> list[tuple[str, bytes]]:
        """Everything on a shelf as (key, document), by key."""


class Clock(Protocol):
    """The time of the tables: near the wall clock, and it never goes back while the process lives."""

    @property
    def outages(self) -> Outages:
        """When nobody could play, as far as this process knows."""

    def now(self) -> Millis: ...

    def tick(self) -> None:
        """The event loop runs: called several times a second. A long time without it is an outage."""

    def advance(self, to: Millis) -> None:
        """Go on from `to`, where that is well ahead: the log has come that far. The step is an outage."""


class TablePresence(Protocol):
    """What a table knows of connections. Somebody who never connected, such as a bot over HTTP, is never lost."""

    @property
    def lost(self) -> Mapping[str, Millis]:
        """When somebody's last connection was lost, until they come back."""

    def come(self, player: str | None) -> bool:
        """One more connection; true where the person was not connected before. None: somebody without an identity."""

    def go(self, player: str | None, now: Millis) -> bool:
        """One connection less; true where it was the last one."""

    def connected(self, player: str) -> bool: ...

    def watching(self, seated: set[str]) -> int:
        """How many connected people have no seat."""

    def forget(self, player: str) -> None:
        """The person has no seat any more: their absence matters to nobody."""

    def shift(self, length: Millis, now: Millis) -> None:
        """Nobody could come back for so long."""


class Entropy(Chance, Protocol):
    """Where shuffles, tokens and codes come from."""

    def token(self, size: int) -> bytes:
        """That many unpredictable bytes."""


class Seal(Protocol):
    """Keeps what is hidden unreadable at rest, under a key that is not in the database."""

    @property
    def origin(self) -> str:
        """Where the key is from, in words."""

    @property
    def fingerprint(self) -> bytes:
        """Tells one key from another, and nothing else about it."""

    @property
    def fingerprints(self) -> Collection[bytes]:
        """Those of all keys that there are: the one that seals, and older ones that only open."""

    def refresh(self) -> bool:
        """Take a new key up where the operator has made one; whether that is so."""

    @property
    def is_new(self) -> bool:
        """Whether the key was only just made, because there was none."""

    def keep(self) -> None:
        """Keep a new key for good. Before anything is sealed under it."""

    def seal(self, clear: bytes, place: str) -> bytes:
        """The sealed form, readable at this place only."""

    def open(self, sealed: bytes, place: str) -> bytes:
        """What was sealed for this place. `Unreadable` where it was not, or under another key."""


class BotHouse(Protocol):
    """Bots of the house, which the host may seat, and a tournament."""

    def enter(
        self, log: Table, employer: str, game: str, style: str | None, taken: Collection[str], bots: int
    ) -> AbstractAsyncContextManager[list[Identity]]:
        """So many bots that enter a tournament meanwhile, under names that are not `taken`; the employer is who asked
        for them. They play wherever it gives them a seat. `Refused` where there are none for the game or of that style,
        and `TooMany` where so many already play for the employer, or on the whole server."""

    async def seat(
        self, table: Table, employer: str, style: str | None, sit: Callable[[Identity], Awaitable[int]]
    ) -> int:
        """Let a bot sit down by `sit` and play; what `sit` answers. Refused as above."""

    def attend(self, table: Table) -> None:
        """A table at which bots sit was opened, or one was placed there: those of the house play on."""

    def visited(self, table: Table) -> None:
        """Somebody other than the house has come to a table at which bots sit, or looks at it."""

    def wake(self, log: str) -> bool:
        """Let the bots play on that stand still there, if the server has room for them; whether they do."""

    def look_round(self, now: Millis) -> None:
        """See where nobody has been for a while; called again and again."""

    def dismiss(self, table: Table) -> None:
        """The table is let go from memory; nobody is there but the house."""
