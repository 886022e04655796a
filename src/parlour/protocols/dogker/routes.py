"""Dogker's REST side: users, suggestions and the state of a room, for pages of any origin."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from parlour.protocols.dialect import BODY_LIMIT, Admission
from parlour.protocols.dogker.lounge import Lounge
from parlour.protocols.dogker.sockets import KnownSockets
from parlour.protocols.dogker.users import DogkerUser, DogkerUsers
from parlour.protocols.socketio import Heartbeat, Transport, cors
from parlour.tables.errors import BadRequest, NotFound, Refused
from parlour.tables.live.service import Parlour
from parlour.tables.suggestions import SuggestionBox

logger = structlog.get_logger(__name__)

DAY_SECONDS = 24 * 3600
SOCKET_PATH = "/socket.io/"


def _success(payload: object, status: int = 200) -> web.Response:
    return web.json_response({"success": True, "payload": payload}, status=status)


class Dogker:
    """Poker rooms for up to ten, over REST and Socket.IO."""

    name = "dogker"

    def __init__(self, parlour: Parlour, admission: Admission, heartbeat: Heartbeat | None = None) -> None:
        self._parlour = parlour
        self._admission = admission
        self._users = DogkerUsers(parlour, admission)
        self._sockets = KnownSockets(parlour.store, parlour.clock)
        self._transport = Transport(admission, Lounge(self._users, self._sockets, admission), heartbeat)
        self._box = SuggestionBox(parlour.store, parlour.clock)
        self._cleaning: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._cleaning = asyncio.get_running_loop().create_task(self._clean_daily())

    async def stop(self) -> None:
        self._transport.close()
        if self._cleaning is not None:
            self._cleaning.cancel()
            await asyncio.gather(self._cleaning, return_exceptions=True)
            self._cleaning = None

    async def _clean_daily(self) -> None:
        while True:
            try:
                await self._users.clear_leftovers()
                await self._sockets.clear()
            except Refused as refusal:
                logger.error("leftovers could not be cleared", code=refusal.code)
            await asyncio.sleep(DAY_SECONDS)

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._speak], client_max_size=BODY_LIMIT)
        app.on_shutdown.append(self._hang_up)
        app.router.add_get(SOCKET_PATH, self._transport.handle, allow_head=False)
        app.router.add_post(SOCKET_PATH, self._transport.handle)
        for path in ("/users", "/users/"):
            app.router.add_post(path, self._user)
        app.router.add_post("/suggestions", self._suggest)
        app.router.add_get("/suggestions", self._suggestions)
        app.router.add_get("/games/{code}", self._game)
        app.router.add_route("OPTIONS", "/{any:.*}", self._preflight)
        return app

    async def _hang_up(self, app: web.Application) -> None:
        self._transport.close()

    @web.middleware
    async def _speak(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        response: web.StreamResponse
        try:
            response = await handler(request)
        except Refused as refusal:
            response = web.json_response({"success": False, "error": refusal.message}, status=refusal.status)
        except web.HTTPException as error:
            response = web.json_response({"success": False, "error": error.reason}, status=error.status)
        if not response.prepared:
            response.headers.setdefault("Access-Control-Allow-Origin", "*")
        return response

    async def _preflight(self, request: web.Request) -> web.Response:
        headers = {"Access-Control-Allow-Methods": "GET,POST,OPTIONS"}
        if request.path.endswith(SOCKET_PATH):
            headers |= cors(request)
        asked = request.headers.get("Access-Control-Request-Headers")
        if asked is not None:
            headers["Access-Control-Allow-Headers"] = asked
        return web.Response(status=204, headers=headers)

    async def _user(self, request: web.Request) -> web.Response:
        """The user with this id, or a new one: the original front end has no way on from an unknown id."""
        user = await self._users.find((await _body(request)).get("userId"))
        if user is None:
            self._admission.newcomer(self._admission.address(request))
            user = await self._users.create()
        return _success(_user_json(user))

    async def _suggest(self, request: web.Request) -> web.Response:
        body = await _body(request)
        self._admission.suggestion(self._admission.address(request))
        made = await self._box.add(body.get("title"), body.get("suggestion"))
        return _success(msgspec.to_builtins(made))

    async def _suggestions(self, request: web.Request) -> web.Response:
        return _success(msgspec.to_builtins(await self._box.newest()))

    async def _game(self, request: web.Request) -> web.Response:
        """Whether a code names a live game, and which sites are taken.

        Who sits there is told of listed tables only: players of a private one are known to those who are in it.
        """
        try:
            with self._admission.guess(self._admission.address(request)):
                table = await self._parlour.open(request.match_info["code"], here=True)
        except NotFound:
            return _success({"live": False, "gameStarted": False, "players": []})
        state = table.state
        if state.room.closed or state.rules.name != "holdem":
            return _success({"live": False, "gameStarted": False, "players": []})
        named = not state.settings.private and table.may_watch(None)
        players = [
            {"_id": holder.id, "name": holder.name, "site": seat + 1} if named else {"site": seat + 1}
            for seat, holder in enumerate(state.room.seats)
            if holder is not None
        ]
        return _success({"live": True, "gameStarted": state.status() != "waiting", "players": players})


def _user_json(user: DogkerUser) -> dict[str, Any]:
    return {"_id": user.secret, "code": user.kept.code, "currentGame": user.kept.current}


async def _body(request: web.Request) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(await request.read())
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise BadRequest("bad_body", "The body is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequest("bad_body", "The body is not an object")
    return body
