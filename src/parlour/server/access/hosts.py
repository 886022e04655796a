"""The names under which the server may be asked for.

A page of the web whose own name was made to lead to this machine (DNS rebinding) asks under that name, and counts as a
page of ours wherever only names are compared. So a name that is not ours is refused. An address is no name, and nobody
outside of a local network can make `localhost` or a name under `.local` lead anywhere.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from aiohttp import web

from parlour.server.access import addresses
from parlour.tables.errors import BadRequest, Misdirected

HOST_LIMIT = 255
"""Characters of a Host header; no name is longer."""
ANY = "*"
"""In place of names: the server answers to every name."""
LOCAL = ("localhost", "local")
"""Names that end so belong to this machine or its network (RFC 6761 and 6762)."""
REMEMBERED = 1000
"""Spellings that were found good, with and without ports, before they are forgotten."""
_FORM = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.%]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::\d{0,5})?")


def read_names(texts: Iterable[str]) -> frozenset[str]:
    """Names of hosts in one spelling, or `*`. ValueError for what is none."""
    for text in texts:
        if text != ANY and (_name_in(text) is None or len(text) > HOST_LIMIT):
            raise ValueError(f"{text!r} is no host name, such as play.example; '{ANY}' stands for every name")
    return frozenset(ANY if text == ANY else _name_in(text) or "" for text in texts)


def _name_in(host: str) -> str | None:
    """The name or address in a Host header, in small letters and without a port; None where it is no host."""
    found = _FORM.fullmatch(host)
    return None if found is None else (found["v6"] or found["name"].rstrip(".")).lower()


class Hosts:
    """The names of one server: those that it was given, that in its public address, and the machine's own."""

    def __init__(self, names: Iterable[str] = (), public_url: str | None = None) -> None:
        machine = socket.gethostname()
        public = urlsplit(public_url).hostname if public_url else None
        self._names = read_names(names) | {one.lower() for one in (machine, machine.partition(".")[0], public) if one}
        self._good: set[str] = set()

    def check(self, request: web.BaseRequest) -> None:
        """Refuse a request that is for another host, or for none that could be one. It need not say: HTTP/1.0 does
        not, and no browser leaves it out."""
        lines = request.headers.getall("Host", ())
        if len(lines) > 1:
            raise BadRequest("bad_host", "A request names one host.")
        host = request.host
        if host in self._good or not host:
            return
        name = _name_in(host) if len(host) <= HOST_LIMIT else None
        if name is None:
            raise BadRequest(
                "bad_host", f"The Host header is no name of a host, or longer than {HOST_LIMIT} characters."
            )
        if not self._is_own(name):
            raise Misdirected(
                "unknown_host",
                f"This server does not go by the name {name}. If it should, its operator starts it with "
                f"--host-name {name}, or with a --public-url of that name.",
            )
        if len(self._good) >= REMEMBERED:
            self._good.clear()
        self._good.add(host)

    def _is_own(self, name: str) -> bool:
        return (
            ANY in self._names
            or name in self._names
            or name.rpartition(".")[2] in LOCAL
            or addresses.parse(name) is not None
        )
