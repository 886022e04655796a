"""Engine.IO payloads of both versions, and the Socket.IO messages in them."""

from __future__ import annotations

import pytest

from parlour.protocols.socketio import packets
from parlour.protocols.socketio.packets import Malformed, SocketMessage


def test_version_3_puts_the_length_before_each_packet() -> None:
    assert packets.encode_payload(3, ["40", '42["err","no"]']) == '2:4014:42["err","no"]'
    assert packets.decode_payload(3, b'2:4014:42["err","no"]') == ["40", '42["err","no"]']


def test_version_4_puts_a_separator_between_packets() -> None:
    assert packets.encode_payload(4, ["40", "2"]) == "40\x1e2"
    assert packets.decode_payload(4, b"40\x1e2") == ["40", "2"]


def test_lengths_count_units_of_javascript() -> None:
    """A name with an emoji is as long as JavaScript says, which is one more than Python says."""
    packet = '42["bet","\N{DOG FACE}é"]'
    assert packets.encode_payload(3, [packet, "2"]) == f"{len(packet) + 1}:{packet}1:2"
    assert packets.decode_payload(3, f"{len(packet) + 1}:{packet}1:2".encode()) == [packet, "2"]


@pytest.mark.parametrize(
    "body",
    [b"2", b":2", b"x:2", b"-1:2", b"9:2", b"1234567890:2", b"0:", "²:22".encode(), "1:\U0001f436".encode(), b"\xff"],
)
def test_what_is_no_payload_of_version_3_is_refused(body: bytes) -> None:
    with pytest.raises(Malformed):
        packets.decode_payload(3, body)


@pytest.mark.parametrize("body", [b"", b"2\x1e", b"\xff"])
def test_what_is_no_payload_of_version_4_is_refused(body: bytes) -> None:
    with pytest.raises(Malformed):
        packets.decode_payload(4, body)


def test_events_are_read_with_and_without_what_is_not_used() -> None:
    assert packets.read_message('2["bet",{"amount":5}]') == SocketMessage("2", "/", "bet", {"amount": 5})
    assert packets.read_message('2/,17["bet",{"amount":5},1]') == SocketMessage("2", "/", "bet", {"amount": 5})
    assert packets.read_message('2["fold"]') == SocketMessage("2", "/", "fold", None)
    assert packets.read_message("0") == SocketMessage("0")
    assert packets.read_message('0/admin?token=1,{"a":1}') == SocketMessage("0", "/admin")
    assert packets.read_message("1") == SocketMessage("1")


@pytest.mark.parametrize(
    "text", ["", "2", "2[]", "2{}", "2[5]", '2["bet"', '51-["bet",{"_placeholder":true}]', "9", "2" + "[" * 100_000]
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        packets.read_message(text)


def test_a_connection_is_answered_as_each_version_expects_it() -> None:
    assert packets.write_connect(None) == "40"
    assert packets.write_connect("s") == '40{"sid":"s"}'
    assert packets.write_refusal(3, "/admin", "Invalid namespace") == '44/admin,"Invalid namespace"'
    assert packets.write_refusal(4, "/admin", "Invalid namespace") == '44/admin,{"message":"Invalid namespace"}'
