"""The betting, and the streets that it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from parlour._core import Hand
from parlour.games.contract import Event, Illegal, Millis, Seat, World
from parlour.games.poker.holdem import actions, events
from parlour.games.poker.holdem.blinds import BlindsPlayer
from parlour.games.poker.holdem.endings import agree, end_betting
from parlour.games.poker.holdem.state import HoldemState, texts

Word = Literal["fold", "check", "call", "raise"]

_WORDS: dict[type[actions.TurnAction], Word] = {
    actions.Fold: "fold",
    actions.Check: "check",
    actions.Call: "call",
    actions.Bet: "raise",
    actions.Raise: "raise",
}


def bet(state: HoldemState, seat: Seat, action: actions.TurnAction, world: World) -> list[Event]:
    """Act in turn."""
    hand, kind, amount = _in_turn(state, seat), type(action), action.amount
    if kind is actions.Allin:
        word, amount = _all_in(hand)
    else:
        word = _WORDS[kind]
        if word == "raise" and amount is None:
            raise Illegal("no_amount", "a bet needs an amount: the total on this street")
    return _act(state, world, hand, seat, word, amount or 0, bank_used(state, seat, world.now))


def time_out(state: HoldemState, seat: Seat, world: World) -> list[Event]:
    """The clock plays: a check where it is legal, else a fold; then the seat sits out.

    A hand that was dealt to an absent player who is not back is dead, so it is folded even where a check would be free.
    """
    hand = _in_turn(state, seat)
    legal, opening, player = hand.legal(), state.record.opening, state.record.players[seat]
    dead = opening is not None and seat in opening.absent and player is not None and player.absent
    word: Word = "check" if legal is not None and legal.check and not dead else "fold"
    happened = _act(state, world, hand, seat, word, 0, bank_used(state, seat, world.now), timeout=True)
    if player is not None and not player.absent:
        happened.append(events.SatOut(seat=seat, timeout=True))
    return happened


def get_up(state: HoldemState, seat: Seat, world: World) -> list[Event]:
    """Leave the table at any moment.

    Bets stand: a live hand is folded when its turn comes, and until then it can be called, raised or win. Chips are
    taken away at once by those who have no part in the hand, by the others when they have folded or the hand is over.
    """
    hand, place = state.hand, state.place(seat)
    if not state.record.live or hand is None or place is None or hand.folded[place]:
        return [events.CashedOut(seat=seat, chips=state.stack(seat))]
    if seat == state.actor:
        return _act(state, world, hand, seat, "fold", leaves=True)
    happened: list[Event] = [events.Leaving(seat=seat)]
    return happened if state.record.offer is None else happened + agree(state, leaving=(seat,))


def bank_used(state: HoldemState, seat: Seat, now: Millis) -> Millis:
    """How much of the time bank the present decision has taken so far."""
    player, settings = state.record.players[seat], state.settings
    if player is None or not settings.action_seconds:
        return 0
    return min(player.bank, max(0, now - state.record.since - settings.action_time))


def _in_turn(state: HoldemState, seat: Seat) -> Hand:
    hand = state.hand
    if hand is None or not state.record.live:
        raise Illegal("no_hand", "no hand is being played")
    if seat != state.actor:
        raise Illegal("not_your_turn", "it is not your turn")
    return hand


def _all_in(hand: Hand) -> tuple[Word, int]:
    total, legal = hand.all_in_to(), hand.legal()
    may_raise = legal is not None and legal.max_raise_to
    if total:
        return ("raise", total) if may_raise else ("call", 0)
    if may_raise:
        raise Illegal("raise_too_big", f"the limit allows no more than {may_raise}")
    raise Illegal("raise_closed", "you may only call or fold")


def _act(
    state: HoldemState,
    world: World,
    hand: Hand,
    seat: Seat,
    word: Word,
    amount: int = 0,
    bank: Millis = 0,
    timeout: bool = False,
    leaves: bool = False,
) -> list[Event]:
    """What an action brings about; `leaves` where the player gets up with it."""
    record = state.record
    order, players, gone = record.order, record.players, record.gone
    happened: list[Event] = []
    while True:
        try:
            after, added, total, all_in, unopened, place = hand.after(word, amount)
        except ValueError as refusal:
            raise Illegal("illegal_action", str(refusal)) from None
        action: events.Word = "bet" if unopened and word == "raise" else word
        to_act = None if place is None else order[place]
        happened.append(events.Acted(seat, action, added, total, all_in, bank, timeout, to_act))
        next_place = after.actor if place is None else place
        if leaves and (next_place is not None or after.awaits_runs):
            happened.append(events.CashedOut(seat=seat, chips=after.stacks[order.index(seat)]))
            gone = [*gone, seat]
        if next_place is None:
            leaving = _who_leaves(order, players, gone, seat if leaves else None)
            assert record.opening is not None
            end_betting(happened, after, record.opening, len(hand.board), players, world, gone, leaving)
            return happened
        if place is None:
            happened += next_street(after, len(hand.board), order[next_place], len(record.more_boards))
        seat = order[next_place]
        if not _leaving(players, seat):
            return happened
        hand, word, amount, bank, timeout, leaves = after, "fold", 0, 0, False, True  # nobody is there to decide


def next_street(hand: Hand, board: int, to_act: Seat, more_boards: int = 0) -> list[Event]:
    """The cards that were dealt last, on each board; so many lay there before."""
    street = events.STREETS[hand.street]
    boards = hand.boards if more_boards else [hand.board]
    return [events.StreetDealt(street, texts(cards[board:]), to_act, number) for number, cards in enumerate(boards)]


def _who_leaves(
    order: Sequence[Seat], players: Sequence[BlindsPlayer | None], gone: Sequence[Seat], last: Seat | None
) -> list[Seat]:
    """The seats that are left with the end of the hand; `last` is left by the action that ended it."""
    return [seat for seat in order if seat not in gone and (seat == last or _leaving(players, seat))]


def _leaving(players: Sequence[BlindsPlayer | None], seat: Seat) -> bool:
    player = players[seat]
    return player is not None and player.leaving


def may_post(state: HoldemState, seat: Seat) -> bool:
    """Whether the seat may pay what it owes to be dealt in out of turn: it needs chips, and has not said so yet.

    Who is dealt into a bomb pot with debts says so when it is over.
    """
    player = state.record.players[seat]
    if player is None or player.out or player.settled or player.post or player.placed:
        return False
    return player.stack > 0 and not (state.record.live and state.place(seat) is not None)
