"""The pool of a hold'em tournament, who came in where, and what they win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from parlour.tournaments.events import FinalStanding
from parlour.tournaments.poker import icm, payouts
from parlour.tournaments.poker.placing import BustedPlayer, Placed, places
from parlour.tournaments.state import Entry, TournamentState


def pool(state: TournamentState) -> int:
    """What the places win together: all that was paid in, without the bounties; before the start, what it would be with
    those who have entered."""
    if state.status == "registering":
        return (state.holdem.buy_in - state.holdem.bounty) * counted(state)
    return state.p.money - state.p.bounties


def counted(state: TournamentState) -> int:
    """Entries that can be placed: those still in and those who went out, not those removed."""
    if state.status == "registering":
        return sum(entry.status == "entered" for entry in state.entries)
    return state.p.left + len(state.p.out)


def prizes(state: TournamentState) -> Sequence[int]:
    """The prize of each paid place, as things stand; they sum to the pool."""
    return _prizes(pool(state), counted(state), state.holdem.payouts)


@lru_cache(maxsize=64)
def _prizes(whole: int, entries: int, chosen: tuple[float, ...]) -> Sequence[int]:
    if entries < 1 or whole < 1:
        return ()
    if chosen:
        return tuple(payouts.prizes(whole, chosen[:entries]))
    return tuple(payouts.prizes(whole, payouts.proposal(entries) if entries > 1 else [1]))


def is_open(state: TournamentState) -> bool:
    """Whether entries, rebuys or an add-on may still make the pool larger."""
    poker, chosen = state.p, state.holdem
    if poker.level <= max(chosen.late_until, chosen.rebuy_until if chosen.rebuys else 0):
        return True
    return bool(chosen.add_on) and (poker.selling or not poker.add_on_sold)


def in_money(state: TournamentState) -> bool:
    """Whether everybody who is left wins something."""
    return not is_open(state) and state.p.left <= len(prizes(state))


# Places


def still_in(state: TournamentState) -> list[Entry]:
    """Those who are in, the one with the most chips first."""
    # Who has as many as another comes in the order of the numbers, in which they stand.
    return sorted(
        (entry for entry in state.entries if entry.status == "playing"), key=attrgetter("chips"), reverse=True
    )


def places_out(state: TournamentState) -> Iterator[Placed]:
    """Of those who went out, the last one first."""
    left = state.p.left
    for _, together in groupby(reversed(state.p.out), key=lambda out: out.hand):
        placed = places(left, [BustedPlayer(out.entry, out.stack) for out in together])
        left += len(placed)
        yield from placed


def standings(state: TournamentState) -> Iterator[FinalStanding]:
    """As they are now: those in by chips, then those out by when they went, then those removed."""
    place = 1
    for _, group in groupby(still_in(state), key=attrgetter("chips")):
        alike = list(group)
        last = place + len(alike) - 1
        for entry in alike:
            yield FinalStanding(entry.number, place, last, 0, entry.bounty)
        place = last + 1
    amounts = () if is_open(state) else prizes(state)
    yield from _out(state, amounts)
    yield from _removed(state)


def _out(state: TournamentState, amounts: Sequence[int]) -> Iterator[FinalStanding]:
    for (place, last), group in groupby(places_out(state), key=lambda placed: (placed.place, placed.place_to)):
        entries = sorted(placed.entry for placed in group)
        shares = payouts.shared(amounts, place, last)
        for entry, share in zip(entries, shares, strict=True):
            yield FinalStanding(entry, place, last, share, state.entry(entry).bounty)


def _removed(state: TournamentState) -> list[FinalStanding]:
    removed = [entry for entry in state.entries if entry.status == "removed"]
    place = counted(state) + 1
    return [FinalStanding(entry.number, place, place + len(removed) - 1, 0, entry.bounty) for entry in removed]


# The end


def shares(state: TournamentState, kind: str) -> dict[int, int]:
    """What each who is still in gets of the prizes of the places that are left."""
    entries = still_in(state)
    stacks, amounts = [entry.chips for entry in entries], list(prizes(state))[: len(entries)]
    if len(entries) > icm.MOST_PLAYERS:
        parts = _by_chips(stacks, sum(amounts))
    else:
        parts = (icm.icm if kind == "icm" else icm.chip_chop)(stacks, amounts)
    return {entry.number: part for entry, part in zip(entries, parts, strict=True)}


def _by_chips(stacks: Sequence[int], whole: int) -> list[int]:
    """So much in proportion to the stacks, the largest first, who get the odd chips."""
    total = sum(stacks)
    parts = [whole * stack // total for stack in stacks]
    for index in range(whole - sum(parts)):
        parts[index] += 1
    return parts


def final(state: TournamentState, reason: str) -> list[FinalStanding]:
    """Places and prizes if it ends now: who has most chips is first."""
    if state.started_at is None:
        return []
    if reason == "deal" and state.p.deal is not None and state.p.deal.opened is not None:
        won: Mapping[int, int] = state.p.deal.opened.shares
    elif reason == "closed":
        won = shares(state, "icm")
    else:
        won = _won(state)
    own, extra = _bounties_left(state)
    found: list[FinalStanding] = []
    for standing in standings(state):
        entry = state.entry(standing.entry)
        if entry.status != "playing":
            break
        bounty = entry.bounty + own + (0 if found else extra)
        place_to = standing.place_to
        found.append(FinalStanding(entry.number, standing.place, place_to, won.get(entry.number, 0), bounty))
    return [*found, *_out(state, prizes(state)), *_removed(state)]


def _won(state: TournamentState) -> dict[int, int]:
    """What those win who are still in at the end: the winner, or several where everybody was away."""
    won: dict[int, int] = {}
    for _, group in groupby(still_in(state), key=lambda entry: entry.chips):
        alike = [entry.number for entry in group]
        won |= zip(alike, payouts.shared(prizes(state), len(won) + 1, len(won) + len(alike)), strict=True)
    return won


def _bounties_left(state: TournamentState) -> tuple[int, int]:
    """Whoever is still in keeps the bounty on their own head; what nobody could win goes to the first place."""
    poker, own = state.p, state.holdem.bounty
    return own, poker.bounties - poker.bounties_won - own * poker.left
