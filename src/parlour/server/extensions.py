"""What stands beside the API in a whole house: the bots of the house, and the dialects of older systems."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from aiohttp import web

from parlour.bots.house import House
from parlour.bots.players import ChessPlayer, HoldemPlayer
from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.chessmate import ChessMate
from parlour.protocols.dialect import Dialect
from parlour.protocols.dogker import Dogker
from parlour.protocols.gateau import Gateau
from parlour.server.access.admission import REQUEST_COST
from parlour.server.api.routing import STORE_READ
from parlour.server.site import Site

DIALECTS = web.AppKey("dialects", dict[str, Dialect])
"""The dialects that the application speaks, by name, for those that are given a port of their own."""


def employ_bots(app: web.Application, site: Site) -> None:
    """Let hosts seat bots of the house."""
    bots = site.config.bots
    chess = ChessPlayer(bots.engine, bots.engine_level, bots.engine_seconds)
    house = House(site.parlour, {"holdem": HoldemPlayer(), "chess": chess}, bots.pause)
    site.parlour.employ(house)
    styles = house.styles()
    site.game_cards = [msgspec.structs.replace(card, bots=styles.get(card.name, [])) for card in site.game_cards]

    async def at_work(app: web.Application) -> AsyncIterator[None]:
        yield
        await house.close()
        await chess.close()

    app.cleanup_ctx.append(at_work)


def speak_dialects(app: web.Application, site: Site) -> None:
    """Serve each dialect under its name."""
    networks = [str(network) for network in site.config.callback_networks]
    dialects: list[Dialect] = [
        Gateau(site.parlour, site.admission, CallbackGuard(networks)),
        ChessMate(site.parlour, site.admission),
        Dogker(site.parlour, site.admission),
    ]
    app[DIALECTS] = {dialect.name: dialect for dialect in dialects}

    async def listening(app: web.Application) -> AsyncIterator[None]:
        for dialect in dialects:
            await dialect.start()
        yield
        for dialect in dialects:
            await dialect.stop()

    for dialect in dialects:
        app.add_subapp(f"/{dialect.name}/", dialect_application(dialect, site))
    app.cleanup_ctx.append(listening)


def dialect_application(dialect: Dialect, site: Site) -> web.Application:
    """The application of a dialect, with the admission before every one of its handlers."""
    app = dialect.application()
    app[REQUEST_COST] = STORE_READ
    app.middlewares.append(site.admission.middleware)
    app.on_response_prepare.append(site.admission.say_when)
    return app
