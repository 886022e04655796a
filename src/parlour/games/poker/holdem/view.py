"""What may be seen of a hold'em table."""

from __future__ import annotations

from typing import Any

from parlour.games.contract import Seat
from parlour.games.poker.holdem import play
from parlour.games.poker.holdem.blinds import Player
from parlour.games.poker.holdem.events import STREETS
from parlour.games.poker.holdem.settings import HOLE_CARDS
from parlour.games.poker.holdem.state import State


def public(state: State) -> dict[str, Any]:
    """What everyone may see. Cards come from what was shown, never from the engine's hand."""
    record, hand = state.record, state.hand
    live = record.live and hand is not None
    opening = record.opening if live else None
    if opening is not None:
        blinds, ante = opening.blinds, opening.ante
    else:
        small, big, ante = state.settings.level(record.level - 1)
        blinds = (small, big)
    positions = record.positions
    return {
        "hand": record.hand,
        "street": STREETS[hand.street] if live and hand is not None else None,
        "board": record.board.copy(),
        "button": None if positions is None else positions.button,
        "small_blind": None if positions is None else positions.small,
        "big_blind": None if positions is None else positions.big,
        "blinds": blinds,
        "ante": ante,
        "level": record.level,
        "next_level_at": record.next_level_at,
        "next_hand_at": record.next_hand_at,
        "actor": state.actor(),
        "aggressor": record.aggressor,
        "pot": hand.pot if live and hand is not None else 0,
        "pots": _pots(state),
        "players": _players(state, blinds),
        "result": _result(state),
    }


def _pots(state: State) -> list[dict[str, Any]]:
    record, hand = state.record, state.hand
    if not record.pots or hand is None:
        return []
    folded = hand.folded
    left = {seat for place, seat in enumerate(record.order) if not folded[place]}
    return [{"amount": amount, "seats": [seat for seat in seats if seat in left]} for amount, seats in record.pots]


def _players(state: State, blinds: tuple[int, int]) -> list[dict[str, Any]]:
    record, hand = state.record, state.hand
    places: dict[Seat, int] = {}
    stacks = bets = contributed = [0] * 10
    folded = all_in = [False] * 10
    holds = 0
    if hand is not None:
        places = {seat: place for place, seat in enumerate(record.order)}
        for seat in record.gone:
            del places[seat]
        if record.live:
            stacks, bets, contributed, all_in = hand.stacks, hand.bets, hand.contributed, hand.all_in
        folded = hand.folded
        holds = HOLE_CARDS[hand.variant]
    shown, mucked, last = record.shown, record.mucked, record.last
    rows = []
    for seat, player in enumerate(record.players):
        if player is None:
            continue
        place = places.get(seat)
        stack, bet, paid, hidden = player.stack, 0, 0, 0
        if place is not None:
            stack += stacks[place]
            bet, paid = bets[place], contributed[place]
            if not folded[place] and seat not in shown and seat not in mucked:
                hidden = holds
        if place is not None and record.live:
            status = "folded" if folded[place] else "allin" if all_in[place] else "active"
        else:
            status = _status(player, record.running, record.live)
        rows.append(
            {
                "seat": seat,
                "stack": stack,
                "bet": bet,
                "contributed": paid,
                "status": status,
                "sitting_out": player.out,
                "cards": shown.get(seat) if place is not None else None,
                "holds": hidden,
                "bank": player.bank,
                "last": last.get(seat),
                "owes": 0 if player.settled else sum(player.owes(blinds)),
            }
        )
    return rows


def _status(player: Player, running: bool, live: bool) -> str:
    """The standing of a player who is not in the hand."""
    if player.stack == 0:
        return "busted"
    if player.out:
        return "sitting_out"
    return "waiting" if live or (running and not player.settled) else "active"


def _result(state: State) -> dict[str, Any] | None:
    record = state.record
    result = record.result
    if result is None:
        return None
    returned = record.returned
    return {
        "hand": result.hand,
        "pots": [
            {"amount": pot.amount, "seats": pot.seats, "winners": pot.winners, "shares": pot.shares}
            for pot in result.pots
        ],
        "payouts": result.payouts,
        "returned": None if returned is None else {"seat": returned.seat, "amount": returned.amount},
        "shown": {seat: _worth(state, seat, cards) for seat, cards in record.shown.items()},
        "reason": result.reason,
    }


def _worth(state: State, seat: Seat, cards: list[str]) -> dict[str, Any]:
    worth = state.worth_at(seat)
    return {"cards": cards, "name": worth and worth.name, "best": worth and worth.best}


def private(state: State, seat: Seat) -> dict[str, Any] | None:
    """A player's own cards, and what they are worth."""
    worth = state.worth_at(seat)
    return None if worth is None else {"cards": worth.cards, "rank": worth.name, "best": worth.best}


def legal(state: State, seat: Seat) -> dict[str, Any] | None:
    """What the seat may do in its turn; amounts are totals on this street, except the chips to call."""
    hand, place = state.hand, state.place(seat)
    if not state.record.live or hand is None or place is None or place != hand.actor:
        return None
    legal = hand.legal()
    if legal is None:
        return None
    bets, stack = hand.bets, hand.stacks[place]
    actions = ["fold", "check" if legal.check else "call"]
    if legal.max_raise_to:
        actions.append("raise" if any(bets) else "bet")
    if (legal.max_raise_to or legal.call) == (bets[place] if legal.max_raise_to else 0) + stack:
        actions.append("allin")
    return {
        "actions": actions,
        "call": legal.call,
        "min": legal.min_raise_to,
        "max": legal.max_raise_to,
        "pot": hand.pot,
        "bet": bets[place],
    }


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
