"""Gateau's clients in tournaments of the house: who has entered, where each sits now, and whether it is over for them.

A client enters by registering for a game whose id is the tournament's code. From then on the tournament says where it
sits; here that is looked at whenever something has happened there, so that nothing is missed over a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, Protocol

import msgspec
import structlog

from parlour.protocols.callbacks import Callback
from parlour.protocols.gateau.clients import Clients
from parlour.protocols.gateau.records import RETURNED, GateauClient
from parlour.tables.errors import Refused
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

logger = structlog.get_logger(__name__)

TOGETHER = 0.1
"""Seconds within which what happens in a tournament is looked at once."""
SEATED_IN = 0.2
"""Seconds after which a table is looked at again that has a seat for a client."""
LOOK_AGAIN = 2.0
"""Seconds after which a tournament is looked at again where that failed."""
IN_IT = frozenset({"entered", "playing"})


class HouseTournaments(Protocol):
    """What of the tournaments of the house a dialect needs."""

    async def open(self, code: str, *, here: bool = False) -> Table:
        """The log of a tournament; with `here` this node is to work for it, and so for its tables."""
        ...

    async def enter(self, code: str, identity: Identity, key: str | None = None) -> tuple[int, int]: ...

    async def view(self, code: str, identity: Identity | None) -> bytes: ...


class EntryPlace(NamedTuple):
    """Where an entry is in its tournament."""

    table: str | None
    seat: int | None
    in_it: bool
    """Whether there is something to play for."""


NOWHERE = EntryPlace(None, None, False)


class Entries:
    """The clients in tournaments, with a task for each tournament that looks where they are."""

    def __init__(
        self,
        tournaments: HouseTournaments,
        parlour: Parlour,
        clients: Clients,
        chore: Callable[[Coroutine[None, None, None]], None],
    ) -> None:
        self._tournaments = tournaments
        self._parlour = parlour
        self._clients = clients
        self._chore = chore
        self._followed: dict[str, asyncio.Event] = {}
        """Code → set when something has happened there, or to one of its clients."""

    async def is_holdem(self, code: str) -> bool:
        """Whether hold'em is played in the tournament, which is all that the dialect knows."""
        view = msgspec.json.decode(await self._tournaments.view(code, None))
        return bool(view["game"] == "holdem")

    async def enter(self, code: str, name: str, callback: Callback, address: str) -> None:
        """Enter a tournament of the house, which says by itself where the client sits."""
        identity = await self._clients.player(name, callback)
        await self._tournaments.open(code, here=True)
        await self._tournaments.enter(code, identity)
        client = GateauClient(identity.id, code, name, callback, ends=False, address=address, tournament=code)
        await self._clients.keep(client)
        self.follow(code)

    async def welcome_back(self, client: GateauClient) -> None:
        """Introduce the client again, with a new secret, at the table at which it sits by now."""
        await self._clients.call_back(client)
        client.table, client.seat, client.told = "", -1, RETURNED
        await self._clients.keep(client)
        self.follow(client.tournament)

    def left(self, client: GateauClient) -> None:
        """The client has been told all that happened at its table, and sits elsewhere or nowhere."""
        client.table, client.seat = "", -1
        self.follow(client.tournament)

    def follow(self, code: str) -> None:
        """Look where the clients of this tournament are, now and whenever something happens."""
        if code in self._followed:
            self._followed[code].set()
        else:
            self._followed[code] = asyncio.Event()
            self._chore(self._run(code))

    def _players(self, code: str) -> list[str]:
        return [client.player for client in self._clients.by_player.values() if client.tournament == code]

    async def _run(self, code: str) -> None:
        """Until none of the clients is in the tournament any more."""
        try:
            while self._players(code):
                try:
                    await self._watch(code)
                except Refused as refusal:  # the tournament is on its way to this node, or the database is away
                    logger.info("a tournament could not be looked at", code=refusal.code)
                    await asyncio.sleep(LOOK_AGAIN)
        finally:
            del self._followed[code]

    async def _watch(self, code: str) -> None:
        news = self._followed[code]
        log = await self._tournaments.open(code, here=True)
        subscription = log.subscribe(None, lambda _: news.set())
        try:
            while not log.dropped:
                news.clear()
                found = places(msgspec.json.decode(await self._tournaments.view(code, None)))
                for player in self._players(code):
                    await self._settle(player, found.get(player, NOWHERE))
                if not self._players(code):
                    return
                await news.wait()
                await asyncio.sleep(TOGETHER)
        finally:
            subscription.close()

    async def _settle(self, player: str, place: EntryPlace) -> None:
        """Let a courier begin at the table at which the client sits now, once the one before has told all. The
        tournament is at this node by now, and so are its tables."""
        client = self._clients.by_player.get(player)
        if client is None or player in self._clients.couriers:
            return
        if client.table:  # it was being told of this one when the server stopped
            await self._clients.send_courier(client)
        elif not place.in_it:
            await self._clients.dismiss(client)
        elif place.table is not None and place.seat is not None:
            table = await self._parlour.open(place.table, here=True)
            since = await seated_at(table, await self._clients.identity(player))
            if since is None:  # the seat is given, but not taken yet
                self._chore(self._look_again(client.tournament))
                return
            if client.told != RETURNED:
                client.told = client.since = since
            client.table, client.seat = place.table, place.seat
            await self._clients.keep(client)
            await self._clients.send_courier(client)

    async def _look_again(self, code: str) -> None:
        await asyncio.sleep(SEATED_IN)
        self.follow(code)


def places(view: dict[str, Any]) -> dict[str, EntryPlace]:
    """Player → place."""
    over = view["status"] == "finished"
    return {
        entry["player"]["id"]: EntryPlace(entry["table"], entry["seat"], not over and entry["status"] in IN_IT)
        for entry in view["entries"]
    }


async def seated_at(table: Table, identity: Identity) -> int | None:
    """The number of the event by which this player got the seat here; None where they have none."""
    if not table.state.seats_of(identity.id):
        return None
    for raw in reversed(await table.events(identity, 0)):
        if b'"seated"' in raw:
            event = msgspec.json.decode(raw)
            if event["type"] == "seated" and event["player"] == identity.id:
                return int(event["seq"])
    return None
