"""Tables of a tournament: it gives the seats and the chips, raises the blinds and says when a hand is dealt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.games.contract import Illegal, Seat
from parlour.games.poker.holdem.events import BoughtIn
from parlour.games.poker.holdem.settings import MAX_CHIPS, Settings


def directed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of such a table. Nobody buys chips there, so that the buy-in is whatever the blinds allow."""
    big = settings.get("big_blind", Settings().big_blind)
    return {
        **settings,
        "absent": "blind_out",
        "rebuy": False,
        "freeze_out": False,
        "levels": (),
        "min_buy_in": big,
        "buy_in": big,
        "max_buy_in": big,
    }


def placed(seat: Seat, options: Mapping[str, Any], player: str | None) -> BoughtIn:
    """Somebody gets a seat and chips. `moved` says that they come from another table; whoever enters late is dealt in
    by the same rule. `out` keeps somebody who was away there from being waited for again here."""
    chips, moved, out = options.get("chips"), options.get("moved", False), options.get("out", False)
    if type(chips) is not int or not 0 < chips <= MAX_CHIPS:
        raise Illegal("bad_options", f"chips is a number from 1 to {MAX_CHIPS}")
    if type(moved) is not bool or type(out) is not bool:
        raise Illegal("bad_options", "moved and out are true or false")
    return BoughtIn(seat=seat, chips=chips, player=player, placed=True, out=out)
