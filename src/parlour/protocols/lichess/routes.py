"""Lichess's routes: accounts, challenges, events, seeks; those of a single game are in `play`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from parlour.protocols.dialect import BODY_LIMIT, Admission
from parlour.protocols.lichess import bodies, terms
from parlour.protocols.lichess.book import LichessGames
from parlour.protocols.lichess.callers import LichessCaller, Unauthorized, known
from parlour.protocols.lichess.matches import LichessMatch
from parlour.protocols.lichess.play import OK, LichessPlay
from parlour.protocols.lichess.seeks import Seek, Seeks
from parlour.protocols.lichess.streams import Hub
from parlour.protocols.lichess.users import LichessUser, LichessUsers
from parlour.tables.errors import Against, Busy, NotFound, Refused, Stale
from parlour.tables.live.service import Parlour
from parlour.tables.ports import Identity

SCOPES = "bot:play,board:play,challenge:read,challenge:write,challenge:bulk"
TOKENS_AT_ONCE = 32
IDS_AT_ONCE = 50
ONLINE_LISTED = 512
GAME_PAGE = "/{game:[A-Z]{4,16}}"


class Lichess:
    """The Bot and the Board API, for clients that take another address than lichess.org."""

    name = "lichess"

    def __init__(
        self, parlour: Parlour, admission: Admission, styles: Sequence[str] = (), public_url: str | None = None
    ) -> None:
        """`styles`: how the bots of the house can play chess. `public_url`: where the web app is, for links."""
        self._parlour = parlour
        self._admission = admission
        self._hub = Hub()
        self._users = LichessUsers(parlour, styles)
        self._web_app = (public_url or "").rstrip("/")
        self._book = LichessGames(parlour, self._users, self._hub, self._web_app)
        self._seeks = Seeks(self._book, self._users)
        self._play = LichessPlay(parlour, admission, self._users, self._book, self._hub)

    async def start(self) -> None:
        await self._book.start()

    async def stop(self) -> None:
        self._hub.close()
        await self._book.stop()

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._speak], client_max_size=BODY_LIMIT)
        app.on_shutdown.append(self._hang_up)
        router = app.router
        router.add_post("/api/token/test", self._test_tokens)
        router.add_get("/api/account", self._account)
        router.add_get("/api/account/playing", self._now_playing)
        router.add_post("/api/bot/account/upgrade", self._upgrade)
        router.add_get("/api/stream/event", self._events)
        router.add_get("/api/challenge", self._challenges)
        router.add_post("/api/challenge/ai", self._challenge_house)
        router.add_post("/api/challenge/open", self._unknown)  # nobody's name: such challenges are not served
        router.add_post("/api/challenge/{user}", self._challenge)
        router.add_post("/api/challenge/{challenge}/accept", self._accept)
        router.add_post("/api/challenge/{challenge}/decline", self._decline)
        router.add_post("/api/challenge/{challenge}/cancel", self._cancel)
        router.add_post("/api/board/seek", self._seek)
        router.add_post("/api/users", self._users_named)
        router.add_get("/api/users/status", self._statuses)
        router.add_get("/api/bot/online", self._online)
        router.add_get("/api/user/{user}", self._user)
        self._play.add_routes(router)
        if self._web_app:
            for path in (GAME_PAGE, GAME_PAGE + "/{color:white|black}"):
                router.add_get(path, self._page)
        router.add_route("OPTIONS", "/{any:.*}", self._preflight)
        router.add_route("*", "/{unknown:.*}", self._unknown)
        return app

    async def _hang_up(self, app: web.Application) -> None:
        self._hub.close()

    @web.middleware
    async def _speak(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every refusal is `{"error": …}`. Pages of any origin may ask: a token is never sent by a browser itself."""
        response: web.StreamResponse
        try:
            response = await handler(request)
        except Refused as refusal:
            status = 400 if isinstance(refusal, Against | Busy | Stale) else refusal.status
            response = web.json_response({"error": refusal.message}, status=status)
            if isinstance(refusal, Unauthorized):
                response.headers["WWW-Authenticate"] = "Bearer"
        except web.HTTPException as error:
            response = web.json_response({"error": error.reason}, status=error.status)
        if not response.prepared:
            response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    async def _preflight(self, request: web.Request) -> web.Response:
        headers = {"Access-Control-Allow-Methods": "GET,POST,OPTIONS"}
        asked = request.headers.get("Access-Control-Request-Headers")
        return web.Response(status=204, headers=headers | ({"Access-Control-Allow-Headers": asked} if asked else {}))

    async def _unknown(self, request: web.Request) -> web.Response:
        raise NotFound("no_such_path", "Not found")

    async def _page(self, request: web.Request) -> web.Response:
        """The address that lichess-bot writes into its log for people."""
        return web.Response(status=302, headers={"Location": f"{self._web_app}/t/{request.match_info['game']}"})

    async def _caller(self, request: web.Request) -> LichessCaller:
        return await known(self._parlour, request)

    # Accounts

    async def _test_tokens(self, request: web.Request) -> web.Response:
        tokens = await bodies.names(request, TOKENS_AT_ONCE)
        return web.json_response({token: await self._test_token(token) for token in tokens})

    async def _test_token(self, token: str) -> dict[str, Any] | None:
        identity = await self._parlour.authenticate(token) if 0 < len(token) <= 128 else None
        if identity is None:
            return None
        return {"userId": (await self._users.of(identity)).id, "scopes": SCOPES, "expires": None}

    async def _account(self, request: web.Request) -> web.Response:
        identity = (await self._caller(request)).identity
        return web.json_response(await self._users.full(await self._users.of(identity), online=True))

    async def _now_playing(self, request: web.Request) -> web.Response:
        player = (await self._caller(request)).identity.id
        found = [await self._book.game_info(match, player) for match in self._book.games(player)]
        return web.json_response({"nowPlaying": [game for game in found if game is not None]})

    async def _upgrade(self, request: web.Request) -> web.Response:
        await self._parlour.people.become_bot((await self._caller(request)).identity)
        return web.json_response(OK)

    async def _user(self, request: web.Request) -> web.Response:
        user = await self._users.find(request.match_info["user"])
        return web.json_response(await self._users.full(user, self._is_online(user)))

    async def _statuses(self, request: web.Request) -> web.Response:
        names = [name for name in request.query.get("ids", "").split(",") if name][:IDS_AT_ONCE]
        found = []
        for user in await self._known(names):
            online, playing = self._is_online(user), bool(user.player) and self._book.is_playing(user.player)
            found.append({**user.light(), "online": online, "playing": playing})
        return web.json_response(found)

    async def _users_named(self, request: web.Request) -> web.Response:
        users = await self._known(await bodies.names(request, IDS_AT_ONCE))
        return web.json_response([await self._users.full(user, self._is_online(user)) for user in users])

    async def _known(self, names: Sequence[str]) -> list[LichessUser]:
        """Those of these users that there are."""
        found = []
        for name in names:
            with suppress(NotFound):
                found.append(await self._users.find(name.strip()))
        return found

    async def _online(self, request: web.Request) -> web.Response:
        wanted = request.query.get("nb") or str(ONLINE_LISTED)
        limit = min(int(wanted), ONLINE_LISTED) if wanted.isdecimal() and len(wanted) < 6 else ONLINE_LISTED
        bots = self._users.house()
        bots += [user for user in self._hub.online() if user.bot]
        lines = [msgspec.json.encode(await self._users.full(user, online=True)) + b"\n" for user in bots[:limit]]
        return web.Response(body=b"".join(lines), content_type="application/x-ndjson")

    def _is_online(self, user: LichessUser) -> bool:
        return user.style is not None or self._hub.is_online(user.player)

    # Events

    async def _events(self, request: web.Request) -> web.StreamResponse:
        caller = await self._caller(request)
        user = await self._users.of(caller.identity)
        with self._admission.connection(request) as connection, self._parlour.people.watch(caller.token) as watch:
            connection.belongs_to(user.player)
            with self._hub.events(user, caller.token) as lines:
                watch.then(lines.end)
                await self._book.tell_present(user.player, lines)
                return await lines.send(request)

    # Challenges

    async def _challenges(self, request: web.Request) -> web.Response:
        player = (await self._caller(request)).identity.id
        found = self._book.challenges(player)
        into = [await self._book.described(match, player) for match in found if match.dest == player]
        out = [await self._book.described(match, player) for match in found if match.challenger == player]
        return web.json_response({"in": into, "out": out})

    async def _challenge(self, request: web.Request) -> web.Response:
        identity, body = (await self._caller(request)).identity, await bodies.read(request)
        # User names are public, as `GET /api/user/NAME` is: a wrong one is no guess.
        match = await self._send(request, identity, await self._users.find(request.match_info["user"]), body)
        return web.json_response(await self._book.described(match, identity.id))

    async def _challenge_house(self, request: web.Request) -> web.Response:
        """Play the house at one of Lichess's levels. The game begins at once, and is the answer."""
        identity, body = (await self._caller(request)).identity, await bodies.read(request)
        match = await self._send(request, identity, self._users.of_level(terms.level(body)), body)
        return web.json_response(await self._book.new_game(match), status=201)

    async def _send(
        self, request: web.Request, identity: Identity, opponent: LichessUser, body: dict[str, Any]
    ) -> LichessMatch:
        wanted, side = terms.of_challenge(body), terms.side(body)
        self._admission.new_table(identity.id, self._admission.address(request))
        return await self._book.challenge(identity, opponent, wanted, side)

    async def _accept(self, request: web.Request) -> web.Response:
        await self._book.accept((await self._caller(request)).identity, request.match_info["challenge"])
        return web.json_response(OK)

    async def _decline(self, request: web.Request) -> web.Response:
        identity, body = (await self._caller(request)).identity, await bodies.read(request)
        await self._book.decline(identity, request.match_info["challenge"], body.get("reason"))
        return web.json_response(OK)

    async def _cancel(self, request: web.Request) -> web.Response:
        """Withdraw a challenge. One that was accepted is a game: it is aborted where that is still possible."""
        begun = await self._book.cancel((await self._caller(request)).identity, request.match_info["challenge"])
        if begun is not None:
            await self._play.abort(request, begun.id)
        return web.json_response(OK)

    # Seeks

    async def _seek(self, request: web.Request) -> web.StreamResponse:
        """Lasts until somebody is found who seeks the same; then both are told of the game as of any other."""
        caller = await self._caller(request)
        identity, body = caller.identity, await bodies.read(request)
        user = await self._users.of(identity)
        wanted = terms.of_seek(body)
        rating = (await self._users.rated(user, wanted.variant, wanted.speed))["rating"]
        self._admission.new_table(identity.id, self._admission.address(request))
        with self._admission.connection(request) as connection, self._hub.other() as lines:
            connection.belongs_to(identity.id)
            with self._parlour.people.watch(caller.token) as watch:
                watch.then(lines.end)
                seek = Seek(identity, body, rating, request, lines)
                if await self._seeks.pair(seek):
                    lines.end()
                else:
                    self._seeks.wait(seek)
                try:
                    return await lines.send(request, "text/plain")
                finally:
                    self._seeks.leave(seek)
