"""What the server sends on a socket is what its declared types say, to the byte."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from tests.patience import time_limit
from tests.server.test_socket import raw_socket

from parlour.server.transport import frames
from parlour.tables.live.messages import TableUpdate, TableWelcome

declared = msgspec.json.Decoder(frames.AnyAnswer)


def as_declared(sent: bytes) -> Any:
    """The frame, read as its declared type, which says the same in the same order."""
    frame = declared.decode(sent)
    plain = msgspec.json.decode(sent)
    again = msgspec.json.decode(msgspec.json.encode(frame))
    assert list(plain) == list(again), "other members, or in another order"
    assert plain == again
    return frame


@pytest.mark.parametrize("views", ["0", "1"])
async def test_every_frame_that_is_sent_is_of_a_declared_type(house, views) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben")
    kinds: set[type] = set()

    async def read(kind: type) -> Any:
        async with time_limit():
            while True:
                frame = as_declared((await socket.receive_str()).encode())
                kinds.add(type(frame))
                if type(frame) is kind:
                    return frame

    async with raw_socket(ann, f"?view={views}&since=0") as socket:
        welcome = await read(frames.Welcome)
        assert (welcome.view is msgspec.UNSET) == (views == "0")
        assert [event["seq"] for event in welcome.events] == list(range(1, welcome.seq + 1))
        async with raw_socket(ben):
            assert (await read(frames.Presence)).connected
        await socket.send_str('{"type":"ping"}')
        await read(frames.Pong)
        await socket.send_str('{"type":"chat","id":"1","text":"hello"}')
        events = await read(frames.Events)
        assert events.events[0]["text"] == "hello"
        assert (events.patch is msgspec.UNSET) == (views == "0")
        assert await read(frames.Ack) == frames.Ack("1", welcome.seq + 1)
        await socket.send_str('{"type":"host","id":"2","power":"resume"}')
        assert (await read(frames.Error)).problem.code == "not_paused"
        await socket.send_str("{")
        assert (await read(frames.Error)).id is None
    assert kinds == set(get_args(frames.AnyAnswer)), "a declared frame was not seen"


def test_frames_put_together_from_parts_are_as_the_encoder_would_write_them() -> None:
    update = TableUpdate(8, [b'{"seq":7}', b'{"seq":8}'], (b'{"now":1', b',"legal":null}'))
    events: list[dict[str, Any]] = [{"seq": 7}, {"seq": 8}]
    patch = {"now": 1, "legal": None}
    assert frames.events(update) == msgspec.json.encode(frames.Events(events, patch))
    assert frames.events(TableUpdate(8, update.events)) == msgspec.json.encode(frames.Events(events))
    welcome = TableWelcome("é", 8, True, update.events, None)
    assert frames.welcome(welcome) == msgspec.json.encode(frames.Welcome("é", 8, True, events))
