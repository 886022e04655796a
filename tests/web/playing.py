"""A hand of hold'em between somebody with a browser, in seat 0, and guests, played by the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .guests import Guest, act_in_turn
from .visitors import Visitor


def there(guests: list[Guest], code: str) -> None:
    for guest in guests:
        guest.attend(code)


def act(visitor: Visitor, code: str, *wishes: str) -> None:
    """The visitor does the first of these things that they may, by the API: buttons and keys have their own tests."""
    view = visitor.page.context.request.get(f"{visitor.base}/api/v1/tables/{code}").json()
    kind = next(wish for wish in wishes if wish in view["legal"]["actions"])
    answer = visitor.page.context.request.post(
        f"{visitor.base}/api/v1/tables/{code}/actions",
        data={"action": {"type": kind}, "turn": view["turn"]},
        headers={"Origin": visitor.base},
    )
    assert answer.ok, answer.text()


def play(
    visitor: Visitor, guests: list[Guest], code: str, until: Callable[[dict[str, Any]], bool], *wishes: str
) -> None:
    """Everybody does the first of these things that they may, until the state of the hand is this."""
    while not until(state := guests[0].view(code)["state"]):
        if state["actor"] == 0:
            act(visitor, code, *wishes)
        else:
            act_in_turn(guests, code, *wishes)
