"""What may be seen of a hold'em table."""

from __future__ import annotations

from typing import cast

import msgspec

from parlour._core import Hand, choice_json, hand_code, hand_name, private_json, result_json
from parlour._core import public_json as hand_json
from parlour.games.contract import Seat
from parlour.games.poker.holdem import endings, events, extras, play
from parlour.games.poker.holdem.blinds import BlindsPlayer
from parlour.games.poker.holdem.events import STREETS, HandEnded, PostKind, Word
from parlour.games.poker.holdem.page import (
    Choice,
    HandAction,
    Head,
    LastAction,
    PartWon,
    Position,
    Pot,
    PotWon,
    Private,
    Public,
    Refund,
    Result,
    Return,
    Seated,
    ShownHand,
    Standing,
    Worth,
)
from parlour.games.poker.holdem.run_out import run_out
from parlour.games.poker.holdem.settings import HILO
from parlour.games.poker.holdem.state import Deed, Departed, HoldemState, HoldemTexts, Row, texts

_encode = msgspec.json.Encoder().encode
_choice = msgspec.json.Decoder(Choice | None).decode


def public(state: HoldemState) -> Public:
    """What everyone may see. Cards come from what was shown, never from the engine's hand."""
    record, hand, head = state.record, state.hand, msgspec.structs.asdict(_head(state))
    players = [_seated(state, seat, player) for seat, player in enumerate(record.players) if player is not None]
    page = Public(
        **head,
        street=None,
        board=record.board,
        actor=state.actor,
        aggressor=record.aggressor,
        pot=0,
        pots=[],
        players=players,
        result=None if record.result is None else _result(record.result, state),
        run_out=run_out(state),
    )
    if hand is not None and record.live:
        page.street, page.pot = STREETS[hand.street], hand.pot
        page.pots = [Pot(amount, [record.order[place] for place in places]) for amount, places in hand.pots_before()]
    return page


def public_json(state: HoldemState) -> bytes:
    """The same as JSON; of the parts that are kept with the state, only those that play has changed are written."""
    written, record, hand = state.written, state.record, state.hand
    if written is None:
        written = state.written = HoldemTexts(len(record.players))
    if hand is None or not record.plain:
        return _encode(public(state))
    head = written.head
    if head is None:
        head = written.head = _encode(_head(state))[:-1] + b","
    rows = written.rows
    if rows is None:
        rows = written.rows = [
            None if player is None else _row(state, seat, player) for seat, player in enumerate(record.players)
        ]
    board, order, result = record.board, record.order, None
    if record.result is not None:
        result = result_json(hand, record.result.hand, len(board), order, record.gone, record.shown)
    chances = _encode(run_out(state)) if record.shown else None
    return hand_json(hand, head, board, order, record.aggressor, record.deeds, rows, result, chances)


def _row(state: HoldemState, seat: Seat, player: BlindsPlayer) -> Row:
    place = state.place(seat)
    if place is None or not (player.settled or state.record.live):
        return _encode(_seated(state, seat, player))
    cards, out = state.record.shown.get(seat), player.out
    known = b'{"seat":%d,"position":%b,"sitting_out":%b,"cards":%b,"bank":%d,"owes":0' % (
        seat,
        _encode(position(state, seat)),
        b"true" if out else b"false",
        b"null" if cards is None else _encode(cards),
        player.bank,
    )
    return known, place, player.stack, cards is None and seat not in state.record.mucked, out


def _head(state: HoldemState) -> Head:
    record, time = state.record, state.settings.return_time
    blinds, ante = state.blinds_and_ante()
    positions, opening = record.positions, record.opening
    button, small, big = (None, None, None) if positions is None else (positions.button, positions.small, positions.big)
    if opening is not None and (opening.bomb or opening.button_blind):
        small, big = None, None if opening.bomb else big
    head = Head(
        hand=record.hand,
        button=button,
        small_blind=small,
        big_blind=big,
        blinds=blinds,
        ante=ante,
        level=record.level,
        next_level_at=record.next_level_at,
        next_hand_at=record.next_hand_at,
        departed={} if time == 0 else {player: _return(state, left) for player, left in record.departed.items()},
        game=extras.hand_game(state),
        actions=[HandAction(*step) for step in record.actions],
    )
    extras.add(state, head)
    return head


