"""What a bot is asked besides its decisions, and what is answered for it: so that it needs to know nothing of this."""

from __future__ import annotations

from typing import Any

from parlour.bots.sdk.view import Action


def reply(raw: dict[str, Any], *, rebuy: bool = True, again: bool = False) -> Action | None:
    """The answer to what the table asks of somebody whose turn it is not; None where it asks nothing.

    A bot that is broke buys in again if it may, and one that was made to sit out sits in again. It goes along with the
    others: the board is run as often as they want, and a rematch is accepted. It agrees to no draw and gives no move
    back. With `again` it has more games to play, and asks for a rematch itself.
    """
    options = raw["you"]["options"]
    if raw["game"] == "holdem":
        return _holdem(raw, options, rebuy)
    for kind in ("accept_rematch", "decline_draw", "decline_takeback", "sit_in"):
        if kind in options:
            return {"type": kind}
    return {"type": "offer_rematch"} if again and "offer_rematch" in options else None


def _holdem(raw: dict[str, Any], options: list[str], rebuy: bool) -> Action | None:
    state = raw["state"]
    if "run" in options:
        return {"type": "run", "times": min(state["run"]["answers"].values(), default=1)}
    if "choose" in options:
        variant, limit = state["choice"]["games"][0]
        return {"type": "choose", "variant": variant, "limit": limit}
    own = raw["you"]["seats"]
    broke = any(row["seat"] in own and row["status"] == "busted" for row in state["players"])
    if broke:
        return {"type": "rebuy"} if rebuy and "rebuy" in options and raw["you"]["request"] is None else None
    return {"type": "sit_in"} if "sit_in" in options else None
