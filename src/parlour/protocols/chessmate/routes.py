"""Chess Mate's routes, answers, errors and CORS headers, to the letter."""

from __future__ import annotations

import json
from typing import Any

import chess
from aiohttp import web
from aiohttp.typedefs import Handler

from parlour.protocols.chessmate.games import BROWSER_ID_LIMIT, BrowserGame, BrowserGames
from parlour.protocols.chessmate.render import Replay, square, timestamp
from parlour.protocols.dialect import BODY_LIMIT, Admission
from parlour.tables.errors import Gone, NotFound, Refused, TooMany
from parlour.tables.live.service import Parlour

HEADER = "browser_id"
NO_GAME = "Game not found!"
PROMOTIONS = {"": "q", "Q": "q", "N": "n", "B": "b", "R": "r"}


class Wrong(Exception):
    """An error of the dialect, told as `{"error": …}`."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def answer(value: object, status: int = 200) -> web.Response:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return web.Response(text=text, status=status, content_type="application/json")


class ChessMate:
    """Chess kept for a browser without registration."""

    name = "chessmate"

    def __init__(self, parlour: Parlour, admission: Admission) -> None:
        self._games = BrowserGames(parlour)
        self._admission = admission

    async def start(self) -> None:
        return

    async def stop(self) -> None:
        return

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._speak], client_max_size=BODY_LIMIT)
        app.router.add_get("/", self._hello)
        app.router.add_post("/new-game", self._new_game)
        app.router.add_get("/load-game", self._load_game)
        app.router.add_get("/legal-moves/{position}", self._legal_moves)
        app.router.add_get("/make-move/{from}/{to}", self._make_move)
        app.router.add_route("OPTIONS", "/{any:.*}", self._preflight)
        app.router.add_route("*", "/{unknown:.*}", self._unknown)
        return app

    @web.middleware
    async def _speak(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every answer is JSON that any page may read."""
        response: web.StreamResponse
        try:
            response = await handler(request)
        except Wrong as wrong:
            response = answer({"error": str(wrong)}, wrong.status)
        except Gone:
            response = answer({"error": NO_GAME}, 400)
        except TooMany as refusal:
            response = answer({"error": refusal.message}, refusal.status)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    async def _preflight(self, request: web.Request) -> web.Response:
        """A browser's question before it asks in earnest gets what it asks for."""
        response = web.Response(status=204)
        for wish in ("Method", "Headers"):
            asked = request.headers.get(f"Access-Control-Request-{wish}")
            if asked is not None:
                response.headers[f"Access-Control-Allow-{wish.rstrip('s')}s"] = asked
        return response

    async def _hello(self, request: web.Request) -> web.Response:
        return answer({"message": "Api OK!"})

    async def _unknown(self, request: web.Request) -> web.Response:
        await self._game(request)
        raise Wrong("Not found!", 404)

    async def _game(self, request: web.Request) -> BrowserGame:
        browser_id = request.headers.get(HEADER)
        if not browser_id:
            raise Wrong("No browser id")
        if not _is_text(browser_id):
            raise Wrong("Invalid browser id")
        try:
            with self._admission.guess(self._admission.address(request)):
                return await self._games.find(browser_id)
        except NotFound:
            raise Wrong(NO_GAME) from None

    async def _new_game(self, request: web.Request) -> web.Response:
        self._admission.newcomer(self._admission.address(request))
        browser_id, game = await self._games.new(await _wanted_id(request))
        record = await game.record()
        created = timestamp(record.created)
        row = {"id": record.number, "browser_id": browser_id, "createdAt": created, "updatedAt": created}
        return answer({"game": row, "board": Replay(record).board_json()})

    async def _load_game(self, request: web.Request) -> web.Response:
        replay = await self._games.replay(await self._game(request))
        return answer({"board": replay.board_json(), "moves": replay.moves[::-1]})

    async def _legal_moves(self, request: web.Request) -> web.Response:
        game = await self._game(request)
        origin = square(request.match_info["position"])
        if origin is None:
            raise Wrong("Invalid position!")
        return answer((await self._games.replay(game)).targets(origin))

    async def _make_move(self, request: web.Request) -> web.Response:
        game = await self._game(request)
        origin, target = square(request.match_info["from"]), square(request.match_info["to"])
        if origin is None or target is None:
            raise Wrong("Invalid position")
        replay = await self._games.replay(game)
        promotion = PROMOTIONS.get(request.query.get("promotion", "").upper())
        if promotion is None or chess.square_name(target) not in replay.targets(origin):
            raise Wrong("Invalid move!")
        uci = chess.square_name(origin) + chess.square_name(target)
        if replay.board.piece_type_at(origin) == chess.PAWN and chess.square_rank(target) in (0, 7):
            uci += promotion
        self._admission.command(game.identity.id, game.table.id)
        try:
            await game.move(uci)
        except Refused:
            raise Wrong("Invalid move!") from None
        self._admission.plays(self._admission.address(request))
        after = await self._games.replay(game)
        return answer({"board": after.board_json(), "move": after.moves[-1]})


async def _wanted_id(request: web.Request) -> str | None:
    """The `browser_id` of the optional body."""
    raw = await request.read()
    if not raw.strip():
        return None
    try:
        body: Any = json.loads(raw)
    except (ValueError, RecursionError):
        raise Wrong("Invalid body!") from None
    wanted = body.get("browser_id") if isinstance(body, dict) else None
    if wanted is None:
        return None
    if not isinstance(wanted, str) or not 0 < len(wanted) <= BROWSER_ID_LIMIT or not _is_text(wanted):
        raise Wrong("Invalid browser id")
    return wanted


def _is_text(string: str) -> bool:
    """Whether a string can be written: one out of JSON or of a header may hold half a character."""
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True
