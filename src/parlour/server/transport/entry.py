"""Where TCP connections come in: those over the limits are ended before anything is read from them."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from parlour.server.access.admission import AdmissionAccounts
from parlour.server.monitoring import logs

KEEP_ALIVE_SECONDS = 75.0
"""How long a connection may be idle, or take to send the head of a request; longer than proxies keep theirs."""
STALL_SECONDS = 60.0
"""How long a reader may leave an answer standing before the connection is cut."""
UNREAD_BYTES = 64 * 1024
"""What the system keeps of a connection that is not read; left to itself it would keep megabytes of each."""
BACKLOG = 1024
LOOPBACK = "127.0.0.1"


async def listen(runner: web.BaseRunner, admission: AdmissionAccounts, host: str, port: int) -> int:
    """Serve what the runner has set up; the port, where a free one was taken."""
    await _Site(runner, admission, host, port).start()
    return int(runner.addresses[0][1])


async def listen_inside(runner: web.BaseRunner, admission: AdmissionAccounts) -> int:
    """Serve what this process asks itself for other nodes, which have admitted it: at a free port of loopback."""
    site = _Site(runner, admission, LOOPBACK, 0, inside=True)
    await site.start()
    return site.bound


class _Site(web.BaseSite):
    """A listening socket whose connections pass the admission first, but where they come from inside."""

    __slots__ = ("_admission", "_host", "_inside", "_port", "bound")

    def __init__(
        self, runner: web.BaseRunner, admission: AdmissionAccounts, host: str, port: int, *, inside: bool = False
    ) -> None:
        super().__init__(runner, backlog=BACKLOG)
        self._admission = admission
        self._inside = inside
        self.bound = port
        self._host = host
        self._port = port

    @property
    def name(self) -> str:
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        await super().start()
        server = self._runner.server
        assert server is not None
        self._server = await asyncio.get_running_loop().create_server(
            (lambda: HttpConnection(server, self._admission, None))
            if self._inside
            else (lambda: _Newcomer(server, self._admission)),
            self._host,
            self._port,
            backlog=self._backlog,
        )
        self.bound = self._server.sockets[0].getsockname()[1]
        for listening in self._server.sockets:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES)


class _Newcomer(asyncio.Protocol):
    """A connection that has just been made. It speaks HTTP once it is admitted: to set that up costs most of it."""

    __slots__ = ("_admission", "_server")

    def __init__(self, server: web.Server, admission: AdmissionAccounts) -> None:
        self._server = server
        self._admission = admission

    def connection_made(self, transport: Any) -> None:  # a Transport, but uvloop's is none by its type
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        if not self._admission.accepts(address):
            transport.abort()
            return
        connection = HttpConnection(self._server, self._admission, address)
        transport.set_protocol(connection)
        connection.connection_made(transport)


class HttpConnection(web.RequestHandler):
    """An admitted connection. It is cut where its reader does not take what was sent."""

    __slots__ = ("_address", "_admission", "_stalled")

    def __init__(self, server: web.Server, admission: AdmissionAccounts, address: str | None) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]
            keepalive_timeout=KEEP_ALIVE_SECONDS,
            auto_decompress=False,  # a parser that unpacks does so while bytes arrive, before anything can refuse them
        )
        self._admission = admission
        self._address = address
        self._stalled: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None and self.transport is not None:
            self._stalled = asyncio.get_running_loop().call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._wait_no_longer()

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._wait_no_longer()
        if self._address is not None:
            self._admission.hung_up(self._address)
            self._address = None

    def handle_error(self, *args: Any, **options: Any) -> web.StreamResponse:
        """The answer to what is no HTTP, which no application sees."""
        if self._address is not None:
            self._admission.no_request(self._address)
        response = super().handle_error(*args, **options)
        response.headers["Server"] = ""  # or it would name the versions of Python and of aiohttp
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    def log_exception(self, *args: Any, exc_info: BaseException | None = None, **options: Any) -> None:
        """Of a fault only its place is logged. Bytes that are no HTTP are the sender's fault, and are told to nobody:
        there may be a token among them."""
        if exc_info is not None and not isinstance(exc_info, HttpProcessingError | web.RequestPayloadError):
            logs.fault(exc_info, "connection")

    def _wait_no_longer(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
