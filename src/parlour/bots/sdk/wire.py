"""A hand that is played here, on its way to a bot in another process: shorter than the view of the API, and as telling.

The cards that the seat has not seen are not in it.
"""

from __future__ import annotations

import json
from typing import Any

from parlour._core import Hand, seen_by
from parlour.bots.sdk.hand_view import HandContext, HandView

HAND = "hand"


def write(spot: HandContext, seat: int) -> bytes:
    """What the seat may know, as a line of JSON."""
    known = {
        HAND: seen_by(spot.hand, seat).to_bytes().hex(),
        "seat": seat,
        "steps": spot.steps,
        "blinds": spot.blinds,
        "ante": spot.ante,
        "names": spot.names,
        "number": spot.number,
    }
    return json.dumps(known, separators=(",", ":")).encode()


def read(known: dict[str, Any]) -> HandView:
    """The view of that seat."""
    small, big = known["blinds"]
    hand = Hand.from_bytes(bytes.fromhex(known[HAND]))
    steps = [tuple(step) for step in known["steps"]]
    return HandView(
        HandContext(hand, steps, (small, big), known["ante"], known["names"], known["number"]), known["seat"]
    )
