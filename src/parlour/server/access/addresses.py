"""Where a request comes from, and which addresses count as one caller."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

from aiohttp import web

from parlour.server.access import forwarded

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

IPV6_SITE = 64
"""Leading bits of an IPv6 address that name a site; the rest are its own to choose, 2^64 of them."""
IPV6_CUSTOMER = 48
"""Leading bits that name a customer of a provider, who may have 2^16 sites."""
IPV4_SHOWN, IPV6_SHOWN = 24, 48
"""Leading bits of an address that the operator is shown."""


@lru_cache(4096)
def parse(text: str) -> Address | None:
    """An address in its plain form, without a zone; an IPv4 address mapped into IPv6 is the IPv4 address."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


@lru_cache(4096)
def account_of(text: str) -> str:
    """The name under which an address is counted: an IPv6 address shares its account with its /64."""
    address = parse(text)
    if address is None:
        return text
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_SITE), strict=False))
    return str(address)


@lru_cache(4096)
def customer_of(account: str) -> str | None:
    """The IPv6 /48 that the account of a /64 is in; None for every other account."""
    if not account.endswith(f"/{IPV6_SITE}"):
        return None
    return str(ipaddress.ip_network(account).supernet(new_prefix=IPV6_CUSTOMER))


@lru_cache(4096)
def shortened(text: str) -> str:
    """An address as a log may keep it: the network that it is in, and not whose it is."""
    address = parse(text.partition("/")[0])
    if address is None:
        return "unknown"
    return str(ipaddress.ip_network((address, IPV4_SHOWN if address.version == 4 else IPV6_SHOWN), strict=False))


@lru_cache(4096)
def is_in(text: str, networks: tuple[Network, ...]) -> bool:
    address = parse(text)
    return address is not None and any(address in network for network in networks)


def of(request: web.BaseRequest, trusted: tuple[Network, ...]) -> str:
    """The caller's address: the last one in X-Forwarded-For that is no trusted proxy, if a trusted proxy asks."""
    elsewhere = forwarded.caller(request)
    if elsewhere is not None:
        return elsewhere.address
    peer = request.remote or ""
    if not trusted or not is_in(peer, trusted):
        return peer
    return _behind_proxies(peer, request.headers.getall("X-Forwarded-For", ()), trusted)


def _behind_proxies(peer: str, lines: Sequence[str], trusted: tuple[Network, ...]) -> str:
    """Walk from the end, where trusted proxies wrote, to the first address that they do not vouch for.

    All lines of the header are one list (RFC 9110, section 5.3): a client's own line stands before the proxy's.
    """
    for hop in reversed(",".join(lines).split(",")):
        address = _without_port(hop.strip())
        if parse(address) is None:
            break
        peer = address
        if not is_in(address, trusted):
            break
    return peer


def _without_port(hop: str) -> str:
    """Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
