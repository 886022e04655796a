"""What may be seen of a hold'em table."""

from __future__ import annotations

import msgspec

from parlour._core import Hand
from parlour.games.contract import Seat
from parlour.games.poker.hands import name_of
from parlour.games.poker.holdem import play
from parlour.games.poker.holdem.blinds import Player
from parlour.games.poker.holdem.events import STREETS, HandEnded
from parlour.games.poker.holdem.page import (
    Body,
    Choice,
    Head,
    Pot,
    Private,
    Refund,
    Result,
    Seated,
    ShownHand,
    Standing,
)
from parlour.games.poker.holdem.state import Record, State, Written, scale_of, texts

_encode = msgspec.json.Encoder().encode


def public(state: State) -> tuple[Head, Body]:
    """What everyone may see. Cards come from what was shown, never from the engine's hand."""
    players = [_seated(state, seat, player) for seat, player in enumerate(state.record.players) if player is not None]
    return _head(state), _body(state, players)


def public_json(state: State) -> bytes:
    """The same as JSON; of the parts that are kept with the state, only those that play has changed are written."""
    written = _written(state)
    head, rows = written.head, written.rows
    if head is None:
        head = written.head = _encode(_head(state))[:-1] + b","
    players = []
    for seat, player in enumerate(state.record.players):
        if player is not None:
            row = rows.get(seat)
            if row is None:
                row = rows[seat] = msgspec.Raw(_encode(_seated(state, seat, player)))
            players.append(row)
    return head + _encode(_body(state, players))[1:]


def _written(state: State) -> Written:
    written = state.written
    if written is None:
        written = state.written = Written()
    return written


def _head(state: State) -> Head:
    record, hand = state.record, state.hand
    blinds, ante = state.blinds_and_ante()
    positions = record.positions
    button, small, big = (None, None, None) if positions is None else (positions.button, positions.small, positions.big)
    return Head(
        record.hand,
        STREETS[hand.street] if hand is not None and record.live else None,
        record.board,
        button,
        small,
        big,
        blinds,
        ante,
        record.level,
        record.next_level_at,
        record.next_hand_at,
    )


def _body(state: State, players: list[Seated] | list[msgspec.Raw]) -> Body:
    record, hand = state.record, state.hand
    result = None if record.result is None else _result(record.result, state)
    if hand is None or not record.live:
        return Body(state.actor, record.aggressor, 0, [], players, result)
    pots = _pots(record, hand) if record.pots else []
    return Body(state.actor, record.aggressor, hand.pot, pots, players, result)


def _pots(record: Record, hand: Hand) -> list[Pot]:
    """The pots of the streets before, and who contests them still."""
    folded = hand.folded
    if True not in folded:
        return [Pot(amount, seats) for amount, seats in record.pots]
    left = {seat for place, seat in enumerate(record.order) if not folded[place]}
    return [Pot(amount, [seat for seat in seats if seat in left]) for amount, seats in record.pots]


def _seated(state: State, seat: Seat, player: Player) -> Seated:
    record, hand, place = state.record, state.hand, state.place(seat)
    cards, holds, last = None, 0, record.last.get(seat)
    status: Standing
    if hand is not None and place is not None:
        chips, bet, paid, holds, all_in = hand.standing(place)
        status = "allin" if all_in else "active" if holds else "folded"
        cards = record.shown.get(seat)
        if cards is not None or seat in record.mucked:
            holds = 0
        if record.live:  # those in a hand owe nothing
            stack = player.stack + chips
            return Seated(seat, stack, bet, paid, status, player.out, cards, holds, player.bank, last, 0)
    status = _status(player, record.running, record.live)
    owes = 0 if player.settled else sum(player.owes(state.blinds_and_ante()[0]))
    return Seated(seat, player.stack, 0, 0, status, player.out, cards, holds, player.bank, last, owes)


def _status(player: Player, running: bool, live: bool) -> Standing:
    """The standing of a player who is not in the hand."""
    if player.stack == 0:
        return "busted"
    if player.out:
        return "sitting_out"
    return "waiting" if live or (running and not player.settled) else "active"


def _result(result: HandEnded, state: State) -> Result:
    record, returned = state.record, state.record.returned
    return Result(
        hand=result.hand,
        pots=result.pots,
        payouts=result.payouts,
        returned=None if returned is None else Refund(returned.seat, returned.amount),
        shown={seat: _shown(state, seat, cards) for seat, cards in record.shown.items()},
        reason=result.reason,
    )


def _shown(state: State, seat: Seat, cards: list[str]) -> ShownHand:
    own = private(state, seat)
    return ShownHand(cards, None, None) if own is None else ShownHand(cards, own.rank, own.best)


def private(state: State, seat: Seat) -> Private | None:
    """A player's own cards, and what they are worth with the board as it lies."""
    hand, place, board = state.hand, state.place(seat), len(state.record.board)
    if hand is None or place is None:
        return None
    cards = texts(hand.hole(place))
    if not board:
        return Private(cards)
    rank, five = hand.best(place, board)
    return Private(cards, name_of(rank, five, scale_of(hand)), texts(five))


def legal(state: State, seat: Seat) -> Choice | None:
    """What the seat may do in its turn."""
    if seat != state.actor or state.hand is None or (decision := state.hand.decision()) is None:
        return None
    call, least, most, pot, bet, stack, unopened = decision
    actions = ["fold", "call" if call else "check"]
    if most:
        actions.append("bet" if unopened else "raise")
    if most == bet + stack or (not most and call == stack):
        actions.append("allin")
    return Choice(actions, call, least, most, pot, bet)


def options(state: State, seat: Seat) -> list[str]:
    """What the seat may do whoever's turn it is."""
    player = state.record.players[seat]
    if player is None or player.leaving:
        return []
    found = ["sit_in" if player.out else "sit_out"]
    if not player.out and not player.settled and not player.post:
        found.append("post")
    if may_rebuy(state, seat):
        found.append("rebuy")
    if play.may_show(state, seat) is not None:
        found += ["show"] if seat in state.record.mucked else ["show", "muck"]
    return found


def may_rebuy(state: State, seat: Seat) -> bool:
    """Table stakes: chips are bought by those who are not in the hand, up to the greatest buy-in."""
    hand, place = state.hand, state.place(seat)
    in_hand = state.record.live and hand is not None and place is not None and not hand.folded[place]
    return state.settings.rebuy and not in_hand and state.stack(seat) < state.settings.max_buy_in


def own_json(state: State, seat: Seat) -> tuple[bytes, bytes, bytes]:
    """Options, cards and choice of a seat as JSON; what is kept with the state is not written again."""
    written = _written(state)
    offers, cards = written.offers.get(seat), written.cards.get(seat)
    if offers is None:
        offers = written.offers[seat] = _encode(options(state, seat))
    if cards is None:
        cards = written.cards[seat] = _encode(private(state, seat))
    return offers, cards, _encode(legal(state, seat)) if seat == state.actor else b"null"
