"""Gateau's endpoints: `/config`, `/reg` and `/game`."""

from __future__ import annotations

import math
import uuid
from typing import Annotated, TypeVar

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler
from msgspec import Meta

from parlour.protocols.callbacks import CallbackGuard, CallbackRefused, answers
from parlour.protocols.dialect import BODY_LIMIT, Admission
from parlour.protocols.gateau.entries import HouseTournaments
from parlour.protocols.gateau.games import GameTimeouts, GateauGames, GateauRefusal
from parlour.protocols.gateau.moves import ACTIONS
from parlour.tables.errors import Refused, TooMany
from parlour.tables.live.service import Parlour

DEFAULT_GAME = ""
GameId = Annotated[str, Meta(max_length=64)]
UInt = Annotated[int, Meta(ge=0, le=2**63 - 1)]

T = TypeVar("T")


class ConfigBody(msgspec.Struct):
    config: str
    value: UInt = 0
    game_id: GameId = DEFAULT_GAME


class RegBody(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    address: str
    game_id: GameId = DEFAULT_GAME


class GameBody(msgspec.Struct):
    secret_id: Annotated[str, Meta(max_length=64)]
    action: str
    value: UInt = 0
    game_id: GameId = DEFAULT_GAME


class Gateau:
    """Hold'em for bots and people by HTTP callbacks."""

    name = "gateau"

    def __init__(
        self,
        parlour: Parlour,
        admission: Admission,
        guard: CallbackGuard,
        patience: GameTimeouts | None = None,
        tournaments: HouseTournaments | None = None,
    ) -> None:
        self._parlour = parlour
        self._patience = patience or GameTimeouts()
        self._tournaments = tournaments
        self._games = GateauGames(parlour, admission, self._patience, tournaments)
        self._admission = admission
        self._guard = guard

    async def start(self) -> None:
        # Nothing is left of an earlier start.
        self._games = GateauGames(self._parlour, self._admission, self._patience, self._tournaments)
        await self._games.start()

    async def stop(self) -> None:
        await self._games.stop()

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._speak], client_max_size=BODY_LIMIT)
        app.router.add_post("/config", self._config)
        app.router.add_post("/reg", self._reg)
        app.router.add_post("/game", self._game)
        return app

    @web.middleware
    async def _speak(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answers are `{"status": …}`, whatever happens."""
        try:
            return await handler(request)
        except GateauRefusal as refusal:
            return _fail(str(refusal))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return _fail(str(error), 400)
        except RecursionError:
            return _fail("the body is nested too deeply", 400)
        except TooMany as refusal:
            refused = _fail(refusal.message, refusal.status)
            refused.headers["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
            return refused
        except Refused as refusal:
            return _fail(refusal.message, refusal.status)
        except web.HTTPException as error:
            return _fail(error.reason, error.status)

    async def _config(self, request: web.Request) -> web.Response:
        address = self._admission.address(request)
        body = await _read(request, ConfigBody)
        await self._games.configure(
            body.game_id, body.config.lower(), body.value, address, self._admission.is_operator(request)
        )
        return _ok()

    async def _reg(self, request: web.Request) -> web.Response:
        address = self._admission.address(request)
        body = await _read(request, RegBody)
        try:
            callback = await self._guard.check(body.address, address)
        except CallbackRefused as refused:
            raise GateauRefusal(str(refused)) from None
        if not self._games.is_known(body.game_id, body.name, callback):
            self._admission.newcomer(address)
        if not await answers(callback, "/player"):
            raise GateauRefusal("No client answers at this address")
        await self._games.register(body.game_id, body.name, callback, address)
        return _ok()

    async def _game(self, request: web.Request) -> web.Response:
        body = await _read(request, GameBody)
        try:
            secret = uuid.UUID(body.secret_id)
        except ValueError:
            return _fail("secret_id is not a UUID", 400)
        action = body.action.lower()
        if action not in ACTIONS:
            raise GateauRefusal("Bad action!")
        await self._games.move(secret, action, body.value)
        self._admission.plays(self._admission.address(request))
        return _ok()


async def _read(request: web.Request, kind: type[T]) -> T:
    """The body of a request. A web page of another site can send no JSON without asking first, and is not answered."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(reason="the body must be application/json")
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise web.HTTPForbidden(reason="a page of another site may not do this here")
    return msgspec.json.decode(await request.read(), type=kind)


def _ok() -> web.Response:
    return web.json_response({"status": "ok"})


def _fail(reason: str, status: int = 200) -> web.Response:
    return web.json_response({"status": "error", "reason": reason}, status=status)
