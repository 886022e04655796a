"""How a Gateau move is read: always as some legal action, by the rules of the dialect."""

from __future__ import annotations

from typing import Any

ACTIONS = ("check", "call", "fold", "allin", "bet")


def read_move(action: str, value: int, legal: dict[str, Any]) -> dict[str, Any]:
    """The table's action for a move of one of the `ACTIONS`; `legal` is what the table allows in this turn."""
    can_check = "check" in legal["actions"]
    check_or_fold = {"type": "check" if can_check else "fold"}
    check_or_call = {"type": "check" if can_check else "call"}
    if action == "fold":
        return {"type": "fold"}
    if action == "check":
        return check_or_fold
    if action == "call":
        return check_or_call
    if action == "allin":
        return _most(legal, check_or_call)
    if value == 0:
        return check_or_fold
    if value <= legal["call"] or not legal["max"]:
        return check_or_call
    total = legal["bet"] + value
    if total >= legal["max"]:
        return _most(legal, check_or_call)
    return {"type": "raise" if "raise" in legal["actions"] else "bet", "amount": max(total, legal["min"])}


def _most(legal: dict[str, Any], otherwise: dict[str, Any]) -> dict[str, Any]:
    """All the chips; where a raise is closed to this player and all-in would be one, the call that remains."""
    return {"type": "allin"} if "allin" in legal["actions"] else otherwise
