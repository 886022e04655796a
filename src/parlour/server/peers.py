"""What the server asks of other nodes, where there are any; `parlour.nodes` answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from aiohttp import web

from parlour.server.api.schema import NodeFacts
from parlour.tables import Identity
from parlour.tables.live.messages import Callback
from parlour.tables.live.pipeline import Answer
from parlour.tables.room.commands import AnyCommand


class Following(Protocol):
    """A viewer's connection to a table."""

    def close(self) -> None: ...


class Followed(Protocol):
    """A table as a socket needs it: one in this process, or one that may be anywhere."""

    id: str

    def subscribe(
        self,
        identity: Identity | None,
        callback: Callback,
        *,
        views: bool = False,
        since: int | None = None,
        epoch: str | None = None,
    ) -> Following: ...

    def submit(self, identity: Identity, command: AnyCommand, key: str | None, answer: Answer) -> None: ...


class Peers(Protocol):
    async def forward(
        self, request: web.Request, name: str, *, target: str, repeatable: bool
    ) -> web.StreamResponse | None:
        """Have the owner of `name` answer a request; None where this node owns it, or does by now.

        `target`: path and query at the other node. `repeatable`: whether the request may be carried out again where
        nobody knows whether it was. `Unavailable` where the owner cannot be reached.
        """
        ...

    def table(self, table: str) -> Followed:
        """The table with this id, wherever it is, for one socket."""
        ...

    def leading(
        self, name: str, start: Callable[[], Awaitable[None]], stop: Callable[[], Awaitable[None]]
    ) -> AbstractAsyncContextManager[None]:
        """Run something at one node at a time: this one, whenever it owns `name`."""
        ...

    async def leads(self, name: str) -> bool:
        """Whether that runs here."""
        ...

    def nodes(self) -> list[NodeFacts]:
        """All nodes, for the operator."""
        ...

    def listen(self, port: int) -> None:
        """The server listens at this port of loopback for what it answers for other nodes."""
        ...

    async def drain(self) -> None:
        """Hand everything over to other nodes: this one is about to stop."""
        ...
