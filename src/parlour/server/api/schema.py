"""The words of the API: every body, answer and frame as a struct. The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from parlour.server.access.refusals import Refusal
from parlour.server.config import Setting
from parlour.server.monitoring.monitor import Series
from parlour.tables.census import Census
from parlour.tables.people import Device
from parlour.tables.ports import RoundSearch

Name = Annotated[str, Meta(min_length=1, max_length=32, description="What others see; spaces around it are cut off.")]
Avatar = Annotated[str, Meta(max_length=32, description="A word or an emoji that the client draws.")]
Seat = Annotated[int, Meta(ge=0, le=63, description="Seats are numbered from 0 around the table.")]
Millis = Annotated[int, Meta(description="Milliseconds; a moment is counted from 1970.")]
Turn = Annotated[int, Meta(ge=0, le=2**53, description="The turn that the action is meant for, out of the view.")]
Chips = Annotated[int, Meta(ge=0, le=10**12)]
Key = Annotated[str, Meta(min_length=1, max_length=64, description="Idempotency key: a repeat gets the first answer.")]
Object = dict[str, Any]


class Body(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a caller sends: a field that is not known is refused, not passed over."""


# Tables


class NewTable(Body, frozen=True):
    game: Annotated[str, Meta(max_length=32, description="A name out of GET /api/v1/games.")]
    settings: Object = {}


