"""`parlour` with the views of hold'em written from its plain data, after every action anew, instead of natively."""

from __future__ import annotations

import msgspec

from parlour.cli.main import run
from parlour.games.contract import Seat
from parlour.games.poker.holdem import Holdem, view
from parlour.games.poker.holdem.state import State

_encode = msgspec.json.Encoder().encode


def public_json(state: State) -> bytes:
    return _encode(view.public(state))


def own_json(state: State, seat: Seat) -> tuple[bytes, bytes, bytes]:
    return _encode(view.options(state, seat)), _encode(view.private(state, seat)), _encode(view.legal(state, seat))


Holdem.public_json = staticmethod(public_json)  # type: ignore[assignment]
Holdem.own_json = staticmethod(own_json)  # type: ignore[assignment]

if __name__ == "__main__":
    run()
