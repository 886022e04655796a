"""What people ask of a tournament, and what comes of it: events or a refusal. Pure; the service makes them durable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from parlour.games.contract import Event, Illegal, Millis
from parlour.tables.errors import Against, BadRequest, Busy, NotAllowed, NotFound
from parlour.tables.ports import Entropy, Identity
from parlour.tournaments import events as ev
from parlour.tournaments.plan import begin, entered, format_of, is_full
from parlour.tournaments.poker import deals, levels
from parlour.tournaments.state import Entry, TournamentState

POWERS: dict[str, set[str]] = {
    "pause": set(),
    "resume": set(),
    "add_bot": {"style", "count"},
    "remove": {"entry"},
    "level": {"number"},
    "close": set(),
}
"""The host's powers, and what they take."""


def enter(
    state: TournamentState, who: Identity, rating: int, now: Millis, entropy: Entropy, *, house: bool = False
) -> Sequence[Event]:
    """Enter, enter late, enter again after an elimination, or take part again after a withdrawal."""
    _require_not_finished(state)
    known = state.entry_of(who.id)
    late = state.status != "registering"
    if known is not None and known.status == "removed":
        raise NotAllowed("removed", "the host has removed you from this tournament")
    if known is not None and known.status in ("entered", "playing"):
        if known.away:
            return [ev.EntryReturned(known.number)]
        raise Busy("already_entered", "you have entered already")
    if known is not None and late and known.status == "out":
        return _reenter(state, known, now, entropy)
    if known is not None and late and state.poker is None and known.started:
        _ruled(format_of(state).refuse_late, state)
        return [ev.EntryReturned(known.number), *format_of(state).entered(state, known.number, now, entropy)]
    if is_full(state):
        raise Busy("full", "every place in this tournament is taken")
    if late:
        _ruled(format_of(state).refuse_late, state)
    number = len(state.entries) + 1 if known is None else known.number
    name = state.names_taken.told_apart(who.name, None if known is None else known.name)
    happened = ev.EntryMade(number, who.id, name, who.avatar, who.bot, late, rating, house)
    return [happened, *(format_of(state).entered(state, number, now, entropy) if late else ())]


def enter_bots(state: TournamentState, bots: Sequence[Identity], now: Millis, entropy: Entropy) -> Sequence[Event]:
    """Bots of the house enter, all of them or none; after the start one at a time, since each is given a seat."""
    _require_not_finished(state)
    require_room(state, len(bots))
    if state.status != "registering":
        if len(bots) > 1:
            raise Busy("started", "the tournament has started meanwhile: ask again")
        return enter(state, bots[0], 0, now, entropy, house=True)
    happened, number = [], len(state.entries)
    for bot in bots:
        known = state.entry_of(bot.id)
        number += known is None
        entry = number if known is None else known.number
        happened.append(ev.EntryMade(entry, bot.id, bot.name, bot.avatar, bot.bot, house=True))
    return happened


def house_names_taken(state: TournamentState) -> set[str]:
    """Names that no more bots of the house can have. One that was removed before the start may enter again."""
    free = ("withdrawn", "removed") if state.status == "registering" else ()
    return {entry.name for entry in state.entries if not (entry.house and entry.status in free)}


def _reenter(state: TournamentState, entry: Entry, now: Millis, entropy: Entropy) -> Sequence[Event]:
    if state.poker is None:
        raise Busy("out", "you are out of this tournament")
    if entry.reentries >= state.holdem.reentries:
        raise Busy("no_reentry", "you cannot enter this tournament again")
    _ruled(format_of(state).refuse_late, state)
    return [ev.Reentered(entry.number), *format_of(state).entered(state, entry.number, now, entropy)]


def withdraw(state: TournamentState, who: Identity) -> Sequence[Event]:
    """Before the start off the list; later blinded off in hold'em, and paired no more in chess."""
    _require_not_finished(state)
    entry = _own(state, who)
    if entry.away:
        return []
    if entry.status not in ("entered", "playing"):
        raise Busy("not_entered", "you are not in this tournament any more")
    after = format_of(state).withdraw(state, entry) if state.underway else ()
    return [ev.Withdrawn(entry.number), *after]


