"""What follows when nobody can bet any more: the rest of the board, once or several times, the showdown, the pots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from parlour._core import Hand
from parlour.games.contract import Event, Illegal, Millis, Seat, World
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.blinds import BlindsPlayer
from parlour.games.poker.holdem.settings import HILO
from parlour.games.poker.holdem.state import HoldemState, texts

RUN_TIME: Millis = 12_000
"""How long people have to say how often the rest of the board is dealt; silence is once."""


def end_betting(
    happened: list[Event],
    hand: Hand,
    opening: events.HandStarted,
    board: int,
    players: Sequence[BlindsPlayer | None],
    world: World,
    gone: Collection[Seat] = (),
    leaving: Collection[Seat] = (),
) -> None:
    """Add what the end of the betting brings: the end of the hand, or the question how often the board is dealt.

    `board` is the number of cards that lie there already, `gone` who has left, and `leaving` who goes with the hand.
    """
    order, returned = list(opening.stacks), hand.returned
    if returned is not None:
        place, amount = returned
        happened.append(events.BetReturned(order[place], amount))
    if not hand.awaits_runs:
        _end_hand(happened, hand, opening, order, board, gone, leaving)
        return
    contenders = [place for place, folded in enumerate(hand.folded) if not folded]
    happened += [events.Shown(order[place], *hand.face_up(place, 0)) for place in contenders]
    seats, most = [order[place] for place in contenders], hand.most_runs
    if all(_can_answer(players[seat], seat, opening, world) for seat in seats):
        happened.append(events.RunsOffered(seats, most, world.now + RUN_TIME))
    else:
        _run(happened, hand, opening, board, 1, gone, leaving)


def _can_answer(player: BlindsPlayer | None, seat: Seat, opening: events.HandStarted, world: World) -> bool:
    """Whether somebody is there to be asked."""
    if player is None or player.leaving or player.absent or seat in world.away:
        return False
    return not (player.out and seat in opening.absent)


def answer(state: HoldemState, seat: Seat, times: int) -> list[Event]:
    """Say how often the rest of the board is to be dealt: as often as everybody wants."""
    record, offer = state.record, state.record.offer
    if offer is None or seat not in state.asked():
        raise Illegal("nothing_to_run", "nobody asks you how often the board is to be dealt")
    if times > offer.most:
        raise Illegal("too_many_runs", f"the board can be dealt {offer.most} times at most")
    happened: list[Event] = [events.RunAnswered(seat, times)]
    answers = {**record.answers, seat: times}
    if times == 1 or len(answers) == len(offer.seats):
        happened += agree(state, min(answers.values()))
    return happened


def agree(state: HoldemState, times: int = 1, leaving: Collection[Seat] = ()) -> list[Event]:
    """Deal the rest of the board so many times and end the hand; once where somebody has not answered."""
    record = state.record
    assert state.hand is not None
    assert record.opening is not None
    going = [
        seat
        for seat in record.order
        if (player := record.players[seat]) is not None
        and seat not in record.gone
        and (player.leaving or seat in leaving)
    ]
    happened: list[Event] = []
    _run(happened, state.hand.copy(), record.opening, len(record.board), times, record.gone, going)
    return happened


def _run(
    happened: list[Event],
    hand: Hand,
    opening: events.HandStarted,
    board: int,
    times: int,
    gone: Collection[Seat],
    leaving: Collection[Seat],
) -> None:
    hand.run(times)
    happened.append(events.RunsAgreed(times))
    for run in range(times):
        happened += _streets(hand, board, (run,))
    _settle(happened, hand, opening, list(opening.stacks), "showdown", gone, leaving)


def _end_hand(
    happened: list[Event],
    hand: Hand,
    opening: events.HandStarted,
    order: list[Seat],
    board: int,
    gone: Collection[Seat],
    leaving: Collection[Seat],
) -> None:
    """Add the rest of the board, the hands and the pots.

    Where all are all-in, the hands are turned over before the rest of the board comes.
    """
    showdown = hand.showdown()
    streets = [] if board == 5 else _streets(hand, board, range(opening.boards))
    if streets:
        happened += [events.Shown(order[place], *hand.face_up(place, 0)) for place, _ in showdown]
        happened += streets
    else:
        for place, must_show in showdown:
            seat = order[place]
            happened.append(shown(hand, seat, place, board, opening) if must_show else events.Mucked(seat))
    _settle(happened, hand, opening, order, "showdown" if showdown else "fold", gone, leaving)


def shown(hand: Hand, seat: Seat, place: int, board: int, opening: events.HandStarted) -> events.Shown:
    """All cards of a seat, and what they are worth with so many cards of the first board."""
    low = None
    if board and opening.variant in HILO:
        low = next((code for on, side, _, _, code in hand.worths(place, board) if on == 0 and side == "low"), None)
    return events.Shown(seat, *hand.face_up(place, board), low)


_STREETS: tuple[tuple[events.Street, int, int], ...] = (("flop", 0, 3), ("turn", 3, 4), ("river", 4, 5))


def _streets(hand: Hand, board: int, on: Collection[int]) -> list[Event]:
    """The streets that run out without more betting, on these boards."""
    boards = hand.boards
    return [
        events.StreetDealt(street, texts(boards[number][start:end]), board=number)
        for street, start, end in _STREETS
        for number in on
        if board <= start and end <= len(boards[number])
    ]


def _settle(
    happened: list[Event],
    hand: Hand,
    opening: events.HandStarted,
    order: list[Seat],
    reason: Literal["fold", "showdown"],
    gone: Collection[Seat],
    leaving: Collection[Seat],
) -> None:
    pots, payouts, stacks = hand.settlement(order)
    bounty = None
    if opening.seven_deuce and hand.bounty is not None:  # the engine does not know who has left
        place, _ = hand.bounty
        bounty = _bounty(opening, order[place], {seat: stacks[seat] for seat in order if seat not in gone})
    for seat in gone:
        del stacks[seat]
    if bounty is not None:
        happened.append(bounty)
    won = [_pot_won(*pot) for pot in pots]
    happened.append(events.HandEnded(opening.hand, won, payouts, stacks, reason))
    for seat in leaving:
        change = 0 if bounty is None else bounty.change(seat)
        happened.append(events.CashedOut(seat=seat, chips=stacks[seat] + change))


def _pot_won(
    amount: int,
    seats: list[Seat],
    winners: list[Seat],
    shares: list[int],
    parts: Sequence[tuple[int, events.Side, int, list[Seat], list[int]]] = (),
) -> events.PotAward:
    return events.PotAward(amount, seats, winners, shares, [events.PotPart(*part) for part in parts] if parts else [])


def _bounty(opening: events.HandStarted, winner: Seat, stacks: dict[Seat, int]) -> events.Bounty | None:
    """None where nobody has chips left to pay it."""
    due = opening.seven_deuce
    paid = {seat: min(due, stack) for seat, stack in stacks.items() if stack and seat != winner}
    return events.Bounty(winner, paid) if paid else None


# After the hand


def show(state: HoldemState, seat: Seat, cards: Sequence[str] | None) -> list[Event]:
    """Turn one's cards over when the hand is done: all of them, or some."""
    record, place = state.record, may_show(state, seat)
    if place is None or state.hand is None or record.opening is None:
        raise Illegal("nothing_to_show", "there is no hand of yours to show")
    held, lying = texts(state.hand.hole(place)), record.shown.get(seat, ())
    wanted = held if cards is None else cards
    if not set(wanted) <= set(held):
        raise Illegal("not_your_card", "that is not a card of your hand")
    if set(wanted) <= set(lying):
        raise Illegal("nothing_to_show", "those cards lie open already, or there are none")
    up = [card for card in held if card in wanted or card in lying]
    if len(up) < len(held):
        return [events.Shown(seat, up)]
    happened: list[Event] = [shown(state.hand, seat, place, len(record.board), record.opening)]
    if record.bounty is None and state.hand.unclaimed_bounty == place:
        here = {other: state.stack(other) for other in record.order if state.place(other) is not None}
        bounty = _bounty(record.opening, seat, here)
        if bounty is not None:
            happened.append(bounty)
    return happened


