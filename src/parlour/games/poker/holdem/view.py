"""What may be seen of a hold'em table."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from parlour._core import Hand
from parlour.games.contract import Seat
from parlour.games.poker.holdem import play
from parlour.games.poker.holdem.blinds import Player
from parlour.games.poker.holdem.events import STREETS
from parlour.games.poker.holdem.page import Choice, Page, Pot, Private, Refund, Result, Seated, ShownHand, Standing
from parlour.games.poker.holdem.state import Record, State

_encode = msgspec.json.Encoder().encode


def public(state: State) -> Page:
    """What everyone may see. Cards come from what was shown, never from the engine's hand.

    The page is kept with the state: what play has changed since it was written is written anew.
    """
    page, stale = state.page, state.stale
    if page is None:
        page = state.page = _page(state)
    elif stale:
        _rewrite(state, page, stale)
    stale.clear()
    return page


def _page(state: State) -> Page:
    record = state.record
    blinds, ante = state.blinds_and_ante()
    positions = record.positions
    page = Page(
        hand=record.hand,
        board=record.board,
        button=None if positions is None else positions.button,
        small_blind=None if positions is None else positions.small,
        big_blind=None if positions is None else positions.big,
        blinds=blinds,
        ante=ante,
        level=record.level,
        next_level_at=record.next_level_at,
        next_hand_at=record.next_hand_at,
        result=_result(state),
    )
    taken = [seat for seat, player in enumerate(record.players) if player is not None]
    state.rows = {}
    _rewrite(state, page, taken)
    return page


def _rewrite(state: State, page: Page, seats: Iterable[Seat]) -> None:
    """Write what may change from one action to the next, and the rows of those seats."""
    record, hand, rows = state.record, state.hand, state.rows
    for seat in seats:
        player = record.players[seat]
        if player is not None:
            rows[seat] = _seated(state, seat, player, page.blinds)
    page.players = [*rows.values()]
    page.actor, page.aggressor = state.actor, record.aggressor
    if record.live and hand is not None:
        page.street, page.pot, page.pots = STREETS[hand.street], hand.pot, _pots(record, hand)


def _pots(record: Record, hand: Hand) -> list[Pot]:
    """The pots of the streets before, and who contests them still."""
    if not record.pots:
        return []
    folded = hand.folded
    if True not in folded:
        return [Pot(amount, seats) for amount, seats in record.pots]
    left = {seat for place, seat in enumerate(record.order) if not folded[place]}
    return [Pot(amount, [seat for seat in seats if seat in left]) for amount, seats in record.pots]


def _seated(state: State, seat: Seat, player: Player, blinds: tuple[int, int]) -> Seated:
    record, hand, place = state.record, state.hand, state.places.get(seat)
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
    owes = 0 if player.settled else sum(player.owes(blinds))
    return Seated(seat, player.stack, 0, 0, status, player.out, cards, holds, player.bank, last, owes)


def _status(player: Player, running: bool, live: bool) -> Standing:
    """The standing of a player who is not in the hand."""
    if player.stack == 0:
        return "busted"
    if player.out:
        return "sitting_out"
    return "waiting" if live or (running and not player.settled) else "active"


def _result(state: State) -> Result | None:
    record = state.record
    result, returned = record.result, record.returned
    if result is None:
        return None
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
    """A player's own cards, and what they are worth."""
    worth = state.worth_at(seat)
    return None if worth is None else worth.private


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
    hand, place = state.hand, state.places.get(seat)
    in_hand = state.record.live and hand is not None and place is not None and not hand.folded[place]
    return state.settings.rebuy and not in_hand and state.stack(seat) < state.settings.max_buy_in


def own_json(state: State, seat: Seat) -> tuple[bytes, bytes, bytes]:
    """Options, cards and choice of a seat as JSON; what may not have changed is not written again."""
    offers = state.offers.get(seat)
    if offers is None:
        offers = state.offers[seat] = _encode(options(state, seat))
    worth = state.worths.get(seat) or state.worth_at(seat)
    cards = b"null" if worth is None else worth.json
    return offers, cards, _encode(legal(state, seat)) if seat == state.actor else b"null"