def _return(state: HoldemState, left: Departed) -> Return:
    settings = state.settings
    until = None if settings.return_time is None else left.at + settings.return_time
    return Return(left.chips, *settings.buy_in_range(left.chips), until)


def _seated(state: HoldemState, seat: Seat, player: BlindsPlayer) -> Seated:
    record, hand, place = state.record, state.hand, state.place(seat)
    cards, holds, where = None, 0, position(state, seat)
    last = None if place is None else _last(record.deeds[place])
    status: Standing
    if hand is not None and place is not None:
        chips, bet, paid, holds, all_in = hand.standing(place)
        status = "allin" if all_in else "active" if holds else "folded"
        cards = record.shown.get(seat)
        if seat in record.mucked:
            holds = 0
        elif cards is not None and holds:
            holds -= len(cards)
        if record.live:  # those in a hand owe nothing
            stack = player.stack + chips
            call = hand.to_call(place)
            return Seated(seat, where, player.out, cards, player.bank, 0, stack, bet, paid, call, status, holds, last)
    status = _status(player, record.running, record.live)
    owes = _owes(state, player)
    return Seated(seat, where, player.out, cards, player.bank, owes, player.stack, 0, 0, 0, status, holds, last)


def _owes(state: HoldemState, player: BlindsPlayer) -> int:
    """What a player who is not in a hand would have to post."""
    small, big = state.blinds_and_ante()[0]
    return 0 if player.settled else sum(player.owes((0 if state.settings.button_blind else small, big)))


def _last(deed: Deed | None) -> LastAction | None:
    if deed is None:
        return None
    word, amount, all_in = deed
    return LastAction(cast("Word | PostKind", word), amount, msgspec.UNSET if all_in is None else all_in)


LATE: tuple[Position, ...] = ("CO", "HJ", "LJ")
EARLY: tuple[Position, ...] = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5")


def position(state: HoldemState, seat: Seat) -> Position | None:
    """The name of the seat's place in the hand. Heads-up the button is the small blind as well, and is called BTN.

    Where there are no blinds, or the button posts the only one, there is no SB and no BB.
    """
    record = state.record
    positions, order, opening = record.positions, record.order, record.opening
    if positions is None or opening is None or state.place(seat) is None:
        return None
    if seat == positions.button:
        return "BTN"
    first_to_act = 0
    if not opening.bomb and not opening.button_blind:
        if seat in (positions.small, positions.big):
            return "SB" if seat == positions.small else "BB"
        first_to_act = order.index(positions.big) + 1
    between = [other for other in order[first_to_act:] if other != positions.button]
    if seat not in between:
        return None
    first, last = between.index(seat), len(between) - 1 - between.index(seat)
    return EARLY[first] if (first == 0 and last) or last >= len(LATE) else LATE[last]


def _status(player: BlindsPlayer, running: bool, live: bool) -> Standing:
    """The standing of a player who is not in the hand."""
    if player.stack == 0:
        return "busted"
    if player.out:
        return "sitting_out"
    return "waiting" if live or (running and not player.settled) else "active"


def _result(result: HandEnded, state: HoldemState) -> Result:
    record, returned = state.record, state.record.returned
    return Result(
        hand=result.hand,
        pots=[_pot_won(state, pot) for pot in result.pots],
        payouts=result.payouts,
        returned=None if returned is None else Refund(returned.seat, returned.amount),
        shown={seat: _shown(state, seat, cards) for seat, cards in record.shown.items()},
        reason=result.reason,
    )


