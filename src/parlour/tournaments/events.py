"""What happens in a tournament, as its log keeps it: plain data, read by everybody who follows it.

People are known by the number of their entry, tables by a number within the tournament. An event says what is so from
now on; the director makes the tables so. Nothing here is secret.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from parlour.games.contract import Event, Millis, Seat

Result = Literal["1-0", "0-1", "1/2-1/2", "+--", "--+", "---", "bye", "half-bye"]
"""Of a pairing: `+--` is a forfeit that white wins, `---` one that both lose, `bye` a round without an opponent."""


# Entries


class EntryMade(Event, frozen=True, tag="entered"):
    """Somebody enters. Late entries are given a seat, or are paired, by a later event."""

    entry: int
    player: str
    name: str
    avatar: str | None = None
    bot: bool = False
    late: bool = False
    rating: int = 0
    """By which chess seeds the entries; 0 where it is not known."""
    house: bool = False
    """Whether it is a bot of the house."""


class Reentered(Event, frozen=True):
    """Somebody who went out pays again and starts with a new stack under the same number."""

    entry: int


class Withdrawn(Event, frozen=True):
    """Before the start the entry is off the list and paid back. Later its chips are blinded off, or it is paired no
    more; chips and points stay."""

    entry: int


class EntryReturned(Event, frozen=True, tag="returned"):
    """Somebody who withdrew while the tournament runs takes part again."""

    entry: int


class Removed(Event, frozen=True):
    """The host removed an entry: it is placed behind everybody else, and its chips leave the tournament."""

    entry: int
    table: int | None = None
    """Where it sat."""
    chips: int = 0
    """What leaves the tournament at once; what is at a table where a hand is played leaves it when that is reported."""


# The tournament


class StartPutOff(Event, frozen=True):
    """There are too few entries at the time of the start."""

    start_at: Millis


class Began(Event, frozen=True):
    """The tournament starts; `Started` is what tables say of themselves."""

    entries: int


class Halted(Event, frozen=True):
    """The host pauses: clocks stand still, and no table begins another round."""

    deserted: bool = False
    """It was not the host: nobody but the house has been there for a while. Hands stand still as well."""


class WentOn(Event, frozen=True):
    """The host lets it go on, or somebody is there again."""


class FinalStanding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an entry came in, for good."""

    entry: int
    place: int
    place_to: int
    prize: int = 0
    bounty: int = 0
    points: float = 0
    """In chess, with what decides between equal ones."""
    tiebreaks: dict[str, float] = msgspec.field(default_factory=dict)


class Finished(Event, frozen=True):
    """The end: places and prizes."""

    reason: Literal["played", "deal", "closed", "too_few", "not_started"]
    """`closed`: by the host; `too_few`: nobody was there to start with; `not_started`: nobody ever started it."""
    standings: list[FinalStanding] = msgspec.field(default_factory=list)


# Tables


class TableOpened(Event, frozen=True):
    """There is to be one more table. Its number is one higher than that of the last."""

    table: int
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    """Settings of its game that are not those of the tournament's other tables."""
    final: bool = False


class TableName(msgspec.Struct, frozen=True, array_like=True):
    """How everybody knows a table: `[number, id, code]`."""

    table: int
    id: str
    code: str


class TablesNamed(Event, frozen=True):
    """The director is about to make these tables, which are known by these names for good."""

    tables: list[TableName]


class TableLaid(Event, frozen=True):
    """The table can be opened by its code."""

    table: int


class TableClosing(Event, frozen=True):
    """A table is needed no more: it is closed when everybody has left it."""

    table: int
    lost: bool = False
    """Whether somebody had closed it by hand: what had happened there since the last report counts for nothing."""


class TablesGone(Event, frozen=True):
    """These tables are closed, and need not be looked at again."""

    tables: list[int]


class SeatGiven(Event, frozen=True):
    """An entry that has no seat gets one."""

    entry: int
    table: int
    seat: Seat


class SeatsGiven(Event, frozen=True):
    """All seats of a table that opens: at the start, at the final table, for a game of chess. Whoever sits elsewhere
    gets up there."""

    table: int
    seats: dict[Seat, int]
    """Seat → entry."""
    why: Literal["start", "final", "game"] = "start"


class EntryMoved(Event, frozen=True, tag="moved"):
    """From now on an entry sits at another table: it gets up there between two rounds, and sits down here."""

    entry: int
    source: int
    table: int
    seat: Seat
    why: Literal["balance", "broken", "lost"] = "balance"


class RoundOrdered(Event, frozen=True):
    """These tables begin their next round as soon as everybody sits there: until it is reported nobody leaves them."""

    tables: list[int]


