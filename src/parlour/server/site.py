"""What every part of the server shares: the tables, the choices of the operator, the limits, the counters."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

from aiohttp import WSCloseCode, web

from parlour.ladder.ladder import Ladder
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.api import auth
from parlour.server.api.auth import OwnTickets, Tickets
from parlour.server.api.own_data import Export
from parlour.server.api.schema import GameCard
from parlour.server.config import Config
from parlour.server.discovery import Neighbourhood
from parlour.server.monitoring.metrics import Metrics
from parlour.server.monitoring.monitor import Monitor
from parlour.server.monitoring.readiness import Readiness
from parlour.server.peers import Peers
from parlour.server.transport.websocket import Sockets
from parlour.tables import Identity, NotFound, Parlour, Table
from parlour.tournaments.service import Tournaments


class Site:
    def __init__(self, parlour: Parlour, config: Config) -> None:
        self.parlour = parlour
        self.config = config
        self.admission = AdmissionAccounts(config)
        self.readiness = Readiness(parlour)
        self.metrics = Metrics(parlour, self.readiness, self.admission.strain.delays)
        self.game_cards = [
            GameCard(
                card.name,
                card.title,
                card.settings_schema,
                dict(card.game.export_formats),
                actions=card.action_schemas,
            )
            for card in parlour.games.values()
        ]
        self.tournaments = Tournaments(parlour)
        self.tickets: Tickets = OwnTickets()
        self.calculating = asyncio.Semaphore(1)
        """One long calculation at a time, so that a core is left for the tables."""
        self.sockets = Sockets(config, self.metrics)
        self.streams: set[asyncio.Task[object]] = set()
        """Answers that stay open until the server stops."""
        self.stopping = False
        """Whether whoever is connected has been told that the server goes away: an answer that is cancelled then ends
        as one that is complete."""
        self.neighbourhood: Neighbourhood | None = None
        """The local network, where the server takes part in it."""
        self.monitor = Monitor(parlour, self.metrics)
        self.peers: Peers | None = None
        """The other nodes, where there may be any."""
        self.ladder: Ladder | None = None
        """Rated matches of bots, where the operator wants them."""
        self.exporting: dict[str, Export] = {}
        """Who is being sent all their data."""
        self.copying = asyncio.Lock()
        """One backup at a time: each takes as much room on the disk as the database."""

    @property
    def epoch(self) -> str:
        """Names the numbering of events: another epoch is another database."""
        return self.parlour.store.epoch

    async def identify(self, token: str | None) -> Identity | None:
        return await self.parlour.authenticate(token) if token else None

    async def caller(self, request: web.BaseRequest) -> Identity | None:
        """Who asks, by the token of the request. Behind https the plain cookie counts only for a person whose session
        is older than the bound cookie: any other may have been set by a page of another host of the site."""
        token = auth.token(request)
        identity = await self.identify(token)
        if token is None or identity is None or not auth.is_unbound(request, self.config):
            return identity
        return identity if await self.parlour.people.is_before_bound_cookies(token) else None

    async def open(self, code: str, address: str | None) -> Table:
        """The table with that code. An address that guesses codes is soon made to wait; it is None where the caller is
        known to belong to the table."""
        with nullcontext() if address is None else self.admission.guess(address):
            table = await self.parlour.open(code)
            if table.state.rules.directs:
                raise NotFound("no_such_table", "this is the code of a tournament, not of a table")
            return table

    async def hang_up(self) -> None:
        """Tell everybody who is connected that the server stops; clients connect again by themselves."""
        self.stopping = True
        for task in self.streams:
            task.cancel()
        code = WSCloseCode.GOING_AWAY if self.peers is None else WSCloseCode.SERVICE_RESTART
        await self.sockets.close(code, b"the server stops")