def _pot_won(state: HoldemState, pot: events.PotAward) -> PotWon:
    hand, order = state.hand, state.record.order
    if hand is None or len(pot.seats) == 1:
        return PotWon(pot.amount, pot.seats, pot.winners, pot.shares, None)
    if pot.parts:
        parts = [_part_won(hand, order, part) for part in pot.parts]
        return PotWon(pot.amount, pot.seats, pot.winners, pot.shares, None, parts)
    made = _worth(hand, order.index(pot.winners[0]), len(state.record.board))[2]
    return PotWon(pot.amount, pot.seats, pot.winners, pot.shares, made)


def _part_won(hand: Hand, order: list[Seat], part: events.PotPart) -> PartWon:
    worths = hand.worths(order.index(part.winners[0]), 5)
    made = next(code for on, side, _, _, code in worths if (on, side) == (part.board, part.side))
    return PartWon(part.board, part.side, part.amount, part.winners, part.shares, made)


def _shown(state: HoldemState, seat: Seat, cards: list[str]) -> ShownHand:
    hand, place, board = state.hand, state.place(seat), len(state.record.board)
    if hand is None or place is None or not board or len(cards) < len(hand.hole(place)):
        return ShownHand(cards, None, None, None)
    return ShownHand(cards, *_worth(hand, place, board), _more(state, hand, place, board))


def private(state: HoldemState, seat: Seat) -> Private | None:
    """A player's own cards, and what they are worth with the board as it lies."""
    hand, place, board = state.hand, state.place(seat), len(state.record.board)
    if hand is None or place is None:
        return None
    cards = texts(hand.hole(place))
    if not board:
        return Private(cards, None, None, None)
    return Private(cards, *_worth(hand, place, board), _more(state, hand, place, board))


def _worth(hand: Hand, place: int, board: int) -> tuple[str, list[str], str]:
    _, five = hand.best(place, board)
    return hand_name(five), texts(five), hand_code(five)


def _more(state: HoldemState, hand: Hand, place: int, board: int) -> list[Worth] | msgspec.UnsetType:
    record = state.record
    if not record.more_boards and (record.opening is None or record.opening.variant not in HILO):
        return msgspec.UNSET
    return [Worth(*worth) for worth in hand.worths(place, board) if worth[:2] != (0, "high")]


def legal(state: HoldemState, seat: Seat) -> Choice | None:
    """What the seat may do in its turn, as the engine tells it."""
    return None if seat != state.actor or state.hand is None else _choice(choice_json(state.hand))


def options(state: HoldemState, seat: Seat) -> list[str]:
    """What the seat may do whoever's turn it is."""
    player = state.record.players[seat]
    if player is None or player.leaving:
        return []
    found = ["sit_in" if player.out else "sit_out"]
    if play.may_post(state, seat):
        found.append("post")
    if may_rebuy(state, seat):
        found.append("rebuy")
    if endings.may_show(state, seat) is not None:
        found += ["show"] if seat in state.record.mucked else ["show", "muck"]
    return found + extras.options(state, seat)


def may_rebuy(state: HoldemState, seat: Seat) -> bool:
    """Table stakes: chips are bought by those who are not in the hand, up to the greatest buy-in."""
    hand, place = state.hand, state.place(seat)
    in_hand = state.record.live and hand is not None and place is not None and not hand.folded[place]
    return state.settings.rebuy and not in_hand and state.stack(seat) < state.settings.max_buy_in


def own_json(state: HoldemState, seat: Seat) -> tuple[bytes, bytes, bytes]:
    """Options, cards and choice of a seat as JSON; what is kept with the state is not written again."""
    written = state.written
    if written is None:
        written = state.written = HoldemTexts(len(state.record.players))
    offers, cards = written.offers[seat], written.cards[seat]
    if offers is None:
        offers = written.offers[seat] = _encode(options(state, seat))
    hand = state.hand
    if cards is None:
        cards = b"null"
        if hand is not None and (place := state.place(seat)) is not None:
            record = state.record
            cards = private_json(hand, place, len(record.board)) if record.plain else _encode(private(state, seat))
        written.cards[seat] = cards
    if seat != state.actor or hand is None:
        return offers, cards, b"null"
    return offers, cards, choice_json(hand)
