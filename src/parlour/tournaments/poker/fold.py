"""How the state of a hold'em tournament follows its log: chips, money, levels, and who is out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.contract import Event, Millis
from parlour.tables.room.state import GraceSpent
from parlour.tournaments import events as ev
from parlour.tournaments.fold import set_clock, sit, stand
from parlour.tournaments.state import (
    MOVES_KEPT,
    Elimination,
    Entry,
    ProposedDeal,
    RebuyOffer,
    TournamentClock,
    TournamentState,
)

PAID_KEPT = 4
"""How many of those are remembered who paid the big blind last at a table."""


def apply(state: TournamentState, event: Event, at: Millis) -> bool:
    """Let the state follow an event; whether a hold'em tournament has something to do with it."""
    step = _FOLLOW.get(type(event))
    if step is None:
        return False
    step(state, event, at)
    return True


# Chips and money


def _bought_in(state: TournamentState, entry: Entry) -> None:
    """An entry pays and gets its stack."""
    poker, chosen = state.p, state.holdem
    entry.chips = chosen.stack
    poker.chips += chosen.stack
    poker.money += chosen.buy_in
    poker.bounties += chosen.bounty
    poker.left += 1


def _entered(state: TournamentState, event: ev.EntryMade, at: Millis) -> None:
    if event.late:
        _bought_in(state, state.entry(event.entry))


def _reentered(state: TournamentState, event: ev.Reentered, at: Millis) -> None:
    entry = state.entry(event.entry)
    entry.status, entry.away = "playing", False
    entry.reentries += 1
    state.p.out = [out for out in state.p.out if out.entry != event.entry]
    _bought_in(state, entry)


def _began(state: TournamentState, event: ev.Began, at: Millis) -> None:
    for entry in state.entries:
        if entry.status == "playing":
            _bought_in(state, entry)


def _removed(state: TournamentState, event: ev.Removed, at: Millis) -> None:
    entry, poker = state.entry(event.entry), state.p
    if entry.table is not None:
        table = state.tables[entry.table]
        if table.ordered:
            table.leaving.append(entry.number)
    stand(state, entry)
    if entry.status == "playing":
        poker.left -= 1
    entry.status = "removed"
    _leave(state, entry, event.chips)
    _settle(state, entry.number)


def _leave(state: TournamentState, entry: Entry, chips: int) -> None:
    """Chips of a removed entry leave the tournament."""
    state.p.chips -= chips
    state.p.removed_chips += chips
    entry.chips -= chips


def _settle(state: TournamentState, entry: int) -> None:
    """Whatever an entry without chips waited for, it waits no more."""
    poker = state.p
    poker.waiting.pop(entry, None)
    poker.winners.pop(entry, None)
    poker.offers.pop(entry, None)
    deal = poker.deal
    if deal is not None and state.entry(entry).status != "playing" and (deal.opened is not None or deal.by == entry):
        poker.deal = None


def _hand_reported(state: TournamentState, event: ev.HandReported, at: Millis) -> None:
    table, poker = state.tables[event.table], state.p
    table.reported, table.ordered = event.round, False
    table.hands += 1
    table.deserted = table.deserted + 1 if event.away else 0
    table.button, table.small, table.big = event.button, event.small, event.big
    paid = None if event.big is None else table.seats.get(event.big)
    if paid is not None:
        table.paid = [*table.paid, paid][-PAID_KEPT:]
    for number, chips in event.stacks.items():
        entry = state.entry(number)
        if entry.status == "removed":
            entry.chips = chips
            _leave(state, entry, chips)
            continue
        used = event.grace.get(number)
        entry.grace = None if used is None else GraceSpent(used, at)
        before = entry.chips
        entry.chips, entry.owed = chips + entry.owed, 0
        if entry.chips == 0:
            poker.waiting[number] = before
            poker.winners[number] = list(event.won.get(number, ()))
    table.leaving = []


def _rebuy_offered(state: TournamentState, event: ev.RebuyOffered, at: Millis) -> None:
    state.p.offers[event.entry] = RebuyOffer(event.entry, event.until)


def _rebought(state: TournamentState, event: ev.Rebought, at: Millis) -> None:
    entry = state.entry(event.entry)
    entry.chips += event.chips
    entry.rebuys += 1
    state.p.chips += event.chips
    state.p.money += event.price
    _settle(state, event.entry)


def _rebuy_lapsed(state: TournamentState, event: ev.RebuyLapsed, at: Millis) -> None:
    offer = state.p.offers.get(event.entry)
    if offer is not None:
        offer.until = 0


def _added_on(state: TournamentState, event: ev.AddedOn, at: Millis) -> None:
    entry = state.entry(event.entry)
    entry.added_on = True
    if entry.table is not None and state.tables[entry.table].ordered:
        entry.owed += event.chips
    else:
        entry.chips += event.chips
    state.p.chips += event.chips
    state.p.money += event.price


