"""Tickets for sockets that are good at any node: kept in Redis for seconds, sealed, under a hash of the ticket."""

from __future__ import annotations

import hashlib
import secrets

from parlour.nodes.bus import Bus, Faults, bus_down
from parlour.server.api.auth import TICKET_SECONDS
from parlour.tables.errors import Unreadable


class SharedTickets:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def issue(self, owner_token: str) -> str:
        ticket = secrets.token_urlsafe(24)
        place = self._place(ticket)
        try:
            await self._bus.redis.set(place, self._bus.seal.seal(owner_token.encode(), place), ex=TICKET_SECONDS)
        except Faults:
            raise bus_down() from None
        return ticket

    async def redeem(self, ticket: str) -> str | None:
        """The token behind a ticket, once."""
        place = self._place(ticket)
        try:
            sealed = await self._bus.redis.getdel(place)
        except Faults:
            raise bus_down() from None
        try:
            return self._bus.seal.open(sealed, place).decode() if isinstance(sealed, bytes) else None
        except Unreadable:
            return None

    def _place(self, ticket: str) -> str:
        return self._bus.key("ticket:" + hashlib.sha256(ticket.encode()).hexdigest())
