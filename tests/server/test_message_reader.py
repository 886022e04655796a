"""The reader of WebSocket frames beside another one: wsproto writes the frames, and judges broken ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wsproto.frame_protocol import FrameProtocol, Opcode, ParseFailed

from parlour._net import MessageReader

LIMIT = 4096
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
Messages = list[tuple[int, bytes]]


def read(data: bytes, cuts: list[int] | None = None, limit: int = LIMIT) -> Messages:
    """All messages in the bytes, which come in pieces."""
    reader, messages, start = MessageReader(limit), [], 0
    for end in [*sorted(cuts or []), len(data)]:
        reader.feed(data[start:end])
        start = max(start, end)
        while (message := reader.next()) is not None:
            messages.append(message)
    return messages


def judged(data: bytes) -> tuple[Messages, int | None]:
    """The messages that wsproto finds, and the code with which it gives up."""
    referee, messages, parts = FrameProtocol(client=False, extensions=[]), [], []
    referee.receive_bytes(data)
    try:
        for frame in referee.received_frames():
            if frame.opcode is Opcode.CLOSE:
                code, reason = frame.payload
                payload = b"" if code == 1005 else int(code).to_bytes(2, "big") + reason.encode()
                messages.append((CLOSE, payload))
            elif frame.opcode.iscontrol():
                messages.append((int(frame.opcode), bytes(frame.payload)))
            else:
                parts.append(frame.payload.encode() if isinstance(frame.payload, str) else bytes(frame.payload))
                if frame.message_finished:
                    messages.append((int(frame.opcode), b"".join(parts)))
                    parts.clear()
    except ParseFailed as failure:
        return messages, int(failure.code)
    return messages, None


def conversation(chance: random.Random) -> tuple[bytes, Messages]:
    """Valid frames as wsproto writes them, with control frames between the fragments; and the messages in them."""
    writer, data, messages = FrameProtocol(client=True, extensions=[]), bytearray(), []

    def control() -> None:
        payload = chance.randbytes(chance.choice((0, 3, 125)))
        kind = chance.choice((PING, PONG))
        data.extend(writer.ping(payload) if kind == PING else writer.pong(payload))
        messages.append((kind, payload))

    for _ in range(chance.randrange(6)):
        if chance.random() < 0.5:
            control()
        is_text = chance.random() < 0.7
        fragments = [chance.randbytes(chance.choice((0, 5, 125, 126, 300))) for _ in range(chance.choice((1, 1, 2, 5)))]
        if chance.random() < 0.02:
            fragments.append(bytes(70_000))
        words = [fragment.decode("utf-16", "replace") if is_text else fragment for fragment in fragments]
        for word in words[:-1]:
            data.extend(writer.send_data(word, fin=False))
            if chance.random() < 0.3:
                control()
        data.extend(writer.send_data(words[-1], fin=True))
        whole = b"".join(word.encode() if isinstance(word, str) else word for word in words)
        messages.append((TEXT if is_text else BINARY, whole))
    if chance.random() < 0.5:
        data.extend(writer.close(1000, "bye"))
        messages.append((CLOSE, b"\x03\xe8bye"))
    return bytes(data), messages


@pytest.mark.parametrize("seed", range(4))
def test_messages_are_the_same_however_the_bytes_are_cut(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(250):
        sent, messages = conversation(chance)
        cuts = [chance.randrange(len(sent) + 1) for _ in range(chance.randrange(20))]
        assert read(sent, cuts, limit=1 << 20) == messages
        if len(sent) < 2000:
            assert read(sent, list(range(len(sent))), limit=1 << 20) == messages


@pytest.mark.parametrize("seed", range(4))
def test_broken_frames_are_refused_where_the_referee_refuses_them(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(500):
        sent = bytearray(conversation(chance)[0])
        for _ in range(chance.randrange(3) + 1):
            if sent:
                sent[chance.randrange(len(sent))] ^= 1 << chance.randrange(8)
        assert_agrees(bytes(sent))


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_are_refused_where_the_referee_refuses_them(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(2000):
        header = bytes([chance.choice((0x80, 0)) | chance.randrange(16), 0x80 | chance.randrange(8)])
        assert_agrees(header + chance.randbytes(chance.randrange(40)))
        assert_agrees(chance.randbytes(chance.randrange(40)))


def assert_agrees(data: bytes) -> None:
    found = read(data, limit=1 << 20)
    expected, code = judged(data)
    breaches = [kind for kind, _ in found if kind >= 1000]
    whole = [message for message in found if message[0] < 1000]
    assert whole[: len(expected)] == expected
    assert len(breaches) <= 1
    # The referee gives up in the middle of a message that is no text, and waits for one that is too long.
    if code == 1007:
        assert all(kind >= CLOSE for kind, _ in whole[len(expected) :])
        return
    assert whole == expected
    if code is None and breaches == [1002]:
        _, code = judged(data + bytes(200))  # it wants the whole header before it speaks
    if breaches != [1009]:
        assert breaches == ([] if code is None else [code])


def test_codes_to_close_with_are_those_that_the_referee_knows() -> None:
    for code in [*range(6000), 65535]:
        assert_agrees(masked(CLOSE, code.to_bytes(2, "big")))


def masked(opcode: int, payload: bytes, first: int = 0x80, key: bytes = b"\x01\x02\x03\x04") -> bytes:
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([first | opcode]) + length + key + bytes(byte ^ key[i % 4] for i, byte in enumerate(payload))


def test_a_message_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert read(masked(TEXT, b"a" * LIMIT)) == [(TEXT, b"a" * LIMIT)]
    assert [kind for kind, _ in read(masked(TEXT, b"a" * (LIMIT + 1)))] == [1009]
    assert [kind for kind, _ in read(masked(TEXT, b"a" * (LIMIT + 1))[:4])] == [1009], "told by the header alone"


def test_the_fragments_of_a_message_together_are_no_longer_than_the_limit() -> None:
    half = masked(TEXT, b"a" * (LIMIT // 2), first=0)
    assert read(half + masked(0, b"a" * (LIMIT // 2))) == [(TEXT, b"a" * LIMIT)]
    assert [kind for kind, _ in read(half + masked(0, b"a" * (LIMIT // 2 + 1)))] == [1009]
    fragmented = half + masked(0, b"a" * (LIMIT // 2))
    again = masked(TEXT, b"b" * LIMIT)
    assert read(fragmented + again) == [(TEXT, b"a" * LIMIT), (TEXT, b"b" * LIMIT)], "each message counts for itself"


def test_a_character_may_be_cut_by_fragments() -> None:
    first, last = "é".encode()[:1], "é".encode()[1:]
    assert read(masked(TEXT, first, first=0) + masked(0, last)) == [(TEXT, "é".encode())]


@pytest.mark.parametrize(
    "wrong", [b"\x80", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3"]
)
def test_what_is_no_text_is_refused(wrong: bytes) -> None:
    for lead in range(9):
        assert [kind for kind, _ in read(masked(TEXT, b"a" * lead + wrong))] == [1007]
    assert read(masked(BINARY, wrong)) == [(BINARY, wrong)]


@given(st.binary(max_size=24))
def test_text_is_what_python_can_decode(payload: bytes) -> None:
    try:
        payload.decode()
        expected = TEXT
    except UnicodeDecodeError:
        expected = 1007
    assert [kind for kind, _ in read(masked(TEXT, payload))] == [expected]


def test_nothing_is_read_after_the_end() -> None:
    ping = masked(PING, b"")
    assert read(masked(CLOSE, b"") + ping) == [(CLOSE, b"")]
    assert [kind for kind, _ in read(ping + masked(3, b"") + ping)] == [PING, 1002]
    reader = MessageReader(LIMIT)
    reader.feed(masked(CLOSE, b""))
    assert reader.next() == (CLOSE, b"")
    reader.feed(ping)
    assert reader.next() is None
    assert reader.unread == 0


def test_what_is_not_asked_for_stays_unread() -> None:
    reader = MessageReader(LIMIT)
    reader.feed(masked(TEXT, b"one") + masked(TEXT, b"two") + b"\x81")
    assert reader.unread == 2 * 9 + 1
    assert reader.next() == (TEXT, b"one")
    assert reader.unread == 9 + 1
    reader.feed(bytearray(b"\x80abcd"))
    assert [reader.next(), reader.next(), reader.next()] == [(TEXT, b"two"), (TEXT, b""), None]
    assert reader.unread == 0