def _raced(state: TournamentState, event: ev.Raced, at: Millis) -> None:
    state.tables[event.table].chip = event.chip
    for number, change in event.changes.items():
        state.entry(number).chips += change
        state.p.chips += change
        state.p.raced_chips += change


def _eliminated(state: TournamentState, event: ev.Eliminated, at: Millis) -> None:
    entry, poker = state.entry(event.entry), state.p
    entry.status = "out"
    stand(state, entry)
    poker.left -= 1
    poker.hands = event.hand
    poker.out.append(Elimination(event.entry, event.hand, event.stack))
    for winner, bounty in event.bounties.items():
        state.entry(winner).knockouts += 1
        state.entry(winner).bounty += bounty
        poker.bounties_won += bounty
    _settle(state, event.entry)


# Seats


def _seat_given(state: TournamentState, event: ev.SeatGiven, at: Millis) -> None:
    _note_move(state, event, at)


def _seats_given(state: TournamentState, event: ev.SeatsGiven, at: Millis) -> None:
    if event.why == "final":
        for seat, entry in event.seats.items():
            _note_move(state, ev.SeatGiven(entry, event.table, seat), at)


def _not_played(state: TournamentState, event: ev.TableClosing | ev.RoundHeld, at: Millis) -> None:
    """The hand that was ordered is not reported: those who were removed in it left with what they had before."""
    table = state.tables[event.table]
    for number in table.leaving:
        _leave(state, state.entry(number), state.entry(number).chips)
    table.leaving = []


def _moved(state: TournamentState, event: ev.EntryMoved, at: Millis) -> None:
    sit(state, state.entry(event.entry), event.table, event.seat)
    _note_move(state, event, at)


def _note_move(state: TournamentState, event: ev.EntryMoved | ev.SeatGiven, at: Millis) -> None:
    moved = state.p.moved
    moved.append((at, event))
    if len(moved) > MOVES_KEPT:
        del moved[0]


# Levels


def _level_began(state: TournamentState, event: ev.LevelBegan, at: Millis) -> None:
    state.status = "running"
    state.p.level, state.p.selling = event.level, False
    set_clock(state, "level", event.ends_at, at)
    for table in state.tables.values():
        table.hands = 0


def _break_began(state: TournamentState, event: ev.BreakBegan, at: Millis) -> None:
    state.status = "break"
    if event.add_on:
        state.p.add_on_sold = state.p.selling = True
    set_clock(state, "break", event.ends_at, at)


def _hand_for_hand(state: TournamentState, event: ev.HandForHand, at: Millis) -> None:
    state.p.hand_for_hand = event.on


# A deal


def _deal_proposed(state: TournamentState, event: ev.DealProposed, at: Millis) -> None:
    state.entry(event.entry).proposed = state.p.level
    state.p.deal = ProposedDeal(event.kind, event.entry)


def _deal_opened(state: TournamentState, event: ev.DealOpened, at: Millis) -> None:
    deal = state.p.deal
    if deal is not None:
        deal.opened, deal.until, deal.agreed = event, event.until, [deal.by]


def _deal_agreed(state: TournamentState, event: ev.DealAgreed, at: Millis) -> None:
    if state.p.deal is not None:
        state.p.deal.agreed.append(event.entry)


def _deal_dropped(state: TournamentState, event: ev.DealDropped, at: Millis) -> None:
    state.p.deal = None


def _finished(state: TournamentState, event: ev.Finished, at: Millis) -> None:
    state.clock = TournamentClock()
    poker = state.p
    poker.hand_for_hand, poker.deal = False, None
    poker.offers.clear()
    for standing in event.standings:
        state.entry(standing.entry).bounty = standing.bounty


def shift(state: TournamentState, length: Millis) -> None:
    """Move every running time but the clock."""
    for offer in state.p.offers.values():
        offer.until += length
    if state.p.deal is not None and state.p.deal.opened is not None:
        state.p.deal.until += length


_FOLLOW: dict[type[Event], Callable[[TournamentState, Any, Millis], None]] = {
    ev.EntryMade: _entered,
    ev.Reentered: _reentered,
    ev.Began: _began,
    ev.Removed: _removed,
    ev.SeatGiven: _seat_given,
    ev.SeatsGiven: _seats_given,
    ev.TableClosing: _not_played,
    ev.RoundHeld: _not_played,
    ev.EntryMoved: _moved,
    ev.LevelBegan: _level_began,
    ev.BreakBegan: _break_began,
    ev.HandReported: _hand_reported,
    ev.RebuyOffered: _rebuy_offered,
    ev.Rebought: _rebought,
    ev.RebuyLapsed: _rebuy_lapsed,
    ev.AddedOn: _added_on,
    ev.Raced: _raced,
    ev.Eliminated: _eliminated,
    ev.HandForHand: _hand_for_hand,
    ev.DealProposed: _deal_proposed,
    ev.DealOpened: _deal_opened,
    ev.DealAgreed: _deal_agreed,
    ev.DealDropped: _deal_dropped,
    ev.Finished: _finished,
}
