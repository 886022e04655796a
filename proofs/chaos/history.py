"""What a run leaves behind: the log as the database has it, and what each client did and was told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Event = dict[str, Any]


class Row(NamedTuple):
    """An entry of a table's log, opened."""

    seq: int
    at: int
    """Milliseconds on the table's clock."""
    actor: str | None
    key: str | None
    """The idempotency key of the command whose last event this is."""
    readers: frozenset[str] | None
    """Who may read the event; None for everybody."""
    event: Event


class Violation(NamedTuple):
    kind: str
    table: str
    words: str


@dataclass(slots=True)
class Command:
    """What a client asked for, and what it was answered. Times are seconds on the machine's monotonic clock."""

    table: str
    actor: str
    key: str
    sent: float
    """When it was first sent; repeats carry the same key."""
    answered: float | None = None
    seq: int | None = None
    """The number it was acknowledged with."""
    refused: str = ""
    """The code of its refusal."""
    by: str = "socket"
    asked: dict[str, Any] = field(default_factory=dict)
    """What it was, as a frame of a socket; forgotten when it is acknowledged: the log tells."""


@dataclass(slots=True)
class Stretch:
    """Events that a client was told one after another without a break in the numbers."""

    first: int
    events: list[bytes] = field(default_factory=list)

    @property
    def next(self) -> int:
        return self.first + len(self.events)


@dataclass(slots=True)
class Sight:
    """The cards that a view of hold'em showed; kept when they are others than in the view before."""

    seq: int
    hand: int
    own: tuple[str, ...]
    others: dict[int, tuple[str, ...]]
    """Seat → cards that lie open."""


class Glimpse(NamedTuple):
    """Cards that stood anywhere in a frame, whatever the field; kept when they are not those that were there before."""

    first: int
    last: int
    """The first and the last event of the frame; without an event the first is the one after the last."""
    cards: frozenset[str]


class View(NamedTuple):
    """A view as it was shown: what the rules say of the table to everybody, and to this client, as JSON."""

    seq: int
    shared: bytes
    own: bytes


@dataclass
class Record:
    """What one client knows of one table."""

    name: str
    table: str
    actor: str | None
    """Its identity; None for somebody who only watches."""
    seat: int | None
    stretches: list[Stretch] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    glimpses: list[Glimpse] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    """Some of the views that it was shown."""
    tournament: str = ""
    """The tournament that the table belongs to: then the client goes on elsewhere before the log ends."""
    faults: list[str] = field(default_factory=list)
    """What the client itself found wrong while it played."""


class Frontier(NamedTuple):
    """By that time somebody had been told the event of that number."""

    time: float
    seq: int


class Push(NamedTuple):
    """A move that a Gateau client was told."""

    time: float
    hand: int
    player: int
    move: str
    value: int


@dataclass
class GateauRecord:
    """What a Gateau client was told and did in one game. The game has the name `table`."""

    name: str
    table: str
    pushes: list[Push] = field(default_factory=list)
    seat: int | None = None
    acknowledged: int = 0
    unknown: int = 0
    """Moves of which no answer came."""


@dataclass
class ChessMateRecord:
    """A game of a Chess Mate client: its moves as `e2e4`, in order, and those whose fate it does not know."""

    table: str
    acknowledged: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class Happened(NamedTuple):
    """A fault as it was carried out."""

    kind: str
    target: str
    began: float
    ended: float
    tables: frozenset[str] | None = None
    """Those that it hit; None for all."""


class Loss(NamedTuple):
    """A table after the database came back without its last rows."""

    kind: str
    table: str
    known: int
    """The last number that anybody was told before."""
    head: int
    """The last number that the database had when it came back, and later."""
    later: int
    answer: str
    """What the server says of the table: `ok`, or the code of its refusal."""
    named: bool
    """Whether a node's log names it as closed off."""
    goes_on: bool = True
    """Whether people play there again after `parlour admin repair`."""


Book = dict[tuple[str, str], tuple[int, int]]
"""Game and player → rounds and chips won."""


@dataclass
class History:
    logs: dict[str, list[Row]]
    """Table → its log, in the order of the numbers."""
    games: dict[str, str] = field(default_factory=dict)
    """Table → what is played there."""
    commands: list[Command] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    frontiers: dict[str, list[Frontier]] = field(default_factory=dict)
    """Table → how far anybody had been told, whenever that grew."""
    gateau: list[GateauRecord] = field(default_factory=list)
    chessmate: list[ChessMateRecord] = field(default_factory=list)
    faults: list[Happened] = field(default_factory=list)
    nodes: int = 1
    put_off: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Status and code of answers after which the same was asked again."""
    books: dict[str, Book] = field(default_factory=dict)
    """What the server has written down beside the log, by the name of the list."""
    tournaments: list[str] = field(default_factory=list)
    """Those that were begun."""
    losses: list[Loss] = field(default_factory=list)
    calm: float | None = None
    """From when on there were no faults any more."""
    finished: bool = True
    """Whether everybody had time to be told everything before the log was read."""
