"""Dogker's live side: rooms over Socket.IO. Every connection follows its table like any other viewer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import socketio
import structlog

from parlour.protocols.dogker.rooms import room
from parlour.protocols.dogker.users import User, Users
from parlour.tables.errors import Busy, Refused
from parlour.tables.table import Table
from parlour.tables.viewers import PresenceChange, Subscription, Update

logger = structlog.get_logger(__name__)

FRAME_LIMIT = 4096
BACKLOG = 64
"""Rooms that may wait for a slow reader; more, and the connection is closed: it comes back and gets the newest."""

Payload = dict[str, Any]


class Connection:
    """One socket in one room: sends the room after every change, in order."""

    def __init__(self, server: socketio.AsyncServer, sid: str, user: User, table: Table) -> None:
        self._server = server
        self._sid = sid
        self.user = user
        self.table = table
        self._rooms: asyncio.Queue[tuple[str, Payload] | None] = asyncio.Queue(BACKLOG)
        self._subscription: Subscription = table.subscribe(user.identity, self._changed)
        self._sending = asyncio.get_running_loop().create_task(self._send())
        self.put("joinedRoom")

    def put(self, event: str) -> None:
        """Send the room as it is now."""
        view = msgspec.json.decode(self.table.view(self.user.identity))
        try:
            self._rooms.put_nowait((event, room(view, self.user.secret)))
        except asyncio.QueueFull:
            self._sending.cancel()

    def _changed(self, message: Update | PresenceChange) -> None:
        if isinstance(message, Update):
            self.put("updatedRoom")

    async def _send(self) -> None:
        try:
            while (waiting := await self._rooms.get()) is not None:
                await self._server.emit(*waiting, to=self._sid)
        except asyncio.CancelledError:
            await self._server.disconnect(self._sid)

    def close(self) -> None:
        self._subscription.close()
        if not self._sending.done() and not self._rooms.full():
            self._rooms.put_nowait(None)


class Lounge:
    """The Socket.IO events of the dialect, each for the user whose secret it carries."""

    def __init__(self, users: Users) -> None:
        self._users = users
        self.server = socketio.AsyncServer(
            async_mode="aiohttp",
            cors_allowed_origins="*",
            max_http_buffer_size=FRAME_LIMIT,
            logger=False,
            engineio_logger=False,
        )
        self._connections: dict[str, Connection] = {}
        for event, handler in (
            ("createOrJoinRoom", self._join),
            ("setPlayerSite", self._choose_site),
            ("startGame", self._start),
            ("bet", self._bet),
            ("fold", self._fold),
        ):
            self.server.on(event, self._answering(handler))
        self.server.on("disconnect", self._gone)

    def _answering(self, handler: Callable[[str, Payload], Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """What goes wrong is told by an `err` event, and nothing is lost."""

        async def answer(sid: str, payload: object = None) -> None:
            try:
                if not isinstance(payload, dict):
                    raise Busy("bad_payload", "An event carries one JSON object")
                await handler(sid, payload)
            except Refused as refusal:
                await self.server.emit("err", refusal.message, to=sid)
            except Exception as error:
                logger.error("an event failed", error=type(error).__name__)
                await self.server.emit("err", "Something went wrong", to=sid)

        return answer

    async def _gone(self, sid: str, reason: object = None) -> None:
        connection = self._connections.pop(sid, None)
        if connection is not None:
            connection.close()

    async def _join(self, sid: str, payload: Payload) -> None:
        user = await self._users.find(payload.get("userId"))
        code = payload.get("gameCode")
        if user is None or not isinstance(code, str):
            raise Busy("unknown_user", "Unknown user or room")
        user = await self._users.rename(user, payload.get("username"), payload.get("avatarId"))
        table = await self._users.room(user, code)
        if not table.state.seats_of(user.identity.id):
            await self._leave_former(user, table)
            await table.sit(user.identity, None, {})
        user.kept.current = table.code
        await self._users.keep(user)
        await self._gone(sid)
        self._connections[sid] = Connection(self.server, sid, user, table)

    async def _leave_former(self, user: User, table: Table) -> None:
        """A user is in one room at a time."""
        if user.kept.current and user.kept.current != table.code:
            former = await self._users.room(user, user.kept.current)
            if former.state.seats_of(user.identity.id):
                await former.leave(user.identity)

    async def _acting(self, sid: str, payload: Payload, secret: object) -> tuple[User, Table]:
        """Whoever sends the event, at the room that they are in."""
        connection = self._connections.get(sid)
        if connection is None:
            raise Busy("no_room", "Join a room first")
        user = await self._users.find(secret)
        if user is None or user.identity.id != connection.user.identity.id:
            raise Busy("not_you", "Nobody acts for another")
        if str(payload.get("gameCode", "")).upper() != connection.table.code.upper():
            raise Busy("other_room", "You are in another room")
        return user, connection.table

    async def _choose_site(self, sid: str, payload: Payload) -> None:
        user, table = await self._acting(sid, payload, payload.get("userId"))
        site = payload.get("numberSite")
        if type(site) is not int or not 1 <= site <= len(table.state.room.seats):
            raise Busy("bad_site", f"A site is a number from 1 to {len(table.state.room.seats)}")
        if table.state.status() != "waiting":
            raise Busy("started", "The game has started")
        own = table.state.seats_of(user.identity.id)
        if own == [site - 1]:
            return
        if table.state.room.seats[site - 1] is not None:
            raise Busy("seat_taken", "That site is taken")
        await table.leave(user.identity)
        await table.sit(user.identity, site - 1, {}, invited=True)

    async def _start(self, sid: str, payload: Payload) -> None:
        connection = self._connections.get(sid)
        user, table = await self._acting(sid, payload, connection.user.secret if connection else None)
        await table.start(user.identity)

    async def _bet(self, sid: str, payload: Payload) -> None:
        user, table = await self._acting(sid, payload, payload.get("userId"))
        amount = payload.get("amount")
        if type(amount) is not int or amount < 0:
            raise Busy("bad_amount", "The amount is a number of chips")
        view = msgspec.json.decode(table.view(user.identity))
        if view["legal"] is None:
            raise Busy("not_your_turn", "It is not your turn")
        await table.act(user.identity, read_bet(amount, view["legal"]), view["turn"])

    async def _fold(self, sid: str, payload: Payload) -> None:
        user, table = await self._acting(sid, payload, payload.get("userId"))
        view = msgspec.json.decode(table.view(user.identity))
        await table.act(user.identity, {"type": "fold"}, view["turn"])


def read_bet(amount: int, legal: dict[str, Any]) -> dict[str, Any]:
    """Chips that are added: none is a check, the missing ones are a call, more are a raise."""
    if amount == 0:
        return {"type": "check"}
    if amount == legal["call"]:
        return {"type": "call"}
    if amount < legal["call"]:
        raise Busy("too_little", f"It takes {legal['call']} chips to call")
    return {"type": "raise", "amount": legal["bet"] + amount}
