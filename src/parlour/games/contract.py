"""What a game is. The author of a new game reads this page and nothing else.

A game is rules and nothing more: no clock, no I/O, no randomness. Time and chance arrive as data (`World`), what
happened is a list of events, and the state is a pure fold of those events. The table around a game keeps the log, the
people, the clock and the secrets; it never looks inside a state, an action or an event.

The life of an action:

    decide(state, seat, action, world) → events     the rules speak; the state is not touched
    (the events are committed to the log)
    apply(state, event, at)                         the state follows, here and at every later replay alike

What may be known is built up, never stripped down: `public` is what everyone may see, `private` what one seat may see
besides, and each event names its audience. An event that is not for everyone is sealed at rest, and reaches those
outside its audience as a bare `skip`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

Seat = int
"""Seats are numbered from 0 around the table."""

Millis = int
"""A wall-clock moment, or a length of time, in milliseconds."""

EVERYONE: None = None
NOBODY: tuple[Seat, ...] = ()
Audience = tuple[Seat, ...] | None
"""Who may read an event: `EVERYONE`, `NOBODY`, or the seats named."""

Result = Literal["won", "lost", "even"]

_encode = msgspec.json.Encoder().encode


def _tag(name: str) -> str:
    """`HandStarted` → `hand_started`: the word on the wire."""
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Illegal(ValueError):
    """An action that the rules refuse. The message says what is wrong in words for a player; `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    """What a seated player asks for. Subclass it once for each kind."""

    in_turn: ClassVar[bool] = True
    """Whether the action answers the present turn: a late one is then refused, never taken for the next turn."""
    buys: ClassVar[str | None] = None
    """The field that says how many chips the action brings to the table, if it brings any. Where the host approves
    buy-ins, the host is asked first and may change that field."""


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=_tag, omit_defaults=True):
    """Something that happened, as it is kept in the log and sent to clients. Subclass it once for each kind."""

    begins_round: ClassVar[bool] = False
    """Whether it opens a hand or a game of the record, as its first event: `Game.round` then gives the number of that
    one."""
    ends_round: ClassVar[bool] = False
    """Whether it closes it."""

    def audience(self) -> Audience:
        return EVERYONE


class Chance(Protocol):
    """Where randomness comes from."""

    def shuffle(self, n: int) -> Sequence[int]:
        """A permutation of 0 … n - 1, every one equally likely."""
        ...


class World(msgspec.Struct, frozen=True):
    """What a decision may know besides the state."""

    now: Millis
    chance: Chance
    away: frozenset[Seat] = frozenset()
    """Seats whose player has been disconnected for longer than the host's grace."""
    bots: frozenset[Seat] = frozenset()
    """Seats that programs hold."""
    player: str | None = None
    """Who sits down, for a game that remembers who left: an id that stays the same, and that everyone may see."""
    hold: bool = False
    """Whether the table has something to change before the next round, or somebody sits down while it is paused: then
    this step begins none. A game that goes on by itself sets a `deadline` for the next round instead."""
    host: bool = False
    """Whether it is the host who acts, for what a game lets the host ask for out of turn."""
    director: bool = False
    """Whether it is a tournament that gives this seat, and with it the chips or the colour."""


class Deadline(msgspec.Struct, frozen=True):
    """When the clock will play, and for whom."""

    at: Millis
    seat: Seat | None = None
    """Whose time runs; None where the table itself goes on, such as to the next hand."""
    grace: bool = False
    """Whether a lost connection earns this seat the host's extra time."""


class Round(msgspec.Struct, frozen=True):
    """One hand or one game out of a table's history, as somebody may see it."""

    number: int
    settings: Mapping[str, Any]
    names: Mapping[Seat, str]
    events: Sequence[tuple[Millis, Event]]
    """Only what the reader may see: an export cannot tell more than its reader knows."""


class Facets(msgspec.Struct, frozen=True):
    """By what the statistics of a round are kept apart, besides the day, the table and the opponent."""

    variant: str = ""
    format: str = ""
    """Another way in which rounds of one variant differ, such as a betting limit or a speed."""
    stakes: str = ""
    positions: Mapping[Seat, str] = {}
    """What each seat was in this round, such as the button or the white pieces."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure of somebody's statistics, made of counts."""

    value: float | None
    """None where there is nothing to divide by. A percentage is a number from 0 to 100."""
    low: float | None = None
    high: float | None = None
    """The bounds between which the true value lies with a chance of 95 %, where they are known."""
    made: int | None = None
    chances: int | None = None
    """Of a percentage: how often something was done, and how often it could have been."""


class RatedRound(msgspec.Struct, frozen=True):
    """A finished round between two seats that counts for ratings, and in which pool of players."""

    variant: str
    speed: str
    points: Mapping[Seat, int]
    """Half points: 2 for a win, 1 for a draw, 0 for a loss."""


class Part(msgspec.Struct, frozen=True):
    """What one finished round was for one seat, as its player finds it in a list."""

    net: int = 0
    """Chips won or lost."""
    result: Result | None = None
    """None for a round that counts for nothing."""
    showdown: bool = False
    cards: Sequence[str] = ()
    """The player's own cards. Only the player is told: they are kept as a hidden event is."""


class Summary(msgspec.Struct, frozen=True):
    """One finished round in a line, for lists and searches."""

    variant: str = ""
    pot: int = 0
    facts: Mapping[str, Any] = {}
    """What everyone may know of it, ready for JSON."""
    parts: Mapping[Seat, Part] = {}


SettingsT = TypeVar("SettingsT", bound=msgspec.Struct)
StateT = TypeVar("StateT")


class Game(ABC, Generic[SettingsT, StateT]):
    """The rules of a game. One instance serves all tables, so it holds nothing that changes."""

    name: ClassVar[str]
    """The word in URLs and settings, such as `holdem`."""
    title: ClassVar[str]
    """What people call it, such as `Texas Hold'em`."""
    settings_type: ClassVar[type[msgspec.Struct]]
    """A frozen struct of the host's choices: limits are `msgspec.Meta` bounds, defaults are a good evening."""
    action_types: ClassVar[tuple[type[Action], ...]]
    event_types: ClassVar[tuple[type[Event], ...]]
    public_type: ClassVar[Any] = dict[str, Any]
    """The struct of what `public` gives, for the description of the API; a bare object where a game does not say."""
    private_type: ClassVar[Any] = dict[str, Any]
    """The same of `private`, and of `legal`; both may also give None."""
    legal_type: ClassVar[Any] = dict[str, Any]
    export_formats: ClassVar[Mapping[str, str]] = {}
    """File suffix → media type of the notations that `export` writes."""
    charted: ClassVar[tuple[str, ...]] = ()
    """Which counts of `tally` are worth showing day by day."""
    positions: ClassVar[tuple[str, ...]] = ()
    """The words of `Facets.positions`, in the order in which they are shown."""
    directs: ClassVar[bool] = False
    """Whether this is no game for a table, but something that directs tables, such as a tournament: its log is kept as
    a table's is, nobody sits down, and a director works for it while it is open."""
    rates: ClassVar[bool] = False
    """Whether `rated` may give something: a table that has finished is then recorded at once."""
    imports: ClassVar[frozenset[str]] = frozenset()
    """File suffixes of the notations that `read` reads."""
    collections: ClassVar[Mapping[str, str]] = {}
    """File suffix of many rounds in one file → the notation of each, where the suffix is another one: see `collect`."""
    frozen_as: ClassVar[tuple[Any, ...]] = ()
    """What `thaw` relies on: the structs that `freeze` writes, and a number to count up when the same fields come to
    mean something else. A snapshot of another version, with others, is not thawed; the log is followed instead."""

    # Setting up

    def check(self, settings: SettingsT) -> None:
        """Raise `Illegal` where settings that are each within their limits do not fit together."""
        return

    @abstractmethod
    def seats(self, settings: SettingsT) -> tuple[int, int]:
        """The least number of players that can start, and the number of seats."""

    @abstractmethod
    def setup(self, settings: SettingsT) -> StateT:
        """The state of a table at which nothing has happened yet."""

    def shares_seats(self, settings: SettingsT) -> bool:
        """Whether one person may hold several seats, as on one screen."""
        return False

    # People come and go

    @abstractmethod
    def join(self, state: StateT, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
        """Somebody sits down. `options` is what they sent along, such as a buy-in: check it."""

    @abstractmethod
    def leave(self, state: StateT, seat: Seat, world: World) -> Sequence[Event]:
        """Somebody gets up, at any moment; the game goes on or ends without them.

        Where something of theirs is still at stake, the game settles it by a later event, and refuses the seat to
        anybody else until then.
        """

    def reserved(self, state: StateT, seat: Seat) -> bool:
        """Whether something of a player who left the seat is still at stake there, so that nobody else may have it."""
        return False

    def correct(self, state: StateT, seat: Seat, chips: int, reason: str, world: World) -> Sequence[Event]:
        """The host adds chips to a stack, or with a negative number takes some away. Everyone is told the reason.

        It takes effect between two rounds. While one is open this is asked only to refuse what cannot be done.
        """
        raise Illegal("no_chips", f"{self.title} has no chips")

    @abstractmethod
    def start(self, state: StateT, world: World) -> Sequence[Event]:
        """The host starts the game. Raise `Illegal` where it has started or cannot start."""

    # Tournaments

    def directed(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings of a table at which a tournament gives the seats and begins the rounds: what it decides itself
        is left to it. `settings` is what was asked for, not checked yet."""
        return settings

    def next_round(self, state: StateT, world: World) -> Sequence[Event]:
        """Begin the next round now, since the tournament says so. Raise `Illegal` where that cannot be."""
        return self.start(state, world)

    def forfeit(self, state: StateT, losers: Sequence[Seat], world: World) -> Sequence[Event]:
        """These players did not come: they lose the round that is open."""
        raise Illegal("no_forfeit", f"{self.title} is not forfeited")

    # Playing

    @abstractmethod
    def status(self, state: StateT) -> str:
        """`waiting`, `playing` or `finished`; what directs tables has words of its own."""

    def headcount(self, state: StateT) -> int:
        """How many take part in what directs tables, where nobody has a seat: the directory lists it."""
        return 0

    @abstractmethod
    def turn(self, state: StateT) -> int:
        """A number that grows whenever the decision to be made becomes another one."""

    @abstractmethod
    def actors(self, state: StateT) -> Sequence[Seat]:
        """The seats that the game waits for."""

    @abstractmethod
    def legal(self, state: StateT, seat: Seat) -> dict[str, Any] | None:
        """What the seat may do in its turn, ready for JSON; None where it is not its turn, or where the game waits for
        something that is among its options."""

    def options(self, state: StateT, seat: Seat) -> Sequence[str]:
        """The kinds of action that the seat may take whoever's turn it is, such as to offer a draw."""
        return ()

    @abstractmethod
    def decide(self, state: StateT, seat: Seat, action: Action, world: World) -> Sequence[Event]:
        """What the action brings about. Raise `Illegal` where the rules refuse it. Does not change the state."""

    @abstractmethod
    def apply(self, state: StateT, event: Event, at: Millis) -> None:
        """Let the state follow an event that happened at `at`."""

    # Time

    def deadline(self, state: StateT) -> Deadline | None:
        """When the clock plays next, if nobody acts before."""
        return None

    def expire(self, state: StateT, world: World) -> Sequence[Event]:
        """What the clock plays when the deadline has passed."""
        return ()

    def running(self, state: StateT) -> bool:
        """Whether any time runs. Where nobody could play for a while, `shift` then moves it on."""
        return self.deadline(state) is not None

    def shift(self, state: StateT, length: Millis) -> None:
        """Move every running time by `length`: the table was paused, or nobody could play."""
        return

    # What may be seen

    @abstractmethod
    def public(self, state: StateT) -> dict[str, Any]:
        """What everyone may see, ready for JSON."""

    def private(self, state: StateT, seat: Seat) -> dict[str, Any] | None:
        """What this seat may see besides, ready for JSON."""
        return None

    # The same as JSON. A game overrides these only to be faster: they say what the methods above say.

    def public_json(self, state: StateT) -> bytes:
        """The JSON of `public`."""
        return _encode(self.public(state))

    def own_json(self, state: StateT, seat: Seat) -> tuple[bytes, bytes, bytes]:
        """The JSON of `options`, of `private` and of `legal`, for a seat that is taken."""
        return _encode(self.options(state, seat)), _encode(self.private(state, seat)), _encode(self.legal(state, seat))

    # The record

    def round(self, state: StateT) -> int:
        """The number of the hand or game in progress or last played; 0 before the first."""
        return 0

    def tally(self, played: Round) -> Mapping[Seat, Mapping[str, int]]:
        """What one finished round adds to each player's statistics. Here `played` has all events, hidden ones too."""
        return {}

    def facets(self, played: Round) -> Facets:
        """By what the counts of `tally` are kept apart for this round."""
        return Facets()

    def figures(self, counts: Mapping[str, int]) -> Mapping[str, Figure]:
        """The figures that players know, from sums of the counts of `tally`; a count that is missing is 0."""
        return {}

    def rated(self, played: Round) -> RatedRound | None:
        """The result for the players' ratings; None where the round does not count for them."""
        return None

    def details(self, played: Round) -> Mapping[str, Any]:
        """What the history tells of a finished round besides its events, ready for JSON: nothing that they do not."""
        return {}

    def summary(self, played: Round) -> Summary:
        """A finished round for lists and searches. Here `played` has all events, hidden ones too: only a player's own
        `Part.cards` may come from those."""
        return Summary()

    def stakes(self, event: Event) -> tuple[Seat, int] | None:
        """Chips that a seat brought to the table (positive) or took away (negative) by this event, for the ledger.

        Where the seat is empty by then, they are those of the player who left it last: see `leave`.
        """
        return None

    def export(self, suffix: str, played: Round) -> str:
        """The round in the notation of that suffix."""
        raise Illegal("unknown_format", f"{self.title} has no notation .{suffix}")

    def read(self, suffix: str, text: str) -> Sequence[Round]:
        """The rounds of a file in the notation of that suffix, which anybody may have written. `Illegal` where it
        cannot be read."""
        raise Illegal("unknown_format", f"{self.title} reads no files .{suffix}")

    def collect(self, suffix: str, number: int, text: str) -> str:
        """An exported round as the `number`th of many in one file of that suffix, which is one after another."""
        return text + "\n"

    # Snapshots

    @abstractmethod
    def freeze(self, state: StateT) -> bytes:
        """The exact state as bytes."""

    @abstractmethod
    def thaw(self, settings: SettingsT, frozen: bytes) -> StateT:
        """The state that `freeze` wrote."""
