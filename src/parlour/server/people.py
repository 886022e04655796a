"""Identities: to get one, to change it, to take it to another device."""

from __future__ import annotations

import msgspec
from aiohttp import web

from parlour.server import auth
from parlour.server.problems import Fault
from parlour.server.routing import Access, Call, Routes
from parlour.server.schema import (
    IdentityChange,
    IssuedIdentity,
    Me,
    NewIdentity,
    Redemption,
    Ticket,
    Transfer,
)
from parlour.tables import Identity
from parlour.tables.people import TRANSFER_LASTS

routes = Routes("people")


def _me(identity: Identity) -> Me:
    return Me(id=identity.id, name=identity.name, avatar=identity.avatar)


def _issued(call: Call, identity: Identity, token: str) -> web.Response:
    """The answer that tells a token: in the body for a program, in a cookie for a browser, in no cache."""
    answer = IssuedIdentity(id=identity.id, name=identity.name, avatar=identity.avatar, token=token)
    response = web.Response(status=201, body=msgspec.json.encode(answer), content_type="application/json")
    auth.set_cookie(call.request, response, call.site.config, token)
    return response


@routes.add("POST", "/api/v1/identities", access=Access.ANYONE, body=NewIdentity, answer=IssuedIdentity, status=201)
async def create(call: Call) -> web.Response:
    """Get an identity. Keep the token: it is told once. A browser gets it as a cookie as well."""
    call.site.admission.newcomer(call.address)
    identity, token = await call.site.parlour.create_identity(call.body.name, call.body.avatar)
    return _issued(call, identity, token)


@routes.add(
    "POST",
    "/api/v1/identities/redeem",
    access=Access.ANYONE,
    body=Redemption,
    answer=IssuedIdentity,
    status=201,
    refusals=(404,),
)
async def redeem(call: Call) -> web.Response:
    """Take over an identity from another device, with the code of a one-time link. That device keeps its own token."""
    with call.site.admission.guess(call.address):
        identity, token = await call.site.parlour.redeem(call.body.code)
    return _issued(call, identity, token)


@routes.add("GET", "/api/v1/me", answer=Me)
async def me(call: Call) -> Me:
    """Who you are."""
    return _me(call.caller)


@routes.add("PATCH", "/api/v1/me", body=IdentityChange, answer=Me)
async def change_me(call: Call) -> Me:
    """Change your name or avatar."""
    call.site.admission.personal_command(call.caller.id)
    return _me(await call.site.parlour.rename(call.caller, call.body.name, call.body.avatar))


@routes.add("POST", "/api/v1/me/transfer", answer=Transfer, status=201)
async def transfer(call: Call) -> Transfer:
    """Get a one-time link that opens your identity on another device, good for ten minutes."""
    call.site.admission.personal_command(call.caller.id)
    parlour = call.site.parlour
    code = await parlour.transfer(call.caller)
    link = f"{auth.base_url(call.request, call.site.config)}/transfer#{code}"
    return Transfer(code=code, link=link, expires=parlour.clock.now() + TRANSFER_LASTS)


@routes.add("POST", "/api/v1/me/ticket", answer=Ticket, status=201)
async def ticket(call: Call) -> Ticket:
    """Get a ticket that opens one socket within 30 seconds, for clients that can set no header on a WebSocket."""
    call.site.admission.personal_command(call.caller.id)
    token = auth.token(call.request)
    if token is None:
        raise Fault(401, "A ticket needs an identity.")
    return Ticket(ticket=call.site.tickets.issue(token))
