"""Tournaments as the tests of the web app announce, enter and play them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .guests import Guest
from .house import House
from .visitors import Visitor, until

Visit = Callable[..., Visitor]
SIZES = ((320, 568), (1280, 800))
QUICK = {"hand_delay": 0, "action_seconds": 600}


def announce(host: Guest, game: str, form: str, name: str = "Friday night", **settings: Any) -> str:
    asked = {"game": game, "format": form, "name": name, "settings": settings}
    return str(host.post("/tournaments", asked)["code"])


def enter(guests: list[Guest], code: str) -> None:
    for guest in guests:
        guest.post(f"/tournaments/{code}/entries")


def known(visit: Visit, house: House, name: str, **options: Any) -> tuple[Visitor, Guest]:
    """Somebody with a name who can also be asked for over the API."""
    guest = Guest(house.url, name)
    visitor = visit(name, **options)
    visitor.page.context.add_cookies([{"name": "parlour", "value": guest.token, "url": house.url}])
    return visitor, guest


def at_table(visitor: Visitor) -> str:
    """The code of the table that the page has gone to, once the player sits there."""
    code = visitor.code
    until(visitor.page, lambda: bool(visitor.frames) and visitor.view()["code"] == code)
    until(visitor.page, lambda: bool((visitor.view()["you"] or {}).get("seats")))
    return code


def act(guests: list[Guest], code: str, *wishes: str) -> None:
    """Whoever is to act at any table of the tournament does the first of these things that they may."""
    for guest in guests:
        table = guest.get(f"/tournaments/{code}")["table"]
        view = guest.view(table) if table else {"legal": None}
        if view["legal"] is not None:
            action = {"type": next(wish for wish in wishes if wish in view["legal"]["actions"])}
            guest.post(f"/tables/{table}/actions", {"action": action, "turn": view["turn"]})


def play_it_out(ada: Visitor, guests: list[Guest], code: str) -> dict[str, Any]:
    """Everybody goes all-in, hand after hand, to the end of the tournament."""
    while (view := guests[0].get(f"/tournaments/{code}"))["status"] != "finished":
        act(guests, code, "allin", "call", "check")
        ada.page.wait_for_timeout(20)
    return dict(view)
