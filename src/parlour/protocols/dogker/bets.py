"""Dogker's one word for putting chips in: `bet` with the chips that are added."""

from __future__ import annotations

from typing import Any

from parlour.tables.errors import Busy


def read_bet(amount: object, legal: dict[str, Any]) -> dict[str, Any]:
    """None is a check, the missing ones are a call, more are a raise, and all that one has, or more, is an all-in.

    The original front end sends the missing chips by default, whatever the stack is: so an all-in is called with an
    amount that the player does not have.
    """
    if type(amount) is not int or amount < 0:
        raise Busy("bad_amount", "The amount is a number of chips")
    call, most, bet, stack = legal["call"], legal["max"], legal["bet"], legal["stack"]
    added = min(amount, stack)
    if added < call:
        raise Busy("too_little", f"It takes {call} chips to call")
    if added == call:
        return {"type": "call"} if call else {"type": "check"}
    if not most:
        raise Busy("raise_closed", f"You may only call {call} chips or fold")
    least_added, most_added = min(legal["min"] - bet, stack), most - bet
    if not least_added <= added <= most_added:
        raise Busy("bad_raise", f"To raise, add from {least_added} to {most_added} chips")
    return {"type": "raise", "amount": bet + added}
