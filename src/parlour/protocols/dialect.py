"""What a dialect is: other people's words on the same tables, as an application that can be mounted anywhere."""

from __future__ import annotations

from typing import Protocol

from aiohttp import web


class Admit(Protocol):
    """The door: lets a request in and tells the caller's address. `TooMany` where that address asks too much."""

    def __call__(self, request: web.Request, newcomer: bool = False) -> str:
        """`newcomer` where the request makes a new identity."""
        ...


BODY_LIMIT = 16 * 1024
"""No request of a dialect is larger, in bytes."""


class Dialect(Protocol):
    """A dialect is made once and may be served twice: under its prefix, and at the root of a port of its own."""

    name: str
    """The prefix, such as `gateau` for `/gateau`."""

    def application(self) -> web.Application:
        """The routes of the dialect, from its own root on."""
        ...

    async def start(self) -> None:
        """The tables are open: take up what was under way."""
        ...

    async def stop(self) -> None:
        """The tables are about to close."""
        ...
