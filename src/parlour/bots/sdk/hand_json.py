"""A hand that is played here as the JSON that the API would send of it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from parlour._core import Hand, choice_json, private_json, public_json
from parlour.bots.sdk.hand_view import NAMES, STREETS, Done, HandContext
from parlour.bots.sdk.positions import positions
from parlour.bots.sdk.room_json import room_of

Deed = tuple[str, int, bool | None]


def view_json(spot: HandContext, seat: int) -> bytes:
    """The whole view of the seat to act."""
    hand = spot.hand
    return b'%b,"turn":%d,"state":%b,"private":%b,"legal":%b}' % (
        _room(tuple(spot.names), seat, spot.blinds, spot.ante, hand.variant, hand.limit),
        len(spot.steps),
        _state(spot),
        private_json(hand, seat, len(hand.board)),
        choice_json(hand),
    )


@lru_cache(maxsize=1024)
def _room(names: tuple[str, ...], seat: int, blinds: tuple[int, int], ante: int, variant: str, limit: str) -> bytes:
    """What stays the same for a seat, as the beginning of an object."""
    settings = {
        "seats": len(names),
        "small_blind": blinds[0],
        "big_blind": blinds[1],
        "ante": ante,
        "variant": variant,
        "limit": limit,
    }
    room = room_of("holdem", names, seat, settings)
    return json.dumps(room, separators=(",", ":")).encode()[:-1]


def _state(spot: HandContext) -> bytes:
    hand = spot.hand
    seats, button = hand.seats, hand.button
    small = button if seats == 2 else (button + 1) % seats
    head: dict[str, Any] = {
        "hand": spot.number,
        "button": button,
        "small_blind": small,
        "big_blind": (small + 1) % seats,
        "blinds": spot.blinds,
        "ante": spot.ante,
        "level": 1,
        "next_level_at": None,
        "next_hand_at": None,
        "departed": {},
        "game": {"variant": hand.variant, "limit": hand.limit},
        "actions": spot.steps,
    }
    boards = hand.boards
    if len(boards) > 1:
        head["boards"] = [[NAMES[card] for card in board] for board in boards]
        head["game"]["boards"] = len(boards)
    deeds, aggressor = _deeds(hand, spot.steps)
    return public_json(
        hand,
        json.dumps(head, separators=(",", ":")).encode()[:-1] + b",",
        [NAMES[card] for card in hand.board],
        list(range(seats)),
        aggressor,
        list(deeds),
        list(_rows(seats, button)),
        None,
        None,
    )


@lru_cache(maxsize=64)
def _rows(seats: int, button: int) -> tuple[tuple[bytes, int, int, bool, bool], ...]:
    return tuple(
        (
            b'{"seat":%d,"position":"%b","sitting_out":false,"cards":null,"bank":0,"owes":0' % (seat, place.encode()),
            seat,
            0,
            True,
            False,
        )
        for seat, place in enumerate(positions(seats, button))
    )


def _deeds(hand: Hand, steps: list[Done]) -> tuple[list[Deed | None], int | None]:
    """What each seat did last on this street, and who bet or raised last in the hand; who has folded or is all-in has
    done so on every street since."""
    deeds: list[Deed | None] = [None] * hand.seats
    aggressor: int | None = None
    now, all_in = STREETS[hand.street], hand.all_in
    for seat, street, word, amount in steps:
        if word in ("bet", "raise"):
            aggressor = seat
        if word == "ante":
            continue
        if word == "fold" or all_in[seat]:
            deeds[seat] = word, amount, all_in[seat]
        elif street == now:
            deeds[seat] = word, amount, False if word in ("check", "call", "bet", "raise") else None
        else:
            deeds[seat] = None
    return deeds, aggressor
