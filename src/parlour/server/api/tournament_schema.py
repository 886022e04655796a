"""The words of the API for tournaments. The OpenAPI document is made from these, as from those in `schema.py`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from parlour.server.api.schema import Body, Millis, Object, Person, Seat

TournamentName = Annotated[str, Meta(min_length=1, max_length=60, description="What the list and the clock page show.")]
TournamentFormat = Literal["sitngo", "mtt", "round_robin", "swiss", "knockout", "arena"]
TournamentStatus = Literal["registering", "running", "break", "finished"]
EntryNumber = Annotated[int, Meta(ge=1, le=100_000, description="Entries are numbered from 1 in the order they came.")]
EntryStatus = Literal["entered", "playing", "out", "withdrawn", "removed"]
EntryKey = Annotated[str, Meta(pattern="^[1-9][0-9]{0,5}$")]
"""The number of an entry as the key of a JSON object."""


class NewTournament(Body, frozen=True):
    game: Annotated[str, Meta(max_length=32, description="holdem or chess.")]
    name: TournamentName
    format: TournamentFormat
    """Hold'em is played as sitngo or mtt; chess as round_robin, swiss, knockout or arena."""
    settings: Object = msgspec.field(default_factory=dict)
    """See docs/tournaments.md; what is left out has a good default."""


class DealProposal(Body, frozen=True):
    kind: Literal["chips", "icm"]
    """Shares by chip count, or by the Independent Chip Model."""
    agree: bool = True
    """Whether you agree to it; false takes your agreement back."""


class TournamentCode(msgspec.Struct, frozen=True):
    code: str


class Entered(msgspec.Struct, frozen=True):
    """The entry is durable. Its number is yours for the whole tournament, also after a re-entry."""

    entry: EntryNumber
    seq: int


class TournamentHost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str


class TournamentInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the list."""

    code: str
    name: str
    game: str
    format: TournamentFormat
    status: TournamentStatus
    host: TournamentHost
    players: int
    """How many have entered and did not withdraw."""
    entries_max: int
    start_at: Millis | None
    created: Millis
    private: bool
    yours: bool
    """Whether you are its host or have entered. Your private ones are in the list, and in nobody else's."""
    late_until: int | None
    """While it runs and still takes entries: the last level in which it does, or the round before which they end; null
    elsewhere, in an arena, which takes them until it ends, and where another node works for the tournament."""


class EntryView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: EntryNumber
    player: Person
    status: EntryStatus
    table: str | None
    """The code of the table at which this entry sits."""
    seat: Seat | None
    chips: int | None
    """After the last hand that was finished; null in chess."""
    points: float | None
    """In chess; null in hold'em."""
    entered_at: Millis
    reentries: int
    rebuys: int
    bounties: int
    """How many others this entry has eliminated for a bounty."""
    late: bool
    """Whether it came after the start."""


class NextLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    small_blind: int
    big_blind: int
    ante: int


class LevelView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    small_blind: int
    big_blind: int
    ante: int
    next: NextLevel | None
    """Null at the last level, which goes on to the end."""


class ClockView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["start", "level", "break", "round", "arena"] | None
    """What ends when the time is over; null where no time runs and none will."""
    ends_at: Millis | None
    """On the server's clock; null while it stands still, and where levels are counted in hands."""
    remaining: Millis | None
    """What was left when the view was made."""
    running: bool
    hands_left: int | None
    """Hands to the next level, where levels are counted in hands."""


class TournamentSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: Seat
    entry: EntryNumber
    chips: int | None


class TournamentTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    code: str
    status: Literal["playing", "waiting", "paused", "closed"]
    round: int
    """The last hand or game that began there."""
    seats: list[TournamentSeat]
    final: bool
    """Whether it is the final table."""


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int
    place_to: int
    """Greater than `place` where several share the places from the one to the other."""
    entry: EntryNumber
    prize: int | None
    """Null in chess, and while the place is not final."""
    chips: int | None
    points: float | None
    tiebreaks: dict[str, float]
    """What decides between equal points, in the order of the setting `tie_breaks`."""
    bounty: int
    """Chips of bounties that this entry has won."""


class Payout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int
    prize: int


class Pairing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    board: int
    table: str | None
    white: EntryNumber | None
    black: EntryNumber | None
    result: Literal["1-0", "0-1", "1/2-1/2", "+--", "--+", "---", "bye", "half-bye"] | None
    """Null while it is played; +-- is a forfeit that white wins, --- one that both lose."""
    kind: Literal["game", "tiebreak", "armageddon"]
    """In a knock-out, what game of the match it is; game in every other format."""


class RoundPairings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    pairings: list[Pairing]


class DealView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is proposed at the final table. It is made when everybody who is left agrees."""

    kind: Literal["chips", "icm"]
    shares: dict[EntryKey, int]
    """Entry → the prize that it would get."""
    agreed: list[EntryNumber]


class SeatChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: EntryNumber
    from_: int | None = msgspec.field(name="from")
    """The number of the table; null for a first seat, and for one that is drawn for the final table."""
    to: int
    seat: Seat
    at: Millis


class TournamentYou(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: EntryNumber | None
    host: bool
    can: list[Literal["enter", "withdraw", "rebuy", "add_on", "reenter", "start", "deal"]]
    """What is open to you just now."""


class TournamentView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as the caller may see it. Nobody's cards are in it, nor in its events."""

    code: str
    name: str
    game: str
    format: TournamentFormat
    status: TournamentStatus
    paused: bool
    """Whether the host has paused it."""
    host: TournamentHost
    created: Millis
    start_at: Millis | None
    started_at: Millis | None
    ended_at: Millis | None
    settings: Object
    """All of them, with the defaults of those that the host left out."""
    seq: int
    """The number of the last event that the view knows: follow from there."""
    entries: list[EntryView]
    level: LevelView | None
    clock: ClockView
    tables: list[TournamentTable]
    standings: list[Standing]
    payouts: list[Payout]
    """What each paid place wins, also where the setting `payouts` is empty."""
    pool: int
    """What the places win together; before the start, with those who have entered."""
    average_stack: int | None
    players_left: int
    rounds: list[RoundPairings]
    rounds_planned: int | None
    """In a round robin or a Swiss tournament that has begun: how many rounds it has if none is called off."""
    hand_for_hand: bool
    deal: DealView | None
    moves: list[SeatChange]
    """The last seat changes, at most 50, the newest last."""
    you: TournamentYou | None
    """Null for somebody without an identity."""
    table: str | None
    """The code of the table at which you sit just now."""
