"""The state of a tournament: a fold of its log and of nothing else, as plain data that a snapshot keeps as it is."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any, Literal

import msgspec

from parlour.games.contract import Millis, Seat
from parlour.tables.room.alike import NamesTaken
from parlour.tables.room.state import GraceSpent
from parlour.tournaments.events import DealOpened, EntryMoved, FinalStanding, Paired, Result, SeatGiven
from parlour.tournaments.settings import ChessTournament, HoldemTournament, TournamentSettings

MOVES_KEPT = 50

Status = Literal["registering", "running", "break", "finished"]
EntryStatus = Literal["entered", "playing", "out", "withdrawn", "removed"]


class Entry(msgspec.Struct, gc=False):
    """Somebody who takes part. The first entry has the number 1; a re-entry keeps its number."""

    number: int
    player: str
    name: str
    avatar: str | None
    bot: bool
    entered_at: Millis
    late: bool = False
    started: bool = False
    """Whether it has taken part: from the start, or since it came late."""
    status: EntryStatus = "entered"
    """Chess: `withdrawn` is paired no more. Hold'em: those who withdraw after the start go on `playing`, `away`."""
    away: bool = False
    """Withdrew after the start of a hold'em tournament: the chips are blinded off."""
    rating: int = 0
    house: bool = False
    """A bot of the house: it agrees to every deal."""
    table: int | None = None
    """Where this entry should sit: the tables follow."""
    seat: Seat | None = None
    chips: int = 0
    """After the last hand that was reported, and what the tournament has given and taken since."""
    reentries: int = 0
    rebuys: int = 0
    added_on: bool = False
    owed: int = 0
    """Chips that were bought while a hand was played: the stack has them when it is reported."""
    knockouts: int = 0
    """How many entries this one has eliminated, alone or with others."""
    bounty: int = 0
    """What it has won by that."""
    grace: GraceSpent | None = None
    """Hold'em: what it had used of its grace after the last hand that was reported."""
    proposed: int = 0
    """The level in which it last proposed a deal."""


class DirectedTable(msgspec.Struct, gc=False):
    """A table of the tournament. It exists once the director has made it."""

    number: int
    id: str = ""
    code: str = ""
    """Both empty until the director has named it."""
    laid: bool = False
    """Whether it is there, and can be opened by its code."""
    settings: dict[str, Any] = {}
    seats: dict[Seat, int] = {}
    """Who should sit where, by entry."""
    reported: int = 0
    """The last round that was reported."""
    ordered: bool = False
    """Whether a round is being played or may begin: nobody leaves until it is reported."""
    closed: bool = False
    """Whether it is to be closed, or is."""
    gone: bool = False
    """Whether it is closed."""
    final: bool = False
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    """Where button and blinds lay in the last hand that was reported."""
    paid: list[int] = []
    """Hold'em: the entries that paid the big blind last, the latest last."""
    leaving: list[int] = []
    """Hold'em: entries that were removed while the round was played; what they left with is reported with it."""
    chip: int = 0
    """Hold'em: the smallest chip at the table, where chips are raced off."""
    hands: int = 0
    """Hold'em: hands reported since the level began."""
    deserted: int = 0
    """Hold'em: the last hands in a row in which everybody here was away."""


class TournamentClock(msgspec.Struct):
    """The time that everybody sees: until the next level, the end of the break, the next round."""

    kind: Literal["level", "break", "round", "arena"] | None = None
    ends_at: Millis | None = None
    """None while it stands still, and where no time runs."""
    remaining: Millis | None = None
    """What is left, while it stands still."""

    @property
    def running(self) -> bool:
        return self.ends_at is not None


class Elimination(msgspec.Struct, gc=False):
    """Somebody who went out, in the order in which it happened."""

    entry: int
    hand: int
    stack: int


class RebuyOffer(msgspec.Struct, gc=False):
    """A rebuy that somebody may have."""

    entry: int
    until: Millis


class ProposedDeal(msgspec.Struct):
    """What is proposed at the final table."""

    kind: Literal["chips", "icm"]
    by: int
    agreed: list[int] = []
    opened: DealOpened | None = None
    until: Millis = 0


