"""What a whole server has beside the API: the bots of the house, the dialects of other systems, the ladder."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from parlour.bots.house import House
from parlour.bots.players import ChessPlayer, HoldemPlayer
from parlour.ladder.ladder import Ladder
from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.chessmate import ChessMate
from parlour.protocols.dialect import Dialect
from parlour.protocols.dogker import Dogker
from parlour.protocols.gateau import Gateau
from parlour.protocols.lichess import Lichess
from parlour.server.access import forwarded
from parlour.server.access.admission import REQUEST_COST
from parlour.server.api.routing import STORE_READ
from parlour.server.site import Site
from parlour.tables.counted import LADDER
from parlour.tables.errors import Unavailable

TOGETHER = "dialects"
"""What the node owns that runs the dialects: all of them, since people of several may sit at one table."""
DIALECTS = web.AppKey("dialects", dict[str, Dialect])
"""The dialects that the application speaks, by name, for those that are given a port of their own."""


def employ_bots(app: web.Application, site: Site) -> None:
    """Let hosts seat bots of the house."""
    bots = site.config.bots
    chess = ChessPlayer(bots.engine, bots.engine_level, bots.engine_seconds)
    house = House(site.parlour, {"holdem": HoldemPlayer(), "chess": chess}, bots.pause, site.admission.house_players)
    site.parlour.employ(house)
    styles, ratings = house.styles(), {"chess": chess.ratings}
    site.game_cards = [
        msgspec.structs.replace(card, bots=styles.get(card.name, []), ratings=ratings.get(card.name, {}))
        for card in site.game_cards
    ]

    async def at_work(app: web.Application) -> AsyncIterator[None]:
        yield
        await house.close()
        await chess.close()

    app.cleanup_ctx.append(at_work)


def speak_dialects(app: web.Application, site: Site) -> None:
    """Serve each dialect under its name."""
    networks = [str(network) for network in site.config.callback_networks]
    dialects: list[Dialect] = [
        Gateau(site.parlour, site.admission, CallbackGuard(networks), tournaments=site.tournaments),
        ChessMate(site.parlour, site.admission),
        Lichess(site.parlour, site.admission, _styles(site, "chess"), site.config.public_url),
        Dogker(site.parlour, site.admission),
    ]
    app[DIALECTS] = {dialect.name: dialect for dialect in dialects}

    async def start() -> None:
        for dialect in dialects:
            await dialect.start()

    async def stop() -> None:
        for dialect in dialects:
            await dialect.stop()

    async def listening(app: web.Application) -> AsyncIterator[None]:
        if site.peers is None:
            await start()
            yield
            await stop()
        else:
            async with site.peers.leading(TOGETHER, start, stop):
                yield

    for dialect in dialects:
        prefix = f"/{dialect.name}"
        app.add_subapp(prefix + "/", dialect_application(dialect, site, prefix))
    app.cleanup_ctx.append(listening)


def keep_ladder(app: web.Application, site: Site) -> None:
    """Let bots play rated matches while nobody else plays, where the operator wants it: at one node, if there are
    several."""
    rules = site.config.ladder
    if not rules.on:
        return

    def elsewhere() -> bool:
        """Whether decisions are made at tables of other nodes; who makes them is not known here."""
        return site.peers is not None and any(node.moves > 0 for node in site.peers.nodes() if not node.here)

    ladder = site.ladder = Ladder(site.parlour, {game: _styles(site, game) for game in rules.games}, rules, elsewhere)

    async def playing(app: web.Application) -> AsyncIterator[None]:
        if site.peers is None:
            await ladder.start()
            yield
            await ladder.stop()
        else:
            async with site.peers.leading(LADDER, ladder.start, ladder.stop):
                yield

    app.cleanup_ctx.append(playing)


def _styles(site: Site, game: str) -> list[str]:
    """How the bots of the house can play a game; in no way where there are none."""
    return next((list(card.bots) for card in site.game_cards if card.name == game), [])


def dialect_application(dialect: Dialect, site: Site, prefix: str = "") -> web.Application:
    """The application of a dialect, with the admission before every one of its handlers."""
    app = dialect.application()
    app[REQUEST_COST] = STORE_READ
    app.middlewares.append(site.admission.middleware)
    app.middlewares.append(_where_it_runs(dialect, site, prefix))
    app.on_response_prepare.append(site.admission.say_when)
    return app


def _where_it_runs(dialect: Dialect, site: Site, prefix: str) -> Middleware:
    """Has a request answered by the node that runs the dialects, where there are several."""

    @web.middleware
    async def where_it_runs(request: web.Request, handler: Handler) -> web.StreamResponse:
        peers = site.peers
        if peers is None:
            return await handler(request)
        is_forwarded = forwarded.caller(request) is not None
        if not is_forwarded:
            target = f"/{dialect.name}{request.raw_path.removeprefix(prefix)}"
            answer = await peers.forward(request, TOGETHER, target=target, repeatable=False)
            if answer is not None:
                return answer
        if await peers.leads(TOGETHER):
            return await handler(request)
        if is_forwarded:
            return web.Response(status=forwarded.MISDIRECTED)
        raise Unavailable("moving", "this is being taken up by another server; try again", retry_after=1)

    return where_it_runs