def start(state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
    """The host starts it."""
    _require_not_finished(state)
    if state.status != "registering":
        raise Busy("started", "the tournament has started")
    least = state.settings.chosen.entries_min
    if entered(state) < least:
        raise Busy("too_few", f"it takes at least {least} entries to start")
    return begin(state, now, entropy)


def rebuy(state: TournamentState, who: Identity, now: Millis) -> Sequence[Event]:
    """New chips for somebody who has lost all."""
    entry = _holdem_entry(state, who)
    offer = state.p.offers.get(entry.number)
    if offer is None or offer.until <= now:  # what is offered stands, also where the next level has begun meanwhile
        raise Against("no_rebuy", "you can buy new chips only when you have lost all, while rebuys are sold")
    chosen = state.holdem
    return [ev.Rebought(entry.number, chosen.rebuy_chips, chosen.rebuy_price or 0)]


def add_on(state: TournamentState, who: Identity) -> Sequence[Event]:
    entry = _holdem_entry(state, who)
    if not state.p.selling or entry.added_on or entry.number in state.p.waiting:
        raise Against("no_add_on", "the add-on is sold once to everybody, in the break after the rebuys")
    return [ev.AddedOn(entry.number, state.holdem.add_on, state.holdem.add_on_price or 0)]


def deal(state: TournamentState, who: Identity, kind: Literal["chips", "icm"], agree: bool) -> Sequence[Event]:
    entry = _holdem_entry(state, who)
    happened: Sequence[Event] = _ruled(deals.answer, state, entry, kind, agree)
    return happened


def can(state: TournamentState, who: Identity, host: bool, now: Millis) -> list[str]:
    """What is open to somebody just now."""
    entry = state.entry_of(who.id)
    found: list[str] = []
    if state.status == "finished":
        return found
    status = None if entry is None else entry.status
    if status in (None, "withdrawn", "out") or (entry is not None and entry.away):
        if status == "out":
            poker = state.poker is not None
            if poker and entry is not None and entry.reentries < state.holdem.reentries and _late(state):
                found.append("reenter")
        elif (entry is not None and entry.away) or (
            not is_full(state) and (state.status == "registering" or _late(state))
        ):
            found.append("enter")
    elif status in ("entered", "playing"):
        found.append("withdraw")
    if entry is not None and status == "playing" and state.poker is not None:
        offer = state.poker.offers.get(entry.number)
        if offer is not None and offer.until > now:
            found.append("rebuy")
        if state.poker.selling and not entry.added_on and entry.number not in state.poker.waiting:
            found.append("add_on")
        if deals.possible(state):
            found.append("deal")
    if host and state.status == "registering" and entered(state) >= state.settings.chosen.entries_min:
        found.append("start")
    return found


def _late(state: TournamentState) -> bool:
    try:
        format_of(state).refuse_late(state)
    except Illegal:
        return False
    return True


def late_until(state: TournamentState) -> int | None:
    """The level or round until which somebody may still enter after the start; None where nobody may, or an arena takes
    entries to its end."""
    if not state.underway or state.settings.format == "arena" or is_full(state) or not _late(state):
        return None
    chosen = state.settings.chosen
    return chosen.late_until or None


# The host


def use(state: TournamentState, power: str, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    """One of the host's powers, but for `add_bot`, which makes an identity first."""
    check_power(state, power, args)
    return _POWERS[power](state, args, now)


def check_power(state: TournamentState, power: str, args: Mapping[str, Any]) -> None:
    """Raise where there is no such power, it takes no such argument, or it is too late for any."""
    if power not in POWERS:
        raise NotFound("no_such_power", f"the host's powers are {', '.join(POWERS)}")
    unknown = sorted(set(args) - POWERS[power])
    if unknown:
        raise BadRequest("bad_request", f"the power {power} takes no {unknown[0]!r}")
    _require_not_finished(state)


def require_room(state: TournamentState, count: int) -> None:
    """Raise where not so many more can enter."""
    taken = sum(entry.status != "withdrawn" for entry in state.entries)
    if taken + count > state.settings.chosen.entries_max:
        raise Busy("full", "there are not so many places left in this tournament")


def _pause(state: TournamentState, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    _require_underway(state)
    if state.deserted_at is not None:
        return [ev.WentOn(), ev.Halted()]
    return [] if state.paused else [ev.Halted()]


def _resume(state: TournamentState, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    _require_underway(state)
    return [ev.WentOn()] if state.paused else []


def _remove(state: TournamentState, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    number = args.get("entry")
    if type(number) is not int or not 1 <= number <= len(state.entries):
        raise BadRequest("no_such_entry", "'entry' is the number of an entry")
    entry = state.entry(number)
    if entry.status not in ("entered", "playing"):
        raise Busy("not_entered", "that entry is not in the tournament any more")
    if not state.underway:
        return [ev.Removed(number)]
    return format_of(state).remove(state, entry)


def _level(state: TournamentState, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    _require_underway(state)
    if state.poker is None:
        raise Against("no_levels", "chess has no levels")
    number = args.get("number")
    if type(number) is not int or not 1 <= number <= len(state.holdem.levels):
        raise BadRequest("no_such_level", f"'number' is a level from 1 to {len(state.holdem.levels)}")
    return [levels.begin(state, number, now)]


def _close(state: TournamentState, args: Mapping[str, Any], now: Millis) -> Sequence[Event]:
    return [ev.Finished("closed", list(format_of(state).final(state, "closed")) if state.underway else [])]


_POWERS: dict[str, Callable[[TournamentState, Mapping[str, Any], Millis], Sequence[Event]]] = {
    "pause": _pause,
    "resume": _resume,
    "remove": _remove,
    "level": _level,
    "close": _close,
}


# What several ask


def _own(state: TournamentState, who: Identity) -> Entry:
    entry = state.entry_of(who.id)
    if entry is None:
        raise Busy("not_entered", "you have not entered this tournament")
    return entry


def _holdem_entry(state: TournamentState, who: Identity) -> Entry:
    _require_not_finished(state)
    if state.poker is None:
        raise Against("no_chips", "a chess tournament has no chips")
    entry = _own(state, who)
    if entry.status != "playing":
        raise Busy("not_playing", "you are not playing in this tournament")
    return entry


def _require_not_finished(state: TournamentState) -> None:
    if state.status == "finished":
        raise Busy("finished", "the tournament is over")


def _require_underway(state: TournamentState) -> None:
    if not state.underway:
        raise Busy("not_started", "the tournament has not started")


def _ruled(rule: Callable[..., Any], *args: Any) -> Any:
    """Ask a format; what it refuses is refused with its own words."""
    try:
        return rule(*args)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None
