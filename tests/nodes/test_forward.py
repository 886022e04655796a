"""A request that comes to one node is answered by another: whole answers, streams, tunnels, and what gets lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.typedefs import Handler
from harness.redis import RedisServer
from tests.patience import time_limit, until

from parlour.nodes import forward
from parlour.nodes.answering import Answering
from parlour.nodes.bus import Bus
from parlour.nodes.forward import Forwarder
from parlour.nodes.messages import NodeRequest
from parlour.server import Config, parse_limits
from parlour.server.access import forwarded
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.api import auth
from parlour.server.transport import entry
from parlour.tables.errors import Unavailable

from .conftest import SEAL
from .pretence import PretendedOwnership

NAME = "table:x"
BIG = bytes(range(256)) * 20_000


@dataclass
class Node:
    """A server with a few routes, all of which belong to the owner of one table."""

    ownership: PretendedOwnership
    bus: Bus
    forwarder: Forwarder
    answering: Answering
    url: str = ""
    done: list[str] = field(default_factory=list)
    repeatable: bool = True
    prefix: str = ""
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    missed: list[str] = field(default_factory=list)
    """Nodes of which something may have been missed, such as those that have just connected."""


Start = Callable[[str], Awaitable[Node]]


@pytest.fixture
async def start(bus_url: str, epoch: str) -> AsyncIterator[Start]:
    owners = {NAME: "bob"}
    others: list[Node] = []
    async with AsyncExitStack() as stack:

        async def start(name: str) -> Node:
            config = Config(limits=parse_limits(["all=off"]))
            admission, ownership, bus = (
                AdmissionAccounts(config),
                PretendedOwnership(name, owners),
                Bus(bus_url, name, SEAL),
            )
            answering = Answering(bus, ownership)
            node = Node(ownership, bus, Forwarder(bus, ownership, admission, config), answering)
            bus.on_gap(node.missed.append)

            @web.middleware
            async def to_owner(request: web.Request, handler: Handler) -> web.StreamResponse:
                if forwarded.caller(request) is None:
                    try:
                        answer = await node.forwarder.forward(
                            request, NAME, target=node.prefix + request.raw_path, repeatable=node.repeatable
                        )
                    except Unavailable as outage:
                        return web.Response(status=503, text=outage.code)
                    if answer is not None:
                        return answer
                elif not ownership.mine(NAME):
                    return web.Response(status=forwarded.MISDIRECTED)
                return await handler(request)

            async def echo(request: web.Request) -> web.Response:
                node.done.append((await request.read()).decode())
                answer = web.Response(
                    status=201,
                    text="|".join(
                        (name, admission.address(request), request.raw_path, request.headers["X-Of"], node.done[-1])
                    ),
                    headers={"X-Secure": str(auth.is_secure(request, config)), "X-Host": request.host},
                )
                answer.set_cookie("one", "1")
                answer.set_cookie("two", "2")
                return answer

            async def big(request: web.Request) -> web.StreamResponse:
                response = web.StreamResponse()
                await response.prepare(request)
                for place in range(0, len(BIG), 50_000):
                    await response.write(BIG[place : place + 50_000])
                return response

            async def lines(request: web.Request) -> web.StreamResponse:
                response = web.StreamResponse()
                await response.prepare(request)
                await response.write(b"first\n")
                await node.go_on.wait()
                await response.write(b"second\n")
                return response

            async def wait(request: web.Request) -> web.Response:
                node.done.append("begun")
                await node.go_on.wait()
                return web.Response(text=name)

            async def socket(request: web.Request) -> web.StreamResponse:
                speaking = web.WebSocketResponse()
                speaking.set_cookie("io", "session")
                await speaking.prepare(request)
                async for message in speaking:
                    if message.data == "bye":
                        break
                    await speaking.send_str(f"{name} heard {message.data}")
                return speaking

            async def cookie(request: web.Request) -> web.Response:
                response = web.Response()
                response.set_cookie("io", "session", path=request.path)
                return response

            app = web.Application(middlewares=[to_owner])
            app.router.add_get("/dialect/cookie", cookie)
            app.router.add_get("/cookie", cookie)
            app.router.add_route("*", "/echo", echo)
            app.router.add_get("/big", big)
            app.router.add_get("/lines", lines)
            app.router.add_get("/socket", socket)
            app.router.add_get("/wait", wait)
            app.router.add_get("/nothing", _nothing)
            runner = web.AppRunner(app, shutdown_timeout=1)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            port = await entry.listen(runner, admission, "127.0.0.1", 0)
            answering.start(await entry.listen_inside(runner, admission))
            stack.push_async_callback(answering.stop)
            await bus.start(epoch)
            stack.push_async_callback(bus.stop)
            # Who hears that it has connected repeats what was asked: here that comes before anything is asked.
            await until(lambda: bus.up and all(name in other.missed for other in others))
            others.append(node)
            node.url = f"http://127.0.0.1:{port}"
            return node

        yield start


async def _nothing(request: web.Request) -> web.Response:
    return web.Response(status=204)


async def test_the_owner_answers_with_the_clients_own_words(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob = await start("ann"), await start("bob")
    headers = {"X-Of": "the client", forwarded.HEADER: "guessed https 10.0.0.1", "Host": "play.example"}
    async with session.post(ann.url + "/echo?a=%26&b=ü", data="what was said", headers=headers) as answer:
        assert answer.status == 201
        assert await answer.text() == "bob|127.0.0.1|/echo?a=%26&b=%C3%BC|the client|what was said"
        assert answer.headers["X-Host"] == "play.example"
        assert answer.headers["X-Secure"] == "False"
        assert answer.headers["Content-Length"] == str(len(await answer.read()))
        assert [line.split(";")[0] for line in answer.headers.getall("Set-Cookie")] == ["one=1", "two=2"]
    assert (ann.done, bob.done) == ([], ["what was said"])
    async with session.get(ann.url + "/nothing") as answer:
        assert (answer.status, await answer.read()) == (204, b"")
    async with session.post(bob.url + "/echo", data="here", headers={"X-Of": "bob's own"}) as answer:
        assert (await answer.text()).startswith("bob|")
    await until(lambda: not len(ann.forwarder) and not bob.answering._answers)


async def test_cookies_of_a_dialect_at_a_port_of_its_own_lie_at_the_root_there(
    start: Start, session: aiohttp.ClientSession
) -> None:
    ann, _ = await start("ann"), await start("bob")
    ann.prefix = "/dialect"
    async with session.get(ann.url + "/cookie") as answer:
        assert answer.cookies["io"]["path"] == "/cookie"


@pytest.mark.slow
async def test_a_large_answer_comes_whole_through_losses(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob = await start("ann"), await start("bob")
    receive, lost = ann.bus._receive, []

    def lossy(to_all: bool, parcel) -> None:
        if not to_all and parcel.sender == "bob" and parcel.messages and parcel.number % 3 == 2:
            lost.append(parcel)
        else:
            receive(to_all, parcel)

    ann.bus._receive = lossy  # type: ignore[method-assign]
    async with session.get(ann.url + "/big") as answer:
        assert await answer.read() == BIG
    assert lost
    assert bob.bus.lost == 0


async def test_a_request_that_is_lost_is_repeated_and_carried_out_once(
    start: Start, session: aiohttp.ClientSession
) -> None:
    ann, bob = await start("ann"), await start("bob")
    ann.repeatable = False
    receive, lost = ann.bus._receive, []

    def lossy(to_all: bool, parcel) -> None:
        """The first answer is lost on its way."""
        if not to_all and parcel.sender == "bob" and parcel.messages and not lost:
            lost.append(parcel)
        else:
            receive(to_all, parcel)

    ann.bus._receive = lossy  # type: ignore[method-assign]
    async with session.post(ann.url + "/echo", data="once", headers={"X-Of": ""}) as answer:
        assert answer.status == 201
    assert bob.done == ["once"]
    assert lost


@pytest.mark.parametrize("alive", [True, False])
async def test_a_request_whose_loss_nobody_noticed_does_not_wait_for_ever(
    start: Start, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch, alive: bool
) -> None:
    monkeypatch.setattr(forward, "REPEAT_AFTER", 0.2)
    ann, bob = await start("ann"), await start("bob")
    ann.repeatable = False
    asked = bob.bus._handlers[NodeRequest]
    bob.bus.on(NodeRequest, lambda sender, request: bob.bus.on(NodeRequest, asked))  # the first one comes to nothing
    if not alive:
        monkeypatch.setattr(ann.ownership, "alive", lambda: {"ann"})
    async with session.post(f"{ann.url}/echo", data="once", headers={"X-Of": "Ann"}) as answer:
        assert answer.status == (201 if alive else 503)
    assert bob.done == (["once"] if alive else [])


async def test_a_stream_comes_as_it_is_written(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob = await start("ann"), await start("bob")
    async with session.get(ann.url + "/lines") as answer:
        assert await answer.content.readline() == b"first\n"
        bob.go_on.set()
        assert await answer.content.read() == b"second\n"


async def test_a_client_who_goes_away_is_let_go_of_at_the_owner(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob = await start("ann"), await start("bob")
    async with session.ws_connect(ann.url + "/socket") as socket:
        await socket.send_str("hello")
        await socket.receive()
        assert len(bob.answering._answers) == 1
    await until(lambda: not bob.answering._answers)


async def test_a_websocket_is_tunnelled(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob = await start("ann"), await start("bob")
    async with session.ws_connect(ann.url + "/socket") as socket:
        assert socket._response.cookies["io"].value == "session"
        for number in range(100):
            await socket.send_str(f"{number}" * 1000)
        for number in range(100):
            assert await socket.receive_str() == f"bob heard {number}" + f"{number}" * 999
        await socket.send_str("bye")
        assert (await socket.receive()).type == aiohttp.WSMsgType.CLOSE
    await until(lambda: not len(ann.forwarder) and not bob.answering._answers)


async def test_a_tunnel_that_is_cut_off_leaves_no_task(start: Start, session: aiohttp.ClientSession) -> None:
    """As where the server stops, which cancels what it handles."""
    ann, _ = await start("ann"), await start("bob")
    plain, handling = ann.forwarder.forward, []

    async def noted(*args: Any, **options: Any) -> web.StreamResponse | None:
        handling.append(asyncio.current_task())
        return await plain(*args, **options)

    ann.forwarder.forward = noted  # type: ignore[method-assign]
    async with session.ws_connect(ann.url + "/socket") as socket:
        await socket.send_str("hello")
        await socket.receive()
        assert handling[0] is not None
        handling[0].cancel()
        await until(lambda: not len(ann.forwarder))
    await asyncio.sleep(0)
    waiting = [task for task in asyncio.all_tasks() if "_Exchange.next" in repr(task.get_coro())]
    assert not waiting


async def test_a_refused_handshake_is_told(start: Start, session: aiohttp.ClientSession) -> None:
    ann, _ = await start("ann"), await start("bob")
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await session.ws_connect(ann.url + "/echo", headers={"X-Of": "nobody"})
    assert refused.value.status == 201


async def test_the_next_owner_is_asked_where_the_first_says_no(start: Start, session: aiohttp.ClientSession) -> None:
    ann, bob, cid = await start("ann"), await start("bob"), await start("cid")
    ann.repeatable = False  # nothing was done, so that makes no difference
    ann.ownership.owners = {NAME: "bob"}
    bob.ownership.owners[NAME] = "cid"
    forget = ann.ownership.forget

    def look_again(name: str) -> None:
        forget(name)
        ann.ownership.owners = bob.ownership.owners

    ann.ownership.forget = look_again  # type: ignore[method-assign]
    async with session.post(ann.url + "/echo", data="x", headers={"X-Of": ""}) as answer:
        assert (await answer.text()).startswith("cid|")
    assert (bob.done, cid.done) == ([], ["x"])
    assert ann.ownership.forgotten == [NAME]


@pytest.mark.parametrize("repeatable", [True, False])
async def test_an_owner_that_dies_meanwhile(start: Start, session: aiohttp.ClientSession, repeatable: bool) -> None:
    """What may be repeated is asked of the next owner, which may be the node itself; else nobody knows."""
    ann, bob = await start("ann"), await start("bob")
    ann.repeatable = repeatable
    ann.go_on.set()
    asking = asyncio.ensure_future(session.get(ann.url + "/wait"))
    await until(lambda: bob.done == ["begun"])
    ann.ownership.owners[NAME] = "ann"
    ann.ownership.bury("bob")
    async with time_limit():
        answer = await asking
    assert (answer.status, await answer.text()) == ((200, "ann") if repeatable else (503, "owner_away"))


async def test_an_owner_that_is_not_there_and_never_comes(
    start: Start, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.nodes.forward.PATIENCE", 0.2)
    ann = await start("ann")
    async with session.get(ann.url + "/nothing") as answer:
        assert (answer.status, await answer.text()) == (503, "owner_away")


async def test_without_redis_what_is_owned_elsewhere_is_refused_and_the_rest_goes_on(
    start: Start, session: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    ann, bob = await start("ann"), await start("bob")
    waiting = asyncio.ensure_future(session.get(ann.url + "/wait"))
    await until(lambda: bob.done == ["begun"])
    redis_server.kill()
    async with time_limit():
        assert (await waiting).status == 503
    await until(lambda: not ann.bus.up and not bob.bus.up)
    async with session.get(ann.url + "/nothing") as answer:
        assert (answer.status, await answer.text()) == (503, "bus_down")
    async with session.get(bob.url + "/nothing") as answer:
        assert answer.status == 204
    redis_server.start()
    await until(lambda: ann.bus.up and bob.bus.up)
    async with session.get(ann.url + "/nothing") as answer:
        assert answer.status == 204


async def test_a_stream_goes_on_when_redis_returns(
    start: Start, session: aiohttp.ClientSession, redis_server: RedisServer
) -> None:
    ann, bob = await start("ann"), await start("bob")
    async with session.get(ann.url + "/lines") as answer:
        assert await answer.content.readline() == b"first\n"
        redis_server.kill()
        await until(lambda: not ann.bus.up and not bob.bus.up)
        bob.go_on.set()
        redis_server.start()
        assert await answer.content.read() == b"second\n"
