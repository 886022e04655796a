"""What an operator may choose about the server itself; docs/settings.md describes each choice."""

from __future__ import annotations

import ipaddress
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from parlour.ladder.ladder import Rules
from parlour.server.access.addresses import Network
from parlour.server.access.limits import Limits


class Bots(msgspec.Struct, frozen=True, kw_only=True):
    """How the bots of the house play."""

    pause: float = 0.8
    """Seconds that they take on average before they act, thought included."""
    engine: str | None = None
    """The chess engine of the style `engine`; by default one that is installed in a usual place."""
    engine_level: int | None = None
    """Its `Skill Level`; by default its own."""
    engine_seconds: float = 0.5
    """The time that it has for a move, where the clock allows."""


Source = Literal["command line", "environment", "file", "default"]


class Setting(msgspec.Struct, frozen=True):
    """An option of `parlour serve` as it is in force."""

    name: str
    value: str
    """As it would be written; masked where it is a secret."""
    source: Source


class LadderRules(Rules, frozen=True, kw_only=True):
    """Whether bots play rated matches while nobody else plays, and how."""

    on: bool = False


class Config(msgspec.Struct, frozen=True, kw_only=True):
    limits: Limits = Limits()
    trusted_proxies: tuple[Network, ...] = ()
    """Whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    origins: frozenset[str] = frozenset()
    """Origins of web pages that may use the API besides the server's own."""
    host_names: frozenset[str] = frozenset()
    """Names under which the server may be asked for besides its own; `*` for all."""
    public_url: str | None = None
    """The address in links and QR codes; by default the one that the request came to."""
    body_limit: int = 16 * 1024
    frame_limit: int = 4 * 1024
    backlog_limit: int = 512 * 1024
    """Bytes that may wait for a slow reader before it is dropped; it can resume."""
    heartbeat: float = 20.0
    """Seconds between pings on a quiet socket."""
    callback_networks: tuple[Network, ...] = ()
    """Where clients may have themselves called back, besides the address that they come from."""
    operator_secret: str = ""
    """Who shows it is the operator; empty where nobody is."""
    bots: Bots = Bots()
    ladder: LadderRules = LadderRules()
    settings: tuple[Setting, ...] = ()
    """Everything that `parlour serve` was told, for the operator's page."""
    unknown_variables: dict[str, str] = {}
    """Variables of the environment that look like settings and are none, each with the nearest that is one."""
    access_log: bool = False
    """Write a log line for each HTTP request."""


def parse_networks(texts: list[str]) -> tuple[Network, ...]:
    """Read addresses and networks such as `127.0.0.1` and `10.0.0.0/8`."""
    try:
        return tuple(ipaddress.ip_network(text) for text in texts)
    except ValueError as error:
        raise ValueError(f"that is no address and no network: {error}") from None


def parse_ladder_games(texts: list[str]) -> tuple[str, ...]:
    """The games of the ladder, each once; all where none is named."""
    every = LadderRules().games
    for text in texts:
        if text not in every:
            raise ValueError(f"the ladder has {' and '.join(every)}, not {text!r}")
    return tuple(dict.fromkeys(texts)) or every


def parse_public_url(text: str | None) -> str | None:
    """The address of the server as its users see it: a site, since all links begin at its root."""
    if text is None:
        return None
    _origin(text)
    parts = urlsplit(text)
    if parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(
            "--public-url names a site and no more, such as https://play.example: Parlour answers at the root of a"
            " site, not below a path"
        )
    return text.rstrip("/")


def parse_origins(texts: list[str], public_url: str | None) -> frozenset[str]:
    """The sites whose pages may use the API. The public address is one: a proxy may ask under another name."""
    return frozenset(map(_origin, [*texts, public_url] if public_url else texts))


def _origin(text: str) -> str:
    """The origin of a web address, as browsers write it: without a path, without the usual port, in small letters."""
    usual = {"http": 80, "https": 443}
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{text!r} is no address of a site: {error}") from None
    if parts.scheme not in usual or not parts.hostname:
        raise ValueError(f"{text!r} is no address of a site, such as https://play.example")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual[parts.scheme]) else f":{port}")