class NewPreset(Body, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    game: Annotated[str, Meta(max_length=32, description="A name out of GET /api/v1/games.")]
    settings: Object = {}


class SitDown(Body, frozen=True):
    seat: Seat | None = None
    """The first free seat if it is left out."""
    buy_in: Chips | None = None
    options: Object = {}
    """What else the game asks of somebody who sits down."""

    def all_options(self) -> Object:
        return self.options if self.buy_in is None else {**self.options, "buy_in": self.buy_in}


class Say(Body, frozen=True):
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Move(Body, frozen=True):
    action: Object
    """Such as {"type": "raise", "amount": 60} or {"type": "move", "uci": "e2e4"}."""
    turn: Turn | None = None


class Committed(msgspec.Struct, frozen=True):
    """The command is done and durable; its last event has this number."""

    seq: int


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    avatar: str | None
    bot: bool


class SeatView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: Seat
    player: Person | None
    connected: bool


class ChatLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Millis
    player: str
    name: str
    text: str
    seat: Seat | None = None


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks the host for: a seat, or more chips for the one they have."""

    kind: Literal["seat", "chips"]
    seat: Seat | None
    amount: int | None
    """The chips; null where the game has none."""


class RequestView(Asked, frozen=True, forbid_unknown_fields=True):
    player: str
    name: str
    avatar: str | None
    bot: bool


class WaiterView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody on the waiting list."""

    player: str
    name: str
    avatar: str | None
    bot: bool
    until: Millis | None
    """Until when a free seat is kept for them, if one is."""


class PlaceInLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int
    """1 for whoever is first on the waiting list."""
    until: Millis | None
    """Until when a free seat is kept for you: sit down."""


class QueuedChips(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stack that changes when the round is over."""

    seat: Seat
    player: str
    chips: int
    """How many are added; negative where some are taken away."""
    reason: str
    """Why the host corrects the stack; empty for chips that were asked for."""


class Grace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left: Millis
    """How much longer than the clock you could take then, while your connection is lost. A second comes back in 20,
    until it is the table's whole `grace`."""
    at: Millis


class You(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    seats: list[Seat]
    host: bool
    muted: bool
    kicked: bool
    """Whether the host removed you; you may ask for a seat again."""
    kick_reason: str
    """What the host said then."""
    moved_to: str | None
    """The code of the table to which the tournament moved you from here; null where you sit here, or never did."""
    moved_at: Millis | None
    """When that was: of several tables that tell of a move, the latest one is right."""
    grace: Grace | None
    """What is left of your grace, where you sit here and have used some of it."""
    request: Asked | None
    """What you have asked the host for."""
    waiting: PlaceInLine | None
    """Where you are on the waiting list."""
    options: list[str]
    """Kinds of action that are open to you whoever's turn it is."""


class DeadlineView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Millis
    seat: Seat | None


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as the caller may see it."""

    code: str
    game: str
    epoch: str
    seq: int
    turn: int
    status: Literal["waiting", "playing", "finished", "closed"]
    paused: bool
    now: Millis
    settings: Object
    queued: Object
    """Of the settings, those that change when the hand or game is over, with their new values."""
    chips_queued: list[QueuedChips]
    """The stacks that change when the hand is over."""
    host: str
    tournament: str | None
    """The code of the tournament that gives the seats here; null at a table of people."""
    seats: list[SeatView]
    waiting: list[WaiterView]
    """Who waits for a seat, the first one first."""
    spectators: int
    deadline: DeadlineView | None
    state: Object | None
    """What the game shows to everyone; null where the host lets nobody watch."""
    chat: list[ChatLine]
    you: You | None
    private: Object | None
    """What the game shows to the caller alone."""
    legal: Object | None
    """What the caller may do now; null unless it is the caller's turn."""
    requests: list[RequestView]
    """Who asks for a seat or for chips; for the host, others see none."""


class EventsQuery(Body, frozen=True):
    since: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """The number of the last event that the caller has."""
    follow: Literal["0", "1"] = "0"
    """With 1 the answer stays open and goes on as events happen."""


class SocketQuery(Body, frozen=True):
    epoch: Annotated[str, Meta(max_length=64)] | None = None
    since: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    view: Literal["0", "1"] = "1"
    ticket: Annotated[str, Meta(max_length=64)] | None = None


class FileQuery(Body, frozen=True, rename={"other": "with"}):
    """Which rounds of a table somebody looks for; what is left out does not matter."""

    variant: Annotated[str, Meta(max_length=32)] | None = None
    other: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    """Somebody else who played: their id, or a part of their name."""
    result: Literal["won", "lost", "even"] | None = None
    """What became of the caller in it."""
    pot: Chips | None = None
    """The least pot."""
    showdown: Literal["0", "1"] | None = None
    """Whether the caller had cards at a showdown; for somebody without an identity, whether anybody had."""
    since: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    until: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """When the round ended, in milliseconds: from the one, before the other."""

    def search(self, table: str | None = None, game: str | None = None) -> RoundSearch:
        return RoundSearch(
            game=game,
            variant=self.variant,
            table=table,
            other=self.other,
            result=self.result,
            pot=self.pot,
            showdown=None if self.showdown is None else self.showdown == "1",
            since=self.since,
            until=self.until,
        )


class HistoryQuery(FileQuery, frozen=True):
    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    """The number of a round: only those before it."""
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class RoundsFileQuery(FileQuery, frozen=True):
    game: Annotated[str, Meta(max_length=32)] | None = None
    table: Annotated[str, Meta(max_length=16)] | None = None
    """The code of a table."""

    def search(self, table: str | None = None, game: str | None = None) -> RoundSearch:
        return super().search(table, self.game)


class RoundsQuery(RoundsFileQuery, frozen=True):
    before: Annotated[str, Meta(max_length=100)] | None = None
    """`next` of the page before."""
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class Import(Body, frozen=True):
    text: Annotated[str, Meta(min_length=1, max_length=16 * 1024)]
    """One hand as PHH, or several as PHHS."""


class Imported(msgspec.Struct, frozen=True):
    rounds: list[Object]
    """Each as GET /api/v1/tables/{code}/history/{number} answers it, with an empty code."""


class GameCard(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    settings: Object
    """JSON Schema of the settings, with limits and defaults."""
    exports: dict[str, str]
    """File suffix → media type of the notations for its history."""
    bots: list[str] = []
    """The styles in which bots of the house play it, the usual one first."""
    ratings: dict[str, int] = {}
    """Style → the Elo rating that it was measured at, about, where it was."""
    actions: dict[str, Object] = {}
    """The `type` of each action → JSON Schema of its other fields, with what it does as the description."""


# The calculators

Hole = Annotated[str, Meta(min_length=2, max_length=200)]
Cards = Annotated[str, Meta(max_length=64, description="Such as `As Kd Th`.")]


class Evaluate(Body, frozen=True):
    cards: Cards


class Evaluation(msgspec.Struct, frozen=True):
    rank: int
    """1 … 7462, higher is better."""
    category: str
    name: str
    made: str
    """The hand for programs, such as `two_pair:AKQ`."""
    cards: list[str]
    score: float
    """100 points a category, for those who compare by it."""
    legacy_score: float
    """The older evaluator's own figure, which is no order to play by."""


class PotsQuestion(Body, frozen=True):
    stakes: Annotated[list[Chips], Meta(min_length=1, max_length=23)]
    folded: Annotated[list[Seat], Meta(max_length=23)] = []


class PotShare(msgspec.Struct, frozen=True):
    amount: int
    seats: list[int]
    """Who plays for it."""
    winners: list[int] = []
    shares: list[int] = []
    """What each of the winners gets, in their order."""


class Returned(msgspec.Struct, frozen=True):
    """Chips that nobody called."""

    seat: int
    amount: int


class PotsAnswer(msgspec.Struct, frozen=True):
    pots: list[PotShare]
    returned: Returned | None


class ShowdownQuestion(Body, frozen=True):
    board: Cards
    hands: Annotated[list[Cards | None], Meta(min_length=2, max_length=23)]
    """Two cards a seat; null for a seat that has folded."""
    stakes: Annotated[list[Chips], Meta(min_length=2, max_length=23)]
    button: Seat = 0
    smallest_chip: Annotated[int, Meta(ge=1, le=10**9)] = 1


class PlacedHand(Evaluation, frozen=True):
    place: int
    """1 for the best hand; equal hands have the same place."""


class ShowdownAnswer(msgspec.Struct, frozen=True):
    pots: list[PotShare]
    payouts: list[int]
    """What each seat gets out of the pots."""
    returned: Returned | None
    hands: list[PlacedHand | None]
    """What each seat holds; null for a seat that has folded, and for all where nobody contests the last one in."""


class EquityQuestion(Body, frozen=True):
    hands: Annotated[list[Hole], Meta(min_length=2, max_length=10)]
    """Hands or ranges, such as `AhAs`, `QQ+, AKs` or `random`."""
    board: Cards = ""
    dead: Cards = ""
    trials: Annotated[int, Meta(ge=1, le=2_000_000)] | None = None
    """Deals for an estimate; the answer is exact where counting all deals is no slower."""


class EquityShare(msgspec.Struct, frozen=True):
    win: float
    tie: float
    equity: float


class EquityAnswer(msgspec.Struct, frozen=True):
    players: list[EquityShare]
    exact: bool
    boards: int
    stderr: float
    """The largest standard error; 0 where the result is exact."""


# The server


class Health(msgspec.Struct, frozen=True):
    status: Literal["ok"]
    away: dict[str, str] | UnsetType = UNSET
    """Of several databases, those that cannot be used just now, and why: only their tables wait."""


class Build(msgspec.Struct, frozen=True):
    """Which build a server runs."""

    version: str
    commit: str | None
    """The commit that it was built from, in full; null where nobody knows."""


class NewSuggestion(Body, frozen=True):
    title: Annotated[str, Meta(min_length=1, max_length=80)]
    suggestion: Annotated[str, Meta(min_length=1, max_length=2000)]


# For the operator


class LiveTable(msgspec.Struct, frozen=True):
    """A table in memory."""

    code: str
    game: str
    name: str
    host_name: str
    status: str
    private: bool
    paused: bool
    people: int
    """People with a seat."""
    bots: int
    connected: int
    """Of the people with a seat, those who are connected."""
    spectators: int
    round: int
    """The number of the last hand or game that began."""
    events: int
    created: Millis
    updated: Millis
    """When the last event happened."""


class ConnectedPerson(msgspec.Struct, frozen=True):
    """Somebody who has a table open."""

    id: str
    name: str
    bot: bool
    connections: int
    tables: list[str]
    """The codes of a few of the tables that they have open."""


class NodeFacts(msgspec.Struct, frozen=True):
    """One of the processes that serve together."""

    id: str
    here: bool
    """Whether it is the one that answers."""
    ready: bool
    version: str
    started: Millis
    tables: int
    """Tables that it owns and has in memory."""
    sockets: int
    moves: float
    """Decisions of its tables a second."""
    delay: float
    """Milliseconds that its event loop was late, at the worst."""
    processor: float
    memory: int


class Operations(msgspec.Struct, frozen=True):
    """How the server is doing. Lists are cut to their length; the numbers beside them are not."""

    now: Millis
    started: Millis
    outage: str | None
    """Why nobody can play just now, or some cannot, as a code; null where all is well."""
    load: Series
    interval: float
    """Seconds between two samples."""
    sockets: int
    database: Census | None
    """Counted at most every 30 seconds; null where the database has not answered yet."""
    live_tables: int
    tables: list[LiveTable]
    connected_people: int
    people: list[ConnectedPerson]
    refusals: list[Refusal]
    nodes: list[NodeFacts] = []
    """All nodes, where several processes serve together; the figures above are those of the node that answers."""


class Versions(msgspec.Struct, frozen=True):
    parlour: str
    python: str
    system: str
    database: str
    schema: int


class ServerFacts(msgspec.Struct, frozen=True):
    """What does not change while the server runs."""

    versions: Versions
    backup: Literal["download", "pg_dump"]
    """How the database is backed up."""
    settings: list[Setting]
    """All options of `parlour serve`; empty where the server was started in another way."""
    limits: dict[str, str]


class WhoQuery(Body, frozen=True):
    who: Annotated[str, Meta(min_length=1, max_length=64)]
    """The id of a person, or their name."""


class PersonDevices(msgspec.Struct, frozen=True):
    """Somebody, and the devices on which they are signed in."""

    id: str
    name: str
    bot: bool
    created: Millis
    devices: list[Device]


class SignedOut(msgspec.Struct, frozen=True):
    devices: int
    """How many devices were signed out."""
