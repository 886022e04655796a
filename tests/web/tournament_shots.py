"""Screenshots of tournaments: one with several tables, the clock on the wall, a Swiss evening and a knock-out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .guests import Guest
from .house import House
from .visitors import Visitor

New = Callable[..., Visitor]
Shoot = Callable[[Visitor, str], None]
PEOPLE = ("Ben", "Carla", "Dmitri", "Esperanza", "Farid", "Greta", "Hiro")


LOADED = """family => [...document.fonts].some((font) => font.family.includes(family) && font.status === 'loaded')"""


def _dressed(ada: Visitor) -> None:
    """Wait for the typefaces, which come after the page."""
    for family in ("Parlour Text", "Parlour Display"):
        ada.page.wait_for_function(LOADED, arg=family)


def _known(house: House, new: New) -> tuple[Visitor, Guest]:
    ada, guest = new("Ada"), Guest(house.url, "Ada")
    ada.page.context.add_cookies([{"name": "parlour", "value": guest.token, "url": house.url}])
    return ada, guest


def _announce(host: Guest, guests: list[Guest], game: str, form: str, name: str, **settings: Any) -> str:
    asked = {"game": game, "format": form, "name": name, "settings": settings}
    code = str(host.post("/tournaments", asked)["code"])
    for guest in guests:
        guest.post(f"/tournaments/{code}/entries")
    return code


def poker(house: House, new: New, shoot: Shoot) -> None:
    """Four tables of house players who have played for a while, and the clock for the wall."""
    ada, guest = _known(house, new)
    code = _announce(guest, [guest], "holdem", "mtt", "Friday night", hand_delay=0, action_seconds=5, time_bank=0)
    guest.post(f"/tournaments/{code}/host/add_bot", {"style": "aggressive", "count": 32})
    guest.post(f"/tournaments/{code}/start")
    guest.post(f"/tournaments/{code}/host/level", {"number": 12})
    while guest.get(f"/tournaments/{code}")["players_left"] > 24:
        ada.page.wait_for_timeout(500)
    guest.post(f"/tournaments/{code}/host/pause")
    for path, name in (("", "tournament"), ("/clock", "tournament-clock")):
        ada.go(f"/tournament/{code}{path}")
        ada.page.get_by_role("timer").wait_for()
        _dressed(ada)
        shoot(ada, name)
    guest.post(f"/tournaments/{code}/host/close")


def _round(guests: list[Guest], code: str) -> None:
    """Every game of the round: a few moves, and one of the players resigns."""
    view = guests[0].get(f"/tournaments/{code}")
    played = len(view["rounds"])
    while len(view["rounds"]) == played and view["status"] != "finished":
        for number, guest in enumerate(guests):
            table = guest.get(f"/tournaments/{code}")["table"]
            seen = guest.view(table) if table else {"legal": None}
            if seen["legal"] is None or seen["status"] != "playing":
                continue
            moves = len(seen["state"]["moves"])
            if moves < 2 + number % 2:
                guest.act(table, type="move", uci=seen["legal"]["moves"][moves])
            else:
                guest.act(table, type="resign")
        view = guests[0].get(f"/tournaments/{code}")


def chess(house: House, new: New, shoot: Shoot) -> None:
    """A Swiss evening after three rounds of five, and a knock-out in its semi-finals."""
    ada, guest = _known(house, new)
    guests = [guest, *(Guest(house.url, name) for name in PEOPLE)]
    settings = {"round_pause": 0, "table": {"minutes": 10, "increment": 5}}
    for form, name, rounds in (("swiss", "Club evening", {"rounds": 5}), ("knockout", "Club cup", {})):
        code = _announce(guests[1], guests, "chess", form, name, **settings, **rounds)
        guests[1].post(f"/tournaments/{code}/start")
        for _ in range(3 if form == "swiss" else 1):
            _round(guests, code)
        ada.go(f"/tournament/{code}")
        if form == "swiss":
            ada.page.locator("label", has=ada.page.get_by_role("radio", name="Cross table")).click()
        ada.page.locator(".cross-table, .bracket").wait_for()
        _dressed(ada)
        shoot(ada, "tournament-swiss" if form == "swiss" else "tournament-knockout")


SCENES = (poker, chess)
