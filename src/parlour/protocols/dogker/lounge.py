"""Dogker's live side: the events of its rooms. Every socket follows its table like any other viewer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from typing import Any

import msgspec
import structlog

from parlour.faults import traced
from parlour.protocols.dialect import Admission
from parlour.protocols.dogker.bets import read_bet
from parlour.protocols.dogker.rooms import room
from parlour.protocols.dogker.sockets import KnownSockets
from parlour.protocols.dogker.users import DogkerUser, DogkerUsers
from parlour.protocols.socketio import SocketSession
from parlour.tables.errors import Busy, NotFound, Refused
from parlour.tables.live.messages import AnyMessage, Ended, TableUpdate
from parlour.tables.live.table import Table
from parlour.tables.people import People

logger = structlog.get_logger(__name__)

Payload = dict[str, Any]

OPAQUE_ORIGIN = "null"
"""What a browser says for pages that are of no site, which may be anybody's."""
ROOMS_KEPT = 1024
"""Rooms that are kept as they were written; each has a few kilobytes."""


class Rooms:
    """Rooms as they were last written: all sockets of a user are sent the same bytes, written once."""

    def __init__(self) -> None:
        self._written: OrderedDict[tuple[str, str], tuple[int, msgspec.Raw]] = OrderedDict()

    def of(self, table: Table, user: DogkerUser) -> msgspec.Raw:
        seq, key = table.visible_seq(user.identity), (table.id, user.secret)
        known = self._written.pop(key, None)
        if known is None or known[0] != seq:
            known = seq, msgspec.Raw(msgspec.json.encode(room(view_of(table, user), user.secret)))
        self._written[key] = known
        if len(self._written) > ROOMS_KEPT:
            self._written.popitem(last=False)
        return known[1]


class RoomFollower:
    """One socket in one room: it is sent the room after every change, until its user's secret is revoked."""

    def __init__(
        self, session: SocketSession, user: DogkerUser, table: Table, rooms: Rooms, people: People, first: str
    ) -> None:
        self._session = session
        self.user = user
        self.table = table
        self._rooms = rooms
        self._watching = ExitStack()
        self._watching.enter_context(people.watch(user.secret)).then(session.close)
        self._subscription = table.subscribe(user.identity, self._changed)
        session.emit_newest(first, self._room)

    def _room(self) -> msgspec.Raw:
        return self._rooms.of(self.table, self.user)

    def _changed(self, message: AnyMessage) -> None:
        if isinstance(message, TableUpdate):
            self._session.emit_newest("updatedRoom", self._room)
        elif isinstance(message, Ended):
            self._session.close()  # the page connects again, and is sent its room from where that is by then

    def close(self) -> None:
        self._watching.close()
        self._subscription.close()
        self._session.forget_newest()


