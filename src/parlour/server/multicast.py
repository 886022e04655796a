"""Servers on the local network: each says that it is there, and anybody can look around (zeroconf)."""

from __future__ import annotations

import asyncio
import socket

from zeroconf import DNSQuestionType, Error, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from parlour.server.discovery import Server, url_of

SERVICE = "_parlour._tcp.local."
ANSWER_MS = 1_000
NAME_LENGTH = 60
"""Characters of a name that are told and shown: a property has at most 255 bytes."""

ASK = DNSQuestionType.QM
"""Answers go to everybody: programs of a machine share the port, and an answer to it alone reaches only one of them."""


class Announcer:
    """Says on the network that a server is here, until it is closed."""

    def __init__(self, name: str, port: int, version: str, address: str) -> None:
        self._address = address
        place = f"{address.replace('.', '-')}-{port}"  # most servers have the usual name and port: no two are the same
        self._info = AsyncServiceInfo(
            SERVICE,
            f"{_label(name)}-{place}.{SERVICE}",
            addresses=[socket.inet_aton(self._address)],
            port=port,
            properties={"name": name[:NAME_LENGTH], "version": version},
            server=f"parlour-{place}.local.",
        )
        self._zeroconf: AsyncZeroconf | None = None

    async def start(self) -> None:
        """OSError where the network does not take the announcement."""
        self._zeroconf = AsyncZeroconf(interfaces=[self._address])
        try:
            await (await self._zeroconf.async_register_service(self._info))
        except Error as error:
            await self.close()
            raise OSError(f"{self._info.name} cannot be announced: {type(error).__name__}") from error

    async def close(self) -> None:
        if self._zeroconf is not None:
            await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()
            self._zeroconf = None


def _label(name: str) -> str:
    """A service label has no dots and at most 63 bytes, and address and port are to fit in."""
    return name.replace(".", " ").encode()[:40].decode(errors="ignore").strip() or "Parlour"


async def browse(seconds: float, interface: str) -> list[Server]:
    """The servers that answer within this time on the network of this interface, by name."""
    found: dict[str, Server] = {}
    asking: set[asyncio.Task[None]] = set()
    zeroconf = AsyncZeroconf(interfaces=[interface])

    def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Added:
            task = asyncio.ensure_future(ask(service_type, name))
            asking.add(task)
            task.add_done_callback(asking.discard)

    async def ask(service_type: str, name: str) -> None:
        info = AsyncServiceInfo(service_type, name)
        if await info.async_request(zeroconf.zeroconf, ANSWER_MS, ASK) and (server := _read(info)):
            found[name] = server

    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed], question_type=ASK)
    try:
        await asyncio.sleep(seconds)
        if asking:
            await asyncio.wait(asking, timeout=ANSWER_MS / 1000)
    finally:
        await browser.async_cancel()
        await zeroconf.async_close()
    return sorted(found.values())


def _read(info: AsyncServiceInfo) -> Server | None:
    """What another server says of itself; what it says wrongly is left out."""
    addresses = info.parsed_addresses()
    if not addresses or not info.port:
        return None
    said = {
        key.decode(errors="replace"): (value or b"").decode(errors="replace") for key, value in info.properties.items()
    }
    return Server(
        name=said.get("name", "")[:NAME_LENGTH] or "Parlour",
        url=url_of(addresses[0], info.port),
        version=said.get("version", "")[:20],
    )
