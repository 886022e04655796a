"""Where the server may be sent to: the guard in front of every callback URL.

A client may point the server only at itself, the address that it registers from, or at networks that the operator
lists. The name is resolved once, every address it has is checked, and the connection goes to the checked address: a
name that answers differently the next time gains nothing. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

MAX_URL = 512
CONNECT_SECONDS = 2.0
TOTAL_SECONDS = 5.0
CHALLENGE_SECONDS = 5.0

# Translation prefixes reach an IPv4 address by another name, which would slip past a check of the name alone.
TRANSLATED = tuple(
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
)


class CallbackRefused(ValueError):
    """The address is not one that the server may call; the message says why."""


@dataclass(frozen=True)
class Callback:
    """A checked destination: requests go to `address`, whatever its name resolves to later."""

    url: str
    host: str
    port: int
    address: str


async def resolve_with_system(host: str, port: int) -> Sequence[str]:
    """All addresses of a name, by the operating system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def canonical(text: str) -> Address:
    """An address in its plain form: an IPv4 address in IPv6 clothes is the IPv4 address."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


class CallbackGuard:
    """Decides which callback URLs are allowed."""

    def __init__(self, allowed: Sequence[str] = (), resolve: Resolve = resolve_with_system) -> None:
        self._allowed: list[Network] = [ipaddress.ip_network(net) for net in allowed]
        self._resolve = resolve

    async def check(self, url: str, caller: str) -> Callback:
        """The destination that `url` names, if a client at `caller` may name it."""
        scheme, host, port = self._parse(url)
        try:
            literal = ipaddress.ip_address(host)
        except ValueError:
            if re.fullmatch(r"[0-9.]+|(.*\.)?0x[0-9a-f]*", host, re.IGNORECASE):
                raise CallbackRefused("the address is written in an unusual form") from None
            addresses = await self._look_up(host, port)
        else:
            addresses = [str(literal)]
        for address in addresses:
            self._check_address(address, caller)
        own = [address for address in addresses if canonical(address) == canonical(caller)]
        name = f"[{host}]" if ":" in host else host
        path = urlsplit(url).path.rstrip("/")
        return Callback(f"{scheme}://{name}:{port}{path}", host, port, str(canonical([*own, *addresses][0])))

    def _parse(self, url: str) -> tuple[str, str, int]:
        if len(url) > MAX_URL or re.search(r"[\s\\\x00-\x20\x7f]", url) or not url.isascii():
            raise CallbackRefused("the address is too long or has characters that do not belong there")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise CallbackRefused("the address is malformed") from None
        if parts.scheme not in ("http", "https"):
            raise CallbackRefused("the address must start with http:// or https://")
        if "@" in parts.netloc:
            raise CallbackRefused("the address must not have a user name in it")
        if parts.query or parts.fragment or "?" in url or "#" in url:
            raise CallbackRefused("the address must not have a query or a fragment")
        host = parts.hostname
        if not host or "%" in host or host.endswith("."):
            raise CallbackRefused("the address names no host")
        if port is None:
            port = 443 if parts.scheme == "https" else 80
        if port != 80 and port != 443 and not 1024 <= port <= 65535:
            raise CallbackRefused("the port must be 80, 443 or 1024 to 65535")
        return parts.scheme, host, port

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                addresses = await self._resolve(host, port)
        except (OSError, TimeoutError, UnicodeError):
            addresses = []
        if not addresses:
            raise CallbackRefused("the address cannot be resolved")
        return addresses

    def _check_address(self, text: str, caller: str) -> None:
        raw = ipaddress.ip_address(text.partition("%")[0])
        address = canonical(text)
        if (
            address.is_multicast
            or address.is_unspecified
            or address.is_link_local
            or str(address) == "255.255.255.255"
            or ("%" in text)
            or (raw.version == 6 and raw.ipv4_mapped is not None)
            or (address.version == 6 and str(address) != "::1" and any(address in net for net in TRANSLATED))
        ):
            raise CallbackRefused("the server does not call addresses of this kind")
        here = canonical(caller)
        if address == here or (address.is_loopback and here.is_loopback):
            return
        if any(address in net for net in self._allowed if net.version == address.version):
            return
        raise CallbackRefused("the server calls you back only at the address that you register from")


class _Pinned(AbstractResolver):
    """Answers every look-up with the address that was checked."""

    def __init__(self, callback: Callback) -> None:
        self._callback = callback

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        address = self._callback.address
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        return


def session_for(callback: Callback) -> aiohttp.ClientSession:
    """A session that can reach the checked destination and nothing else. The caller closes it."""
    connector = aiohttp.TCPConnector(resolver=_Pinned(callback), limit=1, use_dns_cache=False)
    timeout = aiohttp.ClientTimeout(total=TOTAL_SECONDS, connect=CONNECT_SECONDS)
    return aiohttp.ClientSession(
        connector=connector,
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,  # nothing of an answer is read but its head
    )


async def answers(callback: Callback, path: str) -> bool:
    """Whether an HTTP server answers there, whatever it answers: asked before anything secret is sent.

    A closed port, an open one that speaks something else and one that is silent take the same time, so that the answer
    tells none of them from another.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + CHALLENGE_SECONDS
    try:
        async with (
            asyncio.timeout_at(until),
            session_for(callback) as session,
            session.get(callback.url + path, allow_redirects=False),
        ):
            return True
    except (aiohttp.ClientError, OSError, TimeoutError):
        await asyncio.sleep(until - loop.time())
        return False