class PokerTournamentState(msgspec.Struct):
    """What a hold'em tournament has beside entries and tables."""

    level: int = 0
    """0 before the start."""
    out: list[Elimination] = []
    """Who went out, the first one first. Who enters again is taken from it."""
    waiting: dict[int, int] = {}
    """Entries without chips that are not out yet: they have an offer, or play goes hand for hand → stack before."""
    winners: dict[int, list[int]] = {}
    """Of these, who won their chips."""
    offers: dict[int, RebuyOffer] = {}
    hands: int = 0
    """Counts hands in which somebody went out."""
    hand_for_hand: bool = False
    add_on_sold: bool = False
    """Whether the break has begun in which the add-on is sold."""
    selling: bool = False
    """Whether it is that break now."""
    money: int = 0
    """All that was paid in: buy-ins, re-entries, rebuys and add-ons."""
    bounties: int = 0
    """The part of it that is for bounties."""
    bounties_won: int = 0
    chips: int = 0
    """All chips in play: those at tables and those on the way between them."""
    removed_chips: int = 0
    raced_chips: int = 0
    """How many were added by races; negative where some were taken away."""
    left: int = 0
    """Entries that are still in."""
    deal: ProposedDeal | None = None
    moved: list[tuple[Millis, EntryMoved | SeatGiven]] = []
    """The last changes of seats."""


class PairingState(msgspec.Struct):
    """A pairing and what has become of it."""

    paired: Paired
    result: Result | None = None
    reason: str = ""


class PairedRound(msgspec.Struct):
    number: int
    pairings: list[PairingState]
    at: Millis


class ChessTournamentState(msgspec.Struct):
    """What a chess tournament has beside entries and tables."""

    rounds: list[PairedRound] = []
    games: dict[int, tuple[int, int]] = {}
    """Table of a game that is not over → where its pairing stands: index of the round, index of the pairing."""
    points: dict[int, float] = {}
    """Entry → points of all results so far."""
    open_games: int = 0
    """Games that are not over."""
    ended: list[int] = []
    """The round of each game that is over, the first one first: in an arena every game is a round of its own."""
    forfeits: dict[int, list[Seat]] = {}
    """Table → who lost by forfeit there, until it is closed."""
    wave_at: Millis | None = None
    """Arena: when those who are free are paired."""


def _copied(table: DirectedTable) -> DirectedTable:
    return msgspec.structs.replace(table, seats=table.seats.copy())


class TournamentState(msgspec.Struct, dict=True):
    """A tournament."""

    settings: TournamentSettings
    status: Status = "registering"
    paused: bool = False
    deserted_at: Millis | None = None
    """Since when it is paused because nobody is there."""
    start_at: Millis | None = None
    put_off: int = 0
    """How often the start was put off."""
    started_at: Millis | None = None
    ended_at: Millis | None = None
    reason: str = ""
    """Why it ended."""
    entries: list[Entry] = []
    """By number, from 1 on."""
    players: dict[str, int] = {}
    """Identity → entry."""
    tables: dict[int, DirectedTable] = {}
    opened: int = 0
    """How many tables there have been."""
    clock: TournamentClock = msgspec.field(default_factory=TournamentClock)
    standings: list[FinalStanding] = []
    """At the end."""
    poker: PokerTournamentState | None = None
    chess: ChessTournamentState | None = None

    @cached_property
    def names_taken(self) -> NamesTaken:
        """The names of all entries."""
        return NamesTaken(entry.name for entry in self.entries)

    def picture(self) -> TournamentState:
        """The tournament as it is now, for a view that is written while it goes on: a copy of what may change."""
        still = copy(self)
        still.entries = list(map(copy, self.entries))
        still.tables = {number: table if table.gone else _copied(table) for number, table in self.tables.items()}
        if self.poker is not None:
            still.poker = copy(self.poker)
            still.poker.out = self.poker.out.copy()
        if self.chess is not None:
            still.chess = msgspec.structs.replace(
                self.chess,
                rounds=[PairedRound(one.number, list(map(copy, one.pairings)), one.at) for one in self.chess.rounds],
                games=self.chess.games.copy(),
                points=self.chess.points.copy(),
                ended=self.chess.ended.copy(),
            )
        return still

    # What is asked most

    @property
    def holdem(self) -> HoldemTournament:
        chosen = self.settings.chosen
        assert isinstance(chosen, HoldemTournament), "not a hold'em tournament"
        return chosen

    @property
    def chess_settings(self) -> ChessTournament:
        chosen = self.settings.chosen
        assert isinstance(chosen, ChessTournament), "not a chess tournament"
        return chosen

    @property
    def p(self) -> PokerTournamentState:
        assert self.poker is not None, "not a hold'em tournament"
        return self.poker

    @property
    def c(self) -> ChessTournamentState:
        assert self.chess is not None, "not a chess tournament"
        return self.chess

    def entry(self, number: int) -> Entry:
        return self.entries[number - 1]

    def entry_of(self, player: str) -> Entry | None:
        number = self.players.get(player)
        return None if number is None else self.entries[number - 1]

    @property
    def underway(self) -> bool:
        return self.status in ("running", "break")

    def open_tables(self) -> list[DirectedTable]:
        return [table for table in self.tables.values() if not table.closed]
