"""What a host chooses for a tournament: one flat object for each game, checked, with the defaults filled in.

The log keeps the filled-in form, so that everybody can read before the start what will be played.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from parlour.games.contract import Illegal, Millis
from parlour.games.poker.holdem.settings import MAX_CHIPS
from parlour.tournaments.chess import swiss
from parlour.tournaments.chess.tiebreaks import TieBreak
from parlour.tournaments.poker import structure

ENTRIES_MOST = 10_000
NAME_LENGTH = 60
LATEST: Millis = 32_503_680_000_000
"""The year 3000."""

HoldemFormat = Literal["sitngo", "mtt"]
ChessFormat = Literal["round_robin", "swiss", "knockout", "arena"]
FORMATS: dict[str, tuple[str, ...]] = {
    "holdem": ("sitngo", "mtt"),
    "chess": ("round_robin", "swiss", "knockout", "arena"),
}

Count = Annotated[int, Meta(ge=0, le=100)]
Chips = Annotated[int, Meta(ge=1, le=MAX_CHIPS)]
Amount = Annotated[int, Meta(ge=0, le=MAX_CHIPS)]
Minutes = Annotated[float, Meta(gt=0, le=1440)]
Seconds = Annotated[int, Meta(ge=0, le=86_400)]


class LevelSetting(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`[length, small blind, big blind, ante]`; the length is in minutes or in hands."""

    length: Annotated[float, Meta(gt=0, le=1440)]
    small_blind: Chips
    big_blind: Chips
    ante: Amount = 0


