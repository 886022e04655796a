"""The other servers on the local network, as this one last found them."""

from __future__ import annotations

import asyncio
import time

import msgspec

LISTEN_SECONDS = 1.5
FRESH_SECONDS = 15.0


class Server(msgspec.Struct, frozen=True, order=True):
    """A server that was found."""

    name: str
    url: str
    version: str


class Neighbourhood:
    """The other servers around, asked for at most every few seconds however many people look."""

    def __init__(self, interface: str, own_port: int) -> None:
        self._interface = interface
        self._own_url = url_of(interface, own_port)
        self._known: list[Server] = []
        self._asked = float("-inf")
        self._asking = asyncio.Lock()

    async def servers(self) -> list[Server]:
        async with self._asking:
            from parlour.server.multicast import browse  # zeroconf is loaded when somebody looks around

            if time.monotonic() - self._asked > FRESH_SECONDS:
                try:
                    found = await browse(LISTEN_SECONDS, self._interface)
                    self._known = [server for server in found if server.url != self._own_url]
                except OSError:  # a machine without multicast has no neighbours
                    self._known = []
                self._asked = time.monotonic()
            return self._known


def url_of(address: str, port: int) -> str:
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
