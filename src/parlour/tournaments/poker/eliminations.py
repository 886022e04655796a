"""Who has lost all chips: a rebuy is offered, or the entry is out, with a place and a bounty."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.contract import Event, Millis
from parlour.tournaments import events as ev
from parlour.tournaments.poker import money
from parlour.tournaments.poker.placing import BustedPlayer, places, split_bounty
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

REBUY_TIME: Millis = 20_000
"""How long a table waits for somebody who may buy new chips."""


def may_rebuy(state: TournamentState, entry: Entry) -> bool:
    """Whether somebody without chips may buy new ones. Programs are not asked, and nobody who has withdrawn."""
    chosen = state.holdem
    within = state.p.level <= chosen.rebuy_until and entry.rebuys < chosen.rebuys
    return within and not entry.bot and not entry.away


def plan(state: TournamentState, tables: Sequence[DirectedTable], now: Millis) -> Sequence[Event]:
    """Offers, and those who are out: together where they lost their chips in the same hand."""
    poker = state.p
    if not poker.waiting:
        return ()
    offered = [
        ev.RebuyOffered(entry, now + REBUY_TIME)
        for entry in poker.waiting
        if entry not in poker.offers and may_rebuy(state, state.entry(entry))
    ]
    if offered:
        return offered
    open_offers = {entry for entry, offer in poker.offers.items() if offer.until > now}
    by_table: dict[int, list[int]] = {}
    for entry in poker.waiting:
        by_table.setdefault(_table(state, entry), []).append(entry)
    hands = list(by_table.values())
    if poker.hand_for_hand:  # no rebuys are sold then: where there is an offer, the hand was played before
        hands = [entries for entries in hands if not poker.offers.keys().isdisjoint(entries)]
    if settled := [entries for entries in hands if not open_offers.intersection(entries)]:
        return _out(state, settled)
    done = not open_offers and not any(table.ordered for table in tables)
    return _out(state, [list(poker.waiting)]) if poker.hand_for_hand and done else ()


def due(state: TournamentState) -> Millis | None:
    """When `plan` has something to say: those who lost their chips together wait for the last of them who is asked."""
    poker = state.p
    last: dict[int, Millis] = {}
    for entry, offer in poker.offers.items():
        table = _table(state, entry)
        last[table] = max(offer.until, last.get(table, 0))
    return min(last.values(), default=None)


def _table(state: TournamentState, entry: int) -> int:
    return state.entry(entry).table or 0


def _out(state: TournamentState, hands: Sequence[Sequence[int]]) -> Sequence[Event]:
    """These went out: the entries of each hand, the first hand first."""
    poker, bounty = state.p, state.holdem.bounty
    happened: list[Event] = []
    left, opened = poker.left, money.is_open(state)
    for hand, entries in enumerate(hands, start=poker.hands + 1):
        left -= len(entries)
        placed = {} if opened else _places(state, left, entries)
        for entry in sorted(entries, key=lambda one: (poker.waiting[one], one)):
            winners = [one for one in poker.winners.get(entry, ()) if state.entry(one).status == "playing"]
            place, last = placed.get(entry, (None, None))
            bounties = split_bounty(bounty, winners)
            table, stack = _table(state, entry), poker.waiting[entry]
            happened.append(ev.Eliminated(entry, table, hand, stack, bounties, place, last))
    return happened


def _places(state: TournamentState, left: int, entries: Sequence[int]) -> dict[int, tuple[int, int]]:
    out = [BustedPlayer(entry, state.p.waiting[entry]) for entry in entries]
    return {one.entry: (one.place, one.place_to) for one in places(left, out)}
