"""Who asks: by a token of the house in the Authorization header, and by nothing else."""

from __future__ import annotations

from typing import NamedTuple

from aiohttp import web

from parlour.tables.errors import Refused
from parlour.tables.live.service import Parlour
from parlour.tables.ports import Identity

TOKEN_LIMIT = 128


class Unauthorized(Refused):
    status = 401


class LichessCaller(NamedTuple):
    identity: Identity
    token: str


def bearer(request: web.Request) -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and 0 < len(token) <= TOKEN_LIMIT else None


async def known(parlour: Parlour, request: web.Request) -> LichessCaller:
    """The caller; 401 where there is no token or nobody has it."""
    token = bearer(request)
    identity = None if token is None else await parlour.authenticate(token)
    if token is None or identity is None:
        raise Unauthorized("unknown_token", "No such token")
    return LichessCaller(identity, token)
