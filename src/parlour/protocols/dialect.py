"""What a dialect is: other people's words on the same tables, as an application that can be mounted anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from aiohttp import web

Admit = Callable[[web.Request], str]
"""Lets a request in and tells the caller's address; raises `TooMany` where that address asks too much."""


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
