"""`parlour` with the views of hold'em written from its plain data, after every action anew, instead of natively.

What a seat may do is the engine's own, in either form."""

from __future__ import annotations

import msgspec

from parlour._core import choice_json
from parlour.cli.main import run
from parlour.games.contract import Seat
from parlour.games.poker.holdem import Holdem, view
from parlour.games.poker.holdem.state import HoldemState

_encode = msgspec.json.Encoder().encode


def public_json(state: HoldemState) -> bytes:
    return _encode(view.public(state))


def own_json(state: HoldemState, seat: Seat) -> tuple[bytes, bytes, bytes]:
    choice = b"null" if seat != state.actor or state.hand is None else choice_json(state.hand)
    return _encode(view.options(state, seat)), _encode(view.private(state, seat)), choice


Holdem.public_json = staticmethod(public_json)  # type: ignore[assignment]
Holdem.own_json = staticmethod(own_json)  # type: ignore[assignment]

if __name__ == "__main__":
    run()