class RoundHeld(Event, frozen=True):
    """The round that was ordered has not begun, and does not for now: a break or a pause came first."""

    table: int


# Hold'em


class LevelBegan(Event, frozen=True):
    level: int
    ends_at: Millis | None = None
    """None where levels are counted in hands, and at the last level, which stays."""


class BreakBegan(Event, frozen=True):
    """No hand begins until the break is over. Those under way are finished."""

    ends_at: Millis
    add_on: bool = False
    """Whether the add-on is sold in it."""


class HandReported(Event, frozen=True):
    """A hand is over at a table."""

    table: int
    round: int
    stacks: dict[int, int]
    """Entry → chips, of all who sit there, and of those who left during the hand what they left with."""
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    won: dict[int, list[int]] = msgspec.field(default_factory=dict)
    """Of entries without chips: who won the last pot that their chips were in."""
    away: bool = False
    """Whether everybody at the table was away or sat out."""
    grace: dict[int, Millis] = msgspec.field(default_factory=dict)
    """Of entries that have used some of their grace: how much they have not got back."""


class RebuyOffered(Event, frozen=True):
    """Somebody has lost all chips and may buy new ones; the table waits."""

    entry: int
    until: Millis


class Rebought(Event, frozen=True):
    entry: int
    chips: int
    price: int


class RebuyLapsed(Event, frozen=True):
    """Somebody does not want a rebuy that is offered."""

    entry: int


class AddedOn(Event, frozen=True):
    entry: int
    chips: int
    price: int


class Raced(Event, frozen=True):
    """Chips too small for the blinds are gone from a table."""

    table: int
    chip: int
    """The smallest that is left."""
    changes: dict[int, int] = msgspec.field(default_factory=dict)
    """Entry → by how much its stack changed."""
    cards: dict[int, list[int]] = msgspec.field(default_factory=dict)
    """The cards that odd chips were dealt."""


class Eliminated(Event, frozen=True):
    """An entry is out."""

    entry: int
    table: int
    hand: int
    """Counts up; entries that went out in the same hand, or hand for hand in the same round, have the same."""
    stack: int
    """Chips at the start of that hand: of those with the same number the larger one comes in higher."""
    bounties: dict[int, int] = msgspec.field(default_factory=dict)
    """Entry → what it wins for it."""
    place: int | None = None
    place_to: int | None = None
    """None as long as others may enter."""


class HandForHand(Event, frozen=True):
    """From now on all tables deal together, or no longer."""

    on: bool


class DealProposed(Event, frozen=True):
    """Somebody at the final table proposes to share what is left of the pool. After the hand the table waits."""

    entry: int
    kind: Literal["chips", "icm"]


class DealOpened(Event, frozen=True):
    """The hand is over: these are the shares, and everybody is asked."""

    shares: dict[int, int]
    until: Millis


class DealAgreed(Event, frozen=True):
    entry: int


class DealDropped(Event, frozen=True):
    """Somebody does not agree, or the time is over."""

    entry: int | None = None


# Chess


class Paired(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who plays whom in a round; the seats of its table are 0 for white and 1 for black."""

    board: int
    white: int | None
    black: int | None = None
    table: int | None = None
    """The table of the game, which is opened before; None for a bye and the like."""
    result: Result | None = None
    """What is known without a game."""
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the format has to remember, such as which game of a match it is."""


class RoundPaired(Event, frozen=True):
    """The pairings of a round; in an arena each of them is a round of its own."""

    number: int
    pairings: list[Paired]


class RoundAwaited(Event, frozen=True):
    """The next round is paired then."""

    at: Millis


class GameReported(Event, frozen=True):
    """A game is over at a table, or nobody came to play it."""

    table: int
    round: int
    result: Result
    reason: str = ""


class ArenaBegan(Event, frozen=True):
    ends_at: Millis


EVENTS: tuple[type[Event], ...] = (
    EntryMade,
    Reentered,
    Withdrawn,
    EntryReturned,
    Removed,
    StartPutOff,
    Began,
    Halted,
    WentOn,
    Finished,
    TableOpened,
    TablesNamed,
    TableLaid,
    TableClosing,
    TablesGone,
    SeatGiven,
    SeatsGiven,
    EntryMoved,
    RoundOrdered,
    RoundHeld,
    LevelBegan,
    BreakBegan,
    HandReported,
    RebuyOffered,
    Rebought,
    RebuyLapsed,
    AddedOn,
    Raced,
    Eliminated,
    HandForHand,
    DealProposed,
    DealOpened,
    DealAgreed,
    DealDropped,
    RoundPaired,
    RoundAwaited,
    GameReported,
    ArenaBegan,
)
