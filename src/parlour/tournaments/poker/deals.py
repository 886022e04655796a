"""A deal at the final table: everybody who is left agrees to share the prizes that are left, and the tournament ends.

After a proposal the table finishes its hand and waits for answers, so that the shares that were agreed to hold. People
and programs answer for themselves; bots of the house agree at once, so that they keep nobody from a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from parlour.games.contract import Event, Illegal, Millis
from parlour.tournaments import events as ev
from parlour.tournaments.poker import icm, money, moves
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

DEAL_TIME: Millis = 60_000
"""How long the table waits for answers."""


def possible(state: TournamentState) -> bool:
    """Whether a deal may be proposed at all."""
    if (
        not state.underway
        or not state.holdem.deals
        or money.is_open(state)
        or not 2 <= state.p.left <= icm.MOST_PLAYERS
    ):
        return False
    tables = state.open_tables()
    return len(tables) == 1 and moves.is_final(state, tables[0])


def answer(state: TournamentState, entry: Entry, kind: Literal["chips", "icm"], agree: bool) -> Sequence[Event]:
    """Somebody proposes a deal, agrees to one or does not. `Illegal` where they cannot."""
    if entry.status != "playing":
        raise Illegal("not_playing", "only those who are still in can make a deal")
    deal = state.p.deal
    if deal is None:
        if not agree:
            raise Illegal("no_deal", "no deal is proposed")
        if not possible(state):
            raise Illegal("no_deal", "a deal is made at the final table, where the tournament allows it")
        if entry.proposed == state.p.level:
            raise Illegal("proposed", "you have proposed a deal in this level already")
        return [ev.DealProposed(entry.number, kind)]
    if not agree:
        return [ev.DealDropped(entry.number)]
    if deal.kind != kind:
        raise Illegal("deal_open", "another deal is proposed: say no to it first")
    if deal.opened is None:
        raise Illegal("hand_running", "the shares are known when this hand is over")
    return [] if entry.number in deal.agreed else [ev.DealAgreed(entry.number)]


def plan(state: TournamentState, tables: Sequence[DirectedTable], now: Millis) -> Sequence[Event]:
    """The question once the hand is over, and the end when all have agreed."""
    deal = state.p.deal
    if deal is None:
        return ()
    if deal.opened is None:
        if any(table.ordered for table in tables) or state.p.waiting:
            return ()
        if not possible(state):
            return [ev.DealDropped()]
        shares = money.shares(state, deal.kind)
        house = [ev.DealAgreed(entry) for entry in shares if state.entry(entry).house]
        return [ev.DealOpened(shares, now + DEAL_TIME), *house]
    if set(deal.agreed) >= set(deal.opened.shares):
        return [ev.Finished("deal", money.final(state, "deal"))]
    return [ev.DealDropped()] if deal.until <= now else ()


def due(state: TournamentState) -> Millis | None:
    deal = state.p.deal
    return None if deal is None or deal.opened is None else deal.until