class BreakSetting(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`[after level, minutes]`."""

    after_level: Annotated[int, Meta(ge=1, le=structure.LONGEST)]
    minutes: Minutes


class Common(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="game"):
    """What a host chooses whatever is played."""

    private: bool = False
    """Not in the list; the code is too long to guess."""
    start_at: Annotated[int, Meta(ge=0, le=LATEST)] | None = None
    """When it starts by itself; None where the host starts it, or a sit-and-go is full."""
    entries_min: Annotated[int, Meta(ge=2, le=ENTRIES_MOST)] = 2
    """With fewer entries it does not start."""
    entries_max: Annotated[int, Meta(ge=2, le=ENTRIES_MOST)] = 1000
    table: dict[str, Any] = {}
    """Settings of the game at every table, of those that a tournament leaves free."""
    chat: bool = True
    spectators: bool = True
    spectator_delay: Annotated[int, Meta(ge=0, le=600)] = 0
    """How many seconds people without a seat lag behind at the tables."""
    grace: Annotated[int, Meta(ge=0, le=600)] = 30
    """How many seconds longer a clock at a table waits for somebody whose connection is lost."""


class HoldemTournament(Common, frozen=True, tag="holdem", kw_only=True):
    """Sit-and-go and multi-table tournament."""

    format: HoldemFormat = "mtt"
    seats: Annotated[int, Meta(ge=2, le=10)] = 9
    """Seats at each table."""
    stack: Chips = 10_000
    buy_in: Amount = 10
    """What an entry pays. It is play money, and nobody's account is charged: pay-outs are worked out from it."""
    levels: Annotated[tuple[LevelSetting, ...], Meta(max_length=structure.LONGEST)] = ()
    """Empty for a proposal that fits the stack."""
    level_by: Literal["minutes", "hands"] = "minutes"
    """Whether the length of a level is in minutes, or in hands of the table that has played the most."""
    breaks: Annotated[tuple[BreakSetting, ...], Meta(max_length=structure.LONGEST)] | None = None
    """None for a proposal."""
    ante_type: Literal["each", "big_blind"] = "each"
    late_until: Count = 0
    """Late entries and re-entries come in until this level is over, and the break after it; 0 for none. Never the last
    level, which stays: the default is less where there are few levels."""
    reentries: Count = 0
    """How often somebody who went out may enter again."""
    rebuys: Count = 0
    """How often somebody who has lost all chips may buy new ones and keep the seat."""
    rebuy_until: Count = 0
    """Until the end of which level; never the last."""
    rebuy_chips: Amount = 0
    """0 for as many as the stack."""
    rebuy_price: Amount | None = None
    """None for as much as the buy-in."""
    add_on: Amount = 0
    """Chips that everybody may buy once, in the first break after the rebuys; 0 for none."""
    add_on_price: Amount | None = None
    """None for as much as the buy-in."""
    bounty: Amount = 0
    """How much of each buy-in goes to whoever eliminates the entry."""
    payouts: Annotated[tuple[Annotated[float, Meta(gt=0, le=100)], ...], Meta(max_length=2000)] = ()
    """Percentages of the pool by place, 100 together; empty for a proposal by number of entries."""
    hand_for_hand: bool = True
    races: Literal["none", "race", "up"] = "none"
    """What happens to chips that are too small for the blinds: nothing, a race, or everybody's are rounded up."""
    chips: Annotated[tuple[Chips, ...], Meta(max_length=20)] = ()
    """Denominations in ascending order, where chips are raced off."""
    deals: bool = True
    """Whether those at the final table may agree to share what is left of the pool."""
    action_seconds: Annotated[int, Meta(ge=5, le=3600)] = 20
    time_bank: Annotated[int, Meta(ge=0, le=3600)] = 30
    hand_delay: Annotated[float, Meta(ge=0, le=60)] = 3


class ChessTournament(Common, frozen=True, tag="chess", kw_only=True):
    """Round robin, Swiss, knock-out and arena."""

    format: ChessFormat = "swiss"
    rounds: Annotated[int, Meta(ge=1, le=100)] | None = None
    """Swiss: how many; None for as many as the number of entries needs."""
    cycles: Annotated[int, Meta(ge=1, le=4)] = 1
    """Round robin: how often everybody meets everybody."""
    games: Annotated[int, Meta(ge=1, le=12)] = 1
    """Knock-out: games of a match, before quick ones decide it."""
    tiebreak: Annotated[
        tuple[tuple[Annotated[float, Meta(ge=0.25, le=180)], Annotated[int, Meta(ge=0, le=180)]], ...],
        Meta(max_length=6),
    ] = ((5, 3), (3, 2))
    """Knock-out: pairs of quick games, `[minutes, increment]` each, and then one in which a draw wins for Black."""
    minutes: Minutes = 60
    """Arena: how long pairings are made."""
    round_pause: Seconds = 30
    """Seconds between two rounds; in an arena, until those who are free are paired."""
    forfeit: Annotated[int, Meta(ge=5, le=86_400)] = 300
    """Seconds for a player's first move: whoever does not make it by then loses by forfeit."""
    late_until: Count = 2
    """Late entries come in before this round is paired; 0 for none. An arena takes them until it ends."""
    bye_points: Annotated[float, Meta(ge=0, le=1, multiple_of=0.5)] = 1
    """What a player gets for whom there is no opponent."""
    late_points: Annotated[float, Meta(ge=0, le=0.5, multiple_of=0.5)] = 0
    """What a late entry gets for each round that it missed."""
    tie_breaks: Annotated[
        tuple[TieBreak, ...],
        Meta(max_length=8),
    ] = ("buchholz_cut1", "buchholz", "sonneborn_berger", "direct", "wins")


Chosen = HoldemTournament | ChessTournament

ROUND_ROBIN_MOST = 100
"""With so many entries, a round robin of one cycle has 4,950 games."""

_DEFAULTS: dict[str, dict[str, Any]] = {
    "sitngo": {"stack": 1500, "entries_max": 9, "entries_min": 2},
    "mtt": {"late_until": 4},
    # Where everybody has met everybody, Buchholz is the same for all who are level.
    "round_robin": {"entries_max": 20, "tie_breaks": ("direct", "wins", "sonneborn_berger")},
    "swiss": {"entries_max": swiss.LARGEST},
    "arena": {"round_pause": 5},
}
"""Defaults of a format that are not those of its game."""

_READ_BY: dict[str, tuple[str, ...]] = {
    "rounds": ("swiss",),
    "cycles": ("round_robin",),
    "games": ("knockout",),
    "tiebreak": ("knockout",),
    "minutes": ("arena",),
    "late_until": ("swiss",),
    "bye_points": ("swiss",),
    "late_points": ("swiss",),
    "tie_breaks": ("round_robin", "swiss"),
}
"""Settings of chess that not every format reads, and those that do."""

_KINDS: dict[str, type[HoldemTournament | ChessTournament]] = {"holdem": HoldemTournament, "chess": ChessTournament}


class TournamentSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the log: what is played, and all choices."""

    title: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
    chosen: Chosen
    announced: int = 0
    """When; 0 in logs from before that was noted."""

    @property
    def game(self) -> str:
        return "holdem" if isinstance(self.chosen, HoldemTournament) else "chess"

    @property
    def format(self) -> str:
        return self.chosen.format


def read(game: str, form: str, flat: Mapping[str, Any]) -> Chosen:
    """A host's choices, checked and filled in. `Illegal` where they cannot be, with words that say why."""
    if game not in FORMATS:
        raise Illegal("no_such_game", f"tournaments are played in {' and '.join(FORMATS)}")
    if form not in FORMATS[game]:
        raise Illegal("bad_format", f"the formats of {game} are {', '.join(FORMATS[game])}")
    kind = _KINDS[game]
    names = {field.encode_name for field in msgspec.structs.fields(kind)}
    unknown = sorted(set(flat) - (names - {"format"}))
    if unknown:
        raise Illegal("bad_settings", f"a tournament of {game} has no setting {unknown[0]!r}")
    defaults = _DEFAULTS.get(form, {})
    try:
        chosen = msgspec.convert({**defaults, **flat, "format": form, "game": game}, kind)
    except msgspec.ValidationError as error:
        raise Illegal("bad_settings", str(error)) from None
    if isinstance(chosen, HoldemTournament):
        chosen = _filled_in(chosen, flat)
    check(chosen)
    _check_new(chosen)
    return chosen


def _filled_in(chosen: HoldemTournament, flat: Mapping[str, Any]) -> HoldemTournament:
    """With what is proposed for the levels and breaks that the host left open."""
    if chosen.format == "sitngo" and "seats" not in flat:
        chosen = msgspec.structs.replace(chosen, seats=min(9, chosen.entries_max))
    chip = chosen.chips[0] if chosen.chips else 1
    levels = chosen.levels
    if not levels:
        proposed = structure.proposal(
            chosen.format,
            chosen.stack,
            min(chosen.entries_max, 1000),
            level_by=chosen.level_by,
            ante_type=chosen.ante_type,
            chip=chip,
        )
        levels = tuple(LevelSetting(one.length, one.small_blind, one.big_blind, one.ante) for one in proposed)
    breaks = chosen.breaks
    if breaks is None:
        steps = [structure.BlindLevel(one.length, one.small_blind, one.big_blind, one.ante) for one in levels]
        timed = chosen.level_by == "minutes"
        breaks = (
            tuple(BreakSetting(one.after_level, one.minutes) for one in structure.breaks(chosen.format, steps))
            if timed
            else ()
        )
    return msgspec.structs.replace(
        chosen,
        levels=levels,
        breaks=breaks,
        late_until=chosen.late_until if "late_until" in flat else min(chosen.late_until, len(levels) - 1),
        rebuy_chips=chosen.rebuy_chips or chosen.stack,
        rebuy_price=chosen.buy_in if chosen.rebuy_price is None else chosen.rebuy_price,
        add_on_price=chosen.buy_in if chosen.add_on_price is None else chosen.add_on_price,
    )


def _check_new(chosen: Chosen) -> None:
    """Raise `Illegal` for what logs that there are already may have: they are read with `check` alone."""
    if isinstance(chosen, HoldemTournament):
        _check_last_level(chosen)
        return
    usual = ChessTournament()
    for name, formats in _READ_BY.items():
        if chosen.format not in formats and getattr(chosen, name) != getattr(usual, name):
            raise Illegal("bad_settings", f"{name} is a setting of {' and '.join(formats)}, not of {chosen.format}")


def _check_last_level(chosen: HoldemTournament) -> None:
    """The last level stays. What is open until its end is open for ever, so that no place is ever certain."""
    last = len(chosen.levels)
    for name, until in (("late_until", chosen.late_until), ("rebuy_until", chosen.rebuy_until)):
        if until >= last:
            raise Illegal("bad_settings", f"{name} is a level before the last, which stays: {last - 1} at most")
    first = max(1, chosen.rebuy_until)
    if chosen.add_on and not any(first <= one.after_level < last for one in chosen.breaks or ()):
        raise Illegal(
            "bad_settings", "the add-on is sold in a break, and there is none from rebuy_until to the last level"
        )


def check(chosen: Chosen) -> None:
    """Raise `Illegal` where choices that are each possible do not fit together."""
    if chosen.entries_min > chosen.entries_max:
        raise Illegal("bad_settings", "entries_min is more than entries_max")
    if isinstance(chosen, HoldemTournament):
        _check_holdem(chosen)
    else:
        _check_chess(chosen)
    given = set(chosen.table) & (GIVEN_HOLDEM if isinstance(chosen, HoldemTournament) else GIVEN_CHESS)
    if given:
        raise Illegal("bad_settings", f"the tournament itself says {min(given)!r} of its tables")


def _check_holdem(chosen: HoldemTournament) -> None:
    breaks = chosen.breaks or ()
    for number, level in enumerate(chosen.levels, start=1):
        if level.small_blind > level.big_blind:
            raise Illegal("bad_settings", f"the small blind of level {number} is more than its big blind")
    if chosen.levels and chosen.stack < chosen.levels[0].big_blind:
        raise Illegal("bad_settings", "the stack does not cover the first big blind")
    if len({one.after_level for one in breaks}) < len(breaks):
        raise Illegal("bad_settings", "there are two breaks after one level")
    if any(one.after_level > len(chosen.levels) for one in breaks):
        raise Illegal("bad_settings", "there is a break after a level that does not exist")
    if chosen.payouts and abs(sum(chosen.payouts) - 100) > 1e-6:
        raise Illegal("bad_settings", f"the payouts are {sum(chosen.payouts):g} % together, not 100")
    if any(later > earlier for earlier, later in pairwise(chosen.payouts)):
        raise Illegal("bad_settings", "a lower place is paid more than a higher one")
    if chosen.bounty > chosen.buy_in:
        raise Illegal("bad_settings", "the bounty is a part of the buy-in, and cannot be more")
    if chosen.rebuys and not chosen.rebuy_until:
        raise Illegal("bad_settings", "say until which level there are rebuys: rebuy_until")
    if chosen.reentries and not chosen.late_until:
        raise Illegal("bad_settings", "re-entries come in while entries are open: set late_until")
    if chosen.races != "none" or chosen.chips:
        _check_chips(chosen)


def _check_chess(chosen: ChessTournament) -> None:
    if chosen.table.get("untimed"):
        raise Illegal("bad_settings", "a tournament needs clocks: without them a game may never end")
    most = {"swiss": swiss.LARGEST, "round_robin": ROUND_ROBIN_MOST}.get(chosen.format, ENTRIES_MOST)
    if chosen.entries_max > most:
        raise Illegal("bad_settings", f"at most {most} can enter a tournament of this format: entries_max")
    if chosen.format == "swiss" and not swiss.available():
        raise Illegal("no_swiss", "this server has no Swiss pairings: py4swiss is not made for its kind of machine")


def _check_chips(chosen: HoldemTournament) -> None:
    chips = chosen.chips
    if len(chips) < 2 and chosen.races != "none":
        raise Illegal("bad_settings", "to race chips off, name two denominations at least: chips")
    for small, big in pairwise(chips):
        if big <= small or big % small:
            raise Illegal("bad_settings", f"a chip of {big} is not worth several of {small}")
    amounts = [amount for one in chosen.levels for amount in (one.small_blind, one.big_blind, one.ante)]
    for amount in (chosen.stack, chosen.rebuy_chips, chosen.add_on, *amounts):
        if amount % chips[0]:
            raise Illegal("bad_settings", f"{amount} cannot be paid in chips of {chips[0]}")


_ROOM = {"name", "private", "approve_seats", "spectators", "spectator_delay", "grace", "chat"}
GIVEN_HOLDEM = frozenset(
    {
        "seats", "small_blind", "big_blind", "ante", "ante_type", "min_buy_in", "max_buy_in", "buy_in", "rebuy",
        "absent", "return_minutes", "freeze_out", "levels", "action_seconds", "time_bank", "hand_delay", "seven_deuce",
    }
    | _ROOM
)  # fmt: skip
"""Settings of a hold'em table that the tournament itself says, or that would move chips past it."""
GIVEN_CHESS = frozenset({"side", "rematch_colors", "autostart", "same_screen", "odds"} | _ROOM)


def minutes(length: float) -> Millis:
    return round(length * 60_000)
