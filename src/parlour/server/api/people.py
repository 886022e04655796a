"""Identities: to get one, to change it, to take it to another device, to sign a device out."""

from __future__ import annotations

import msgspec
from aiohttp import web

from parlour.server.access.addresses import shortened
from parlour.server.api import auth
from parlour.server.api.devices import device_name
from parlour.server.api.people_schema import (
    IdentityChange,
    IssuedIdentity,
    Me,
    NewIdentity,
    Redemption,
    Session,
    Ticket,
    Transfer,
    TransferCode,
)
from parlour.server.api.problems import Fault
from parlour.server.api.routing import PUBLIC_ID, STORE_READ, STORE_WRITE, Access, ApiCall, Routes
from parlour.tables import Identity
from parlour.tables.errors import Busy
from parlour.tables.people import TRANSFER_LASTS, Device

routes = Routes("people")


def _me(identity: Identity) -> Me:
    return Me(id=identity.id, name=identity.name, avatar=identity.avatar, bot=identity.bot)


def _issued(call: ApiCall, identity: Identity, token: str) -> web.Response:
    """The answer that tells a token: in the body for a program, in a cookie for a browser, in no cache."""
    answer = IssuedIdentity(id=identity.id, name=identity.name, avatar=identity.avatar, bot=identity.bot, token=token)
    response = web.Response(status=201, body=msgspec.json.encode(answer), content_type="application/json")
    _set_cookie(call, response, token)
    return response


def _set_cookie(call: ApiCall, response: web.Response, token: str) -> None:
    auth.set_cookie(call.request, response, call.site.config, token, call.site.parlour.people.token_days)


async def _before_issue(call: ApiCall) -> None:
    """Note when the first bound cookie is given, before the session of that cookie begins."""
    if auth.is_secure(call.request, call.site.config):
        await call.site.parlour.people.bound_cookies_since()


def _renewing(call: ApiCall, answer: Me | Session) -> web.Response:
    """The answer, with which a browser's cookie is good for its full time again, under the name that it has by now."""
    response = web.Response(body=msgspec.json.encode(answer), content_type="application/json")
    token = auth.token(call.request)
    if call.identity is not None and token is not None and auth.by_cookie(call.request):
        _set_cookie(call, response, token)
    return response


def _device(call: ApiCall) -> str:
    return device_name(call.request.headers.get("User-Agent", ""))


@routes.add(
    "POST",
    "/api/v1/identities",
    access=Access.ANYONE,
    body=NewIdentity,
    answer=IssuedIdentity,
    status=201,
    cost=STORE_WRITE,
)
async def create(call: ApiCall) -> web.Response:
    """Get an identity. Keep the token: it is told once. A browser gets it as a cookie as well."""
    call.site.admission.newcomer(call.address)
    await _before_issue(call)
    body = call.body
    identity, token = await call.site.parlour.create_identity(body.name, body.avatar, body.bot, _device(call))
    return _issued(call, identity, token)


@routes.add(
    "POST",
    "/api/v1/identities/preview",
    access=Access.ANYONE,
    body=TransferCode,
    answer=Me,
    refusals=(404,),
    cost=STORE_READ,
)
async def preview(call: ApiCall) -> Me:
    """Whose the code of a one-time link is, to ask before it is used. Nothing changes by it."""
    with call.site.admission.guess(call.address):
        return _me(await call.site.parlour.people.behind(call.body.code))


@routes.add(
    "POST",
    "/api/v1/identities/redeem",
    access=Access.ANYONE,
    body=Redemption,
    answer=IssuedIdentity,
    status=201,
    refusals=(404, 409),
    cost=STORE_WRITE,
)
async def redeem(call: ApiCall) -> web.Response:
    """Take over an identity from another device, with the code of a one-time link. That device keeps its own token.

    A browser in which somebody else is signed in has to say that it replaces them: 409 `signed_in` without. They are
    signed out on it then.
    """
    call.site.admission.newcomer(call.address)  # a token is kept as long as an identity
    await _before_issue(call)
    people, before = call.site.parlour.people, None
    old = auth.token(call.request) if auth.by_cookie(call.request) else None
    with call.site.admission.guess(call.address):
        if old is not None and (before := await call.site.caller(call.request)) is not None and not call.body.replace:
            whose = await people.behind(call.body.code)
            if whose.id != before.id:
                raise Busy("signed_in", f"{before.name} is signed in here; to take over {whose.name}, send 'replace'")
        identity, token = await call.site.parlour.redeem(call.body.code, _device(call))
    if old is not None and before is not None:
        await people.give_up(old)
    call.site.parlour.security.note("transfer", shortened(call.address), identity)
    return _issued(call, identity, token)


