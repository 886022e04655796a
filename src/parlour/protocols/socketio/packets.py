"""The packets of Engine.IO 3 and 4, and the Socket.IO messages inside them. All of them are text here.

Binary packets and acknowledgements are not served: no dialect uses them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

OPEN, CLOSE, PING, PONG, MESSAGE, UPGRADE, NOOP = "0123456"
PROBE = "probe"
CONNECT, DISCONNECT, EVENT, ACK, CONNECT_ERROR = "01234"
SEPARATOR = "\x1e"
LENGTH_DIGITS = 9

_encode = msgspec.json.Encoder().encode


class Malformed(ValueError):
    """Bytes that are no packet."""


class SocketMessage(NamedTuple):
    """A Socket.IO packet: its kind, its namespace, and for an event the name and the first argument."""

    kind: str
    namespace: str = "/"
    event: str = ""
    payload: Any = None


def encode_payload(version: int, packets: Sequence[str]) -> str:
    """Several packets as the body of one answer to a poll."""
    if version == 3:
        return "".join(f"{_units(packet)}:{packet}" for packet in packets)
    return SEPARATOR.join(packets)


def decode_payload(version: int, body: bytes) -> list[str]:
    """The packets in the body of a POST."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Malformed("a payload is UTF-8") from None
    packets = _split_lengths(text) if version == 3 else text.split(SEPARATOR)
    if not all(packets):
        raise Malformed("an empty packet")
    return packets


def _units(text: str) -> int:
    """The length as JavaScript counts it: characters beyond the basic plane are two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _split_lengths(text: str) -> list[str]:
    """`1:25:42[1]` is a packet of one unit and one of five."""
    astral = bool(text) and max(text) > "\uffff"
    if astral:  # one character for each unit, so that lengths count right
        text = "".join(map(chr, array("H", text.encode("utf-16-le"))))
    packets: list[str] = []
    start = 0
    while start < len(text):
        colon = text.find(":", start, start + LENGTH_DIGITS + 1)
        digits = text[start:colon] if colon > 0 else ""
        if not (digits.isascii() and digits.isdigit()):
            raise Malformed("a packet begins with its length")
        start = colon + 1 + int(digits)
        if start > len(text):
            raise Malformed("a packet is shorter than its length")
        packets.append(text[colon + 1 : start])
    try:
        return (
            [packet.encode("utf-16-le", "surrogatepass").decode("utf-16-le") for packet in packets]
            if astral
            else packets
        )
    except UnicodeDecodeError:
        raise Malformed("a length cuts a character in two") from None


def write_open(sid: str, upgrades: Sequence[str], interval: float, timeout: float, most: int) -> str:
    """The packet that opens a session."""
    opening = {
        "sid": sid,
        "upgrades": upgrades,
        "pingInterval": round(interval * 1000),
        "pingTimeout": round(timeout * 1000),
        "maxPayload": most,
    }
    return OPEN + _encode(opening).decode()


def write_event(event: str, payload: object) -> str:
    """An event with one argument, in the default namespace."""
    return MESSAGE + EVENT + _encode([event, payload]).decode()


def write_connect(sid: str | None) -> str:
    """That the client is connected to the default namespace; from version 4 on with an id."""
    return MESSAGE + CONNECT + ("" if sid is None else _encode({"sid": sid}).decode())


def write_refusal(version: int, namespace: str, message: str) -> str:
    """That there is no such namespace."""
    said: object = message if version == 3 else {"message": message}
    return MESSAGE + CONNECT_ERROR + namespace + "," + _encode(said).decode()


def read_message(text: str) -> SocketMessage:
    """`2["bet",{"amount":10}]`: the Socket.IO packet in a message."""
    kind, rest, namespace = text[:1], text[1:], "/"
    if kind not in (CONNECT, DISCONNECT, EVENT, ACK):
        raise Malformed("an unknown or binary packet")
    if rest.startswith("/"):
        namespace, _, rest = rest.partition(",")
        namespace = namespace.partition("?")[0]
    if kind != EVENT:
        return SocketMessage(kind, namespace)
    try:
        arguments = msgspec.json.decode(rest.lstrip("0123456789"))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Malformed("an event is a JSON array") from None
    if not isinstance(arguments, list) or not arguments or not isinstance(arguments[0], str):
        raise Malformed("an event begins with its name")
    return SocketMessage(EVENT, namespace, arguments[0], arguments[1] if len(arguments) > 1 else None)