class Lounge:
    """The events of the dialect, each for the user whose secret it carries."""

    def __init__(self, users: DogkerUsers, sockets: KnownSockets, admission: Admission) -> None:
        self._users = users
        self._sockets = sockets
        self._admission = admission
        self._rooms = Rooms()
        self._followers: dict[SocketSession, RoomFollower] = {}
        self._handlers: dict[str, Callable[[SocketSession, Payload], Awaitable[None]]] = {
            "createOrJoinRoom": self._join,
            "setPlayerSite": self._choose_site,
            "startGame": self._start,
            "bet": self._bet,
            "fold": self._fold,
        }

    async def silent(self, session: SocketSession) -> None:
        """A socket that has reconnected by itself sends nothing: it is sent the room that it was in.

        Whoever the cookie names is taken for the same only on a page of the same origin, which has the secret anyway.
        """
        former = session.caller.former
        if former is None or session.caller.origin == OPAQUE_ORIGIN:
            return
        try:
            known = await self._sockets.find(former)
            if known is None or known[2] != session.caller.origin:
                return
            secret, code, _ = known
            user = await self._users.find(secret)
            if user is not None and user.kept.current == code:
                session.place.belongs_to(user.identity.id)
                table = await self._users.room(code, session.address)
                await self._remember(session, user, table, former)
                self._follow(session, user, table, "updatedRoom")
        except Refused as refusal:
            logger.info("a socket that came back was not taken up", code=refusal.code)
        except Exception as error:
            logger.error("a socket that came back was not taken up", **traced(error))

    async def event(self, session: SocketSession, name: str, payload: object) -> None:
        """Carry out an event; what goes wrong is told by an `err` event."""
        try:
            handler = self._handlers.get(name)
            if handler is None:
                raise Busy("unknown_event", f"There is no event {name[:40]!r}")
            if not isinstance(payload, dict):
                raise Busy("bad_payload", "An event carries one JSON object")
            with session.states_held():  # the socket sees the whole of what it asked for, or nothing
                await handler(session, payload)
            self._admission.plays(session.address)
        except Refused as refusal:
            session.emit("err", refusal.message)
        except Exception as error:
            logger.error("an event failed", **traced(error))
            session.emit("err", "Something went wrong")

    def closed(self, session: SocketSession) -> None:
        follower = self._followers.pop(session, None)
        if follower is not None:
            follower.close()

    def _follow(self, session: SocketSession, user: DogkerUser, table: Table, first: str) -> None:
        """Send the room to this socket, now and after every change."""
        self.closed(session)
        if not session.closed:
            self._followers[session] = RoomFollower(session, user, table, self._rooms, self._users.people, first)

    async def _remember(
        self, session: SocketSession, user: DogkerUser, table: Table, former: str | None = None
    ) -> None:
        """Keep that this socket is sent the room, so that it is sent it again when it has broken and comes back."""
        await self._sockets.add(session.cookie, user, table.code, session.caller.origin, former)

    async def _find_user(self, session: SocketSession, secret: object) -> DogkerUser:
        """Whose secret this is; a wrong one counts as a guess."""
        with self._admission.guess(session.address):
            user = await self._users.find(secret)
            if user is None:
                raise NotFound("unknown_user", "There is no such user")
            return user

    async def _find_room(self, session: SocketSession, code: object) -> Table:
        """The room with this code, made where its owner has not come yet. A wrong code counts as a guess."""
        if not isinstance(code, str):
            raise Busy("bad_code", "A room is named by its code")
        with self._admission.guess(session.address):
            return await self._users.room(code, session.address)

    # Coming

    async def _join(self, session: SocketSession, payload: Payload) -> None:
        user = await self._find_user(session, payload.get("userId"))
        session.place.belongs_to(user.identity.id)
        table = await self._find_room(session, payload.get("gameCode"))
        self._admission.command(user.identity.id, table.id)
        user = await self._users.rename(user, payload.get("username"), payload.get("avatarId"))
        if not table.state.seats_of(user.identity.id):
            self.closed(session)  # it is not told of the room that the user leaves
            await self._users.leave_former(user, table)
            await _take_seat(user, table, None)
        await _sit_in(user, table)
        user.kept.current = table.code
        await self._users.keep(user)
        await self._remember(session, user, table)
        self._follow(session, user, table, "joinedRoom")

    async def _choose_site(self, session: SocketSession, payload: Payload) -> None:
        user, table = await self._acting(session, payload)
        site, seats = payload.get("numberSite"), table.state.room.seats
        if type(site) is not int or not 1 <= site <= len(seats):
            raise Busy("bad_site", f"A site is a number from 1 to {len(seats)}")
        own = table.state.seats_of(user.identity.id)
        if own == [site - 1]:
            return
        if seats[site - 1] is not None:
            raise Busy("seat_taken", "That site is taken")
        if not own:
            await _take_seat(user, table, site - 1)
        elif view_of(table, user)["state"]["hand"]:
            raise Busy("started", "Sites are chosen before the first game")
        else:
            await _move(user, table, own[0], site - 1)

    async def _start(self, session: SocketSession, payload: Payload) -> None:
        follower = self._followers.get(session)
        if follower is None:
            raise Busy("no_room", "Join the room first: reload the page")
        user, table = await self._acting(session, {**payload, "userId": follower.user.secret})
        if table.state.room.host == user.identity.id:
            await self._seat_watchers(table)
        await table.start(user.identity)

    async def _seat_watchers(self, table: Table) -> None:
        """Whoever has watched the last game plays in the next, as long as there are seats."""
        watchers = [other.user for other in self._followers.values() if other.table is table]
        for user in watchers:
            if not table.state.seats_of(user.identity.id):
                with suppress(Refused):
                    await _take_seat(user, table, None)

    # Playing

    async def _acting(self, session: SocketSession, payload: Payload) -> tuple[DogkerUser, Table]:
        """Who sends the event, at which room. The socket follows that room from now on, if it did not before."""
        follower, secret, code = self._followers.get(session), payload.get("userId"), payload.get("gameCode")
        if follower is not None and secret == follower.user.secret and await self._users.is_valid(follower.user):
            user = follower.user  # known without asking the store
        else:
            user = await self._find_user(session, secret)
        if follower is not None and follower.user.identity.id != user.identity.id:
            raise Busy("not_you", "Nobody acts for another")
        if follower is not None and isinstance(code, str) and code.upper() == follower.table.code.upper():
            table = await self._users.reopen(follower.table)
        else:
            session.place.belongs_to(user.identity.id)
            table = await self._find_room(session, code)
            if not table.state.seats_of(user.identity.id):
                raise Busy("no_seat", "You have no place in this room")
        if follower is None:
            await self._remember(session, user, table)
        if follower is None or follower.table is not table:
            self._follow(session, user, table, "updatedRoom")
        self._admission.command(user.identity.id, table.id)
        return user, table

    async def _bet(self, session: SocketSession, payload: Payload) -> None:
        user, table = await self._acting(session, payload)
        await _sit_in(user, table)
        view = view_of(table, user)
        if view["legal"] is None:
            raise Busy("not_your_turn", "It is not your turn")
        await table.act(user.identity, read_bet(payload.get("amount"), view["legal"]), view["turn"])

    async def _fold(self, session: SocketSession, payload: Payload) -> None:
        user, table = await self._acting(session, payload)
        await table.act(user.identity, {"type": "fold"}, view_of(table, user)["turn"])


def view_of(table: Table, user: DogkerUser) -> dict[str, Any]:
    """The table as this user sees it."""
    view: dict[str, Any] = msgspec.json.decode(table.view(user.identity))
    return view


async def _take_seat(user: DogkerUser, table: Table, seat: int | None) -> None:
    """Sit down. Whoever finds every seat taken, or a freeze-out under way, watches until the next game."""
    try:
        await table.sit(user.identity, seat, {})
    except Refused as refusal:
        if refusal.code not in ("full", "freeze_out_running"):
            raise


async def _sit_in(user: DogkerUser, table: Table) -> None:
    """Whoever comes or acts is dealt in again: the dialect has no word for coming back."""
    if "sit_in" in view_of(table, user)["you"]["options"]:
        await table.act(user.identity, {"type": "sit_in"}, None)


async def _move(user: DogkerUser, table: Table, old: int, new: int) -> None:
    """Change the seat before anything is dealt, with the same chips; where somebody else was quicker, stay."""
    rows = view_of(table, user)["state"]["players"]
    chips = {"buy_in": next(row["stack"] for row in rows if row["seat"] == old)}
    await table.leave(user.identity)
    try:
        await table.sit(user.identity, new, chips, invited=True)
    except Refused:
        await table.sit(user.identity, old, chips, invited=True)
        raise
