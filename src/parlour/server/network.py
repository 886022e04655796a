"""Where the server can be reached on this network, in words and as a QR code."""

from __future__ import annotations

import asyncio
import io
import socket

ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - names the wildcard, does not bind it


def lan_address() -> str | None:
    """This machine's address on the local network, as the operating system would route it. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: a datagram socket only looks up the route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith(("127.", "0.")) else address


async def ipv4_address(host: str) -> str:
    """The IPv4 address of a host that is named or given as one: servers are announced under it. OSError without one."""
    found = await asyncio.get_running_loop().getaddrinfo(host, None, family=socket.AF_INET, type=socket.SOCK_DGRAM)
    return str(found[0][4][0])


def addresses(host: str, port: int) -> list[str]:
    """The URLs under which the server answers: first the one to give to others."""
    if host not in ANY_HOST:
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}"]
    lan = lan_address()
    return [f"http://{lan}:{port}"] * bool(lan) + [f"http://localhost:{port}"]


def qr_text(url: str) -> str:
    """The URL as a QR code out of block characters."""
    import segno

    out = io.StringIO()
    segno.make(url, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
