"""What stands beside the API in a whole house: the bots of the house, and the dialects of older systems."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from aiohttp import web

from parlour.bots.house import House
from parlour.bots.players import ChessPlayer, HoldemPlayer
from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.chessmate import ChessMate
from parlour.protocols.dialect import Admit, Dialect
from parlour.protocols.dogker import Dogker
from parlour.protocols.gateau import Gateau
from parlour.server import auth
from parlour.server.site import Site

DIALECTS = web.AppKey("dialects", dict[str, Dialect])
"""The dialects that the application speaks, by name, for those that are given a port of their own."""


def employ_bots(app: web.Application, site: Site) -> None:
    """Let hosts seat bots of the house."""
    chess = ChessPlayer()
    house = House(site.parlour, {"holdem": HoldemPlayer(), "chess": chess})
    site.parlour.employ(house)
    styles = house.styles()
    site.game_cards = [msgspec.structs.replace(card, bots=styles.get(card.name, [])) for card in site.game_cards]

    async def at_work(app: web.Application) -> AsyncIterator[None]:
        yield
        await house.close()
        chess.close()

    app.cleanup_ctx.append(at_work)


def speak_dialects(app: web.Application, site: Site) -> None:
    """Serve each dialect under its name."""
    admit = _door(site)
    networks = [str(network) for network in site.config.callback_networks]
    dialects: list[Dialect] = [
        Gateau(site.parlour, admit, CallbackGuard(networks)),
        ChessMate(site.parlour, admit),
        Dogker(site.parlour, admit),
    ]
    app[DIALECTS] = {dialect.name: dialect for dialect in dialects}

    async def listening(app: web.Application) -> AsyncIterator[None]:
        for dialect in dialects:
            await dialect.start()
        yield
        for dialect in dialects:
            await dialect.stop()

    for dialect in dialects:
        app.add_subapp(f"/{dialect.name}/", dialect.application())
    app.cleanup_ctx.append(listening)


def _door(site: Site) -> Admit:
    """The limits of the API hold for the dialects as well."""

    def admit(request: web.Request, newcomer: bool = False) -> str:
        address = auth.address(request, site.config)
        site.guard.requests.check(address)
        if newcomer:
            site.guard.identities.check(address)
        return address

    return admit
