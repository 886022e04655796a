"""Tickets for sockets that are good at any node: kept in Redis for seconds, readable with the ticket alone."""

from __future__ import annotations

import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.exceptions import RedisError

from parlour.nodes.bus import Bus, bus_down
from parlour.server.api.auth import TICKET_SECONDS

NONCE = bytes(12)
"""Each ticket is a key of its own, which encrypts one token."""


class SharedTickets:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def issue(self, owner_token: str) -> str:
        ticket = secrets.token_urlsafe(24)
        sealed = AESGCM(_hash("key", ticket)).encrypt(NONCE, owner_token.encode(), None)
        try:
            await self._bus.redis.set(self._place(ticket), sealed, ex=TICKET_SECONDS)
        except (RedisError, OSError):
            raise bus_down() from None
        return ticket

    async def redeem(self, ticket: str) -> str | None:
        """The token behind a ticket, once."""
        try:
            sealed = await self._bus.redis.getdel(self._place(ticket))
        except (RedisError, OSError):
            raise bus_down() from None
        if not isinstance(sealed, bytes):
            return None
        try:
            return AESGCM(_hash("key", ticket)).decrypt(NONCE, sealed, None).decode()
        except InvalidTag:
            return None

    def _place(self, ticket: str) -> str:
        return self._bus.key("ticket:" + _hash("place", ticket).hex())


def _hash(use: str, ticket: str) -> bytes:
    return hashlib.sha256(f"{use}:{ticket}".encode()).digest()
