"""What a dialect is: other people's words on the same tables, as an application that can be mounted anywhere."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from aiohttp import web

BODY_LIMIT = 16 * 1024
"""No request of a dialect is larger, in bytes."""


FRAME_COST = 0.1
"""What a frame that is only read and answered costs, in plain HTTP requests."""
EVENT_COST = 8.0
"""What an event costs that asks the store for its sender and then changes a table."""


class AdmittedConnection(Protocol):
    """What one open connection (a socket, a polling session, a stream) may still do.

    It holds a place among those of its address from the beginning, and among those of an identity once it is known
    whose it is. As a context manager it gives them back at the end.
    """

    def belongs_to(self, identity: str) -> None:
        """Count for this identity from now on, and no longer for another. `TooMany` where it has too many already."""
        ...

    def packet(self, size: int = 0, cost: float = FRAME_COST) -> float:
        """Pay for a packet of `size` bytes, pings and refused packets included, that takes as much of the processor as
        `cost` plain HTTP requests.

        The answer is how many seconds to let pass before anything more is read from the connection: 0 for all who keep
        within the limits. `TooMany` where the sender has been slowed down for long and goes on: close the connection.
        """
        ...

    def close(self) -> None:
        """Give the places back. To call it again does nothing."""
        ...

    def __enter__(self) -> AdmittedConnection: ...

    def __exit__(self, *error: object) -> None: ...


class Admission(Protocol):
    """What everybody passes who asks anything of the server; `TooMany` is raised where they ask too much.

    Every request to a dialect's application is paid for before its handler is called: the server sees to that. A
    dialect accounts for what only it can know.
    """

    def address(self, request: web.BaseRequest) -> str:
        """Where the request comes from, behind trusted proxies as well."""
        ...

    def newcomer(self, address: str) -> None:
        """Before an identity is made."""
        ...

    def guess(self, address: str) -> AbstractContextManager[None]:
        """Around the look-up of a code: a `NotFound` out of it counts as a wrong guess of the address.

        An address with too many of them is refused before it looks anything up.
        """
        ...

    def command(self, identity: str, table: str) -> None:
        """Before a command of an identity at a table (its id): seats, actions, chat, the host's powers."""
        ...

    def plays(self, address: str) -> None:
        """After a command that was carried out for somebody at this address: who plays waits last."""
        ...

    def new_table(self, identity: str, address: str) -> None:
        """Before a table is made."""
        ...

    def suggestion(self, address: str) -> None:
        """Before a suggestion is kept."""
        ...

    def connection(self, request: web.BaseRequest) -> AdmittedConnection:
        """A place for a connection that stays open. `TooMany` where its address has too many already."""
        ...

    def is_operator(self, request: web.BaseRequest) -> bool:
        """Whether the request carries the operator's secret. A wrong secret counts as a wrong guess."""
        ...


class Dialect(Protocol):
    """A dialect is made once and may be served twice: under its prefix, and at the root of a port of its own."""

    name: str
    """The prefix, such as `gateau` for `/gateau`."""

    def application(self) -> web.Application:
        """The routes of the dialect, from its own root on.

        Its middlewares stand around the admission, so that a refusal (`TooMany`) is told in the dialect's own words.
        Each must call its handler for every request, a preflight too: what does not is not paid for.
        """
        ...

    async def start(self) -> None:
        """The tables are open: take up what was under way."""
        ...

    async def stop(self) -> None:
        """The tables are about to close."""
        ...
