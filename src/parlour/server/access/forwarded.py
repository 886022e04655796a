"""Requests that another node has taken and admitted, and that are answered here.

They come over loopback from this process itself, which shows that by a secret of its own.
"""

from __future__ import annotations

import hmac
import secrets
from typing import NamedTuple

from aiohttp import web

HEADER = "X-Parlour-Forwarded"
MISDIRECTED = 421
"""The answer to a forwarded request about something that this node does not own, or not any more. Nothing was done."""
_SECRET = secrets.token_urlsafe(32)


class Caller(NamedTuple):
    """Who asked the other node, and how."""

    scheme: str
    address: str


def write(caller: Caller) -> str:
    """The header that says who asked."""
    return f"{_SECRET} {caller.scheme} {caller.address}"


def caller(request: web.BaseRequest) -> Caller | None:
    """Who asked the other node; None where the request came from its sender straight here."""
    line = request.headers.get(HEADER)
    if line is None:
        return None
    secret, _, rest = line.partition(" ")
    if not hmac.compare_digest(secret.encode(errors="replace"), _SECRET.encode()):
        return None
    scheme, _, address = rest.partition(" ")
    return Caller(scheme, address)