def muck(state: HoldemState, seat: Seat) -> list[Event]:
    if may_show(state, seat) is None or seat in state.record.mucked:
        raise Illegal("nothing_to_muck", "there is no hand of yours to muck")
    return [events.Mucked(seat=seat)]


def may_show(state: HoldemState, seat: Seat) -> int | None:
    """The seat's place in the last hand, if it has cards that may still be turned over."""
    record, hand = state.record, state.hand
    if record.live or hand is None:
        return None
    place, lying = state.place(seat), record.shown.get(seat)
    if place is None or lying is None:
        return place
    return place if len(lying) < len(hand.hole(place)) else None


def rabbit(state: HoldemState, seat: Seat) -> list[Event]:
    """Show everybody the cards that would have come."""
    if not may_hunt(state, seat) or state.hand is None:
        raise Illegal("no_rabbit", "there are no cards to ask for")
    return [events.RabbitAsked(seat, [texts(cards) for cards in state.hand.rabbit()])]


def may_hunt(state: HoldemState, seat: Seat) -> bool:
    """Whether the seat may ask for the rest of the board: it was dealt in, and the hand ended before the river."""
    record = state.record
    if record.live or record.rabbit is not None or not state.settings.rabbit or record.result is None:
        return False
    return record.result.reason == "fold" and len(record.board) < 5 and state.place(seat) is not None