@routes.add("GET", "/api/v1/me", answer=Me)
async def me(call: ApiCall) -> web.Response:
    """Who you are. A browser's cookie is good for its full time again."""
    return _renewing(call, _me(call.caller))


@routes.add("GET", "/api/v1/session", access=Access.KNOWN_OR_NOT, answer=Session)
async def session(call: ApiCall) -> web.Response:
    """Who you are, or null for somebody without an identity: what a page asks first. Renews the cookie, as above."""
    token = auth.token(call.request)
    if call.identity is None or token is None:
        return _renewing(call, Session(me=None))
    ends, renewable = call.site.parlour.people.ends(token) or (None, False)
    return _renewing(call, Session(_me(call.identity), ends, renewable))


@routes.add("POST", "/api/v1/me/session", answer=IssuedIdentity, status=201, cost=STORE_WRITE)
async def renew(call: ApiCall) -> web.Response:
    """Begin the session on this device anew, with a new token. Then revoke the one that you had: it is good until then.

    A session of a person ends after 400 days, or as the operator chose, however often it is used.
    """
    call.site.admission.newcomer(call.address)  # a token is kept as long as an identity
    await _before_issue(call)
    return _issued(call, call.caller, await call.site.parlour.people.renew(call.caller, _device(call)))


@routes.add("PATCH", "/api/v1/me", body=IdentityChange, answer=Me, cost=STORE_WRITE)
async def change_me(call: ApiCall) -> Me:
    """Change your name or avatar."""
    call.site.admission.personal_command(call.caller.id)
    return _me(await call.site.parlour.rename(call.caller, call.body.name, call.body.avatar))


@routes.add("POST", "/api/v1/me/transfer", answer=Transfer, status=201, cost=STORE_WRITE)
async def transfer(call: ApiCall) -> Transfer:
    """Get a one-time link that opens your identity on another device, good for ten minutes.

    It takes the place of the one before: only the newest is good.
    """
    call.site.admission.personal_command(call.caller.id)
    parlour = call.site.parlour
    code = await parlour.transfer(call.caller)
    link = f"{auth.base_url(call.request, call.site.config)}/transfer#{code}"
    return Transfer(code=code, link=link, expires=parlour.clock.now() + TRANSFER_LASTS)


@routes.add("POST", "/api/v1/me/ticket", answer=Ticket, status=201)
async def ticket(call: ApiCall) -> Ticket:
    """Get a ticket that opens one socket within 30 seconds, for clients that can set no header on a WebSocket."""
    call.site.admission.personal_command(call.caller.id)
    token = auth.token(call.request)
    if token is None:
        raise Fault(401, "A ticket needs an identity.")
    return Ticket(ticket=await call.site.tickets.issue(token))


@routes.add("GET", "/api/v1/me/tokens", answer=list[Device])
async def tokens(call: ApiCall) -> list[Device]:
    """The devices on which you are signed in, each with a token of its own."""
    return await call.site.parlour.people.devices(call.caller.id, auth.token(call.request))


@routes.add("DELETE", "/api/v1/me/tokens", answer=list[Device], cost=STORE_WRITE)
async def revoke_other_tokens(call: ApiCall) -> list[Device]:
    """Sign out all your other devices: their tokens are void and their sockets are closed. Gives what is left."""
    call.site.admission.personal_command(call.caller.id)
    people, token = call.site.parlour.people, auth.token(call.request)
    await people.revoke_others(call.caller.id, token)
    call.site.parlour.security.note("signed out", shortened(call.address), call.caller, "all other devices")
    return await people.devices(call.caller.id, token)


@routes.add("DELETE", f"/api/v1/me/tokens/{{token:{PUBLIC_ID}}}", answer=list[Device], cost=STORE_WRITE)
async def revoke_token(call: ApiCall) -> web.Response:
    """Sign out one of your devices, or this one. Gives what is left."""
    call.site.admission.personal_command(call.caller.id)
    people, token = call.site.parlour.people, auth.token(call.request)
    await people.revoke(call.caller.id, call.request.match_info["token"])
    call.site.parlour.security.note("signed out", shortened(call.address), call.caller, "one device")
    left = await people.devices(call.caller.id, token)
    response = web.Response(body=msgspec.json.encode(left), content_type="application/json")
    if not any(device.current for device in left):
        auth.drop_cookie(call.request, response, call.site.config)
    return response
