"""The load of the server's benchmark: what it says, byte for byte, and that it ends where it would misread a server.

A test plays the server itself, over a pair of sockets that the native program takes for WebSockets.
"""

from __future__ import annotations

import json
import selectors
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any, ClassVar

import pytest
from benchmarks.server.load import seating
from benchmarks.server.load.build import built
from benchmarks.server.load.handshake import Link
from tests.patience import PATIENCE

TEXT, BINARY, PING, PONG = 1, 2, 9, 10
Say = list[tuple[int, bytes]]
"""Messages, each for the player in that seat."""


def frame(message: bytes, opcode: int = TEXT) -> bytes:
    size = len(message)
    return bytes([0x80 | opcode]) + (bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")) + message


def unmasked(stream: bytearray) -> tuple[int, bytes] | None:
    """Take the first frame of a client off the stream, if all of it is there."""
    if len(stream) < 8:
        return None
    assert stream[1] & 0x80, "a client's frames are masked"
    size, start = stream[1] & 0x7F, 2
    if size == 126:
        size, start = int.from_bytes(stream[2:4], "big"), 4
    if len(stream) < start + 4 + size:
        return None
    mask, masked = stream[start : start + 4], stream[start + 4 : start + 4 + size]
    found = stream[0], bytes(byte ^ mask[i % 4] for i, byte in enumerate(masked))
    del stream[: start + 4 + size]
    return found


class House:
    """One table of a server that the test plays: the load sits at the other ends of its two sockets."""

    def __init__(self, kind: str, rate: int = 0) -> None:
        pairs = [socket.socketpair() for _ in range(2)]
        self.ends = [ours for ours, _ in pairs]
        theirs = [end.fileno() for _, end in pairs]
        command = [str(built()), kind, "0.2", str(rate), *map(str, theirs)]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.load = subprocess.Popen(command, pass_fds=theirs, **pipes, encoding="utf-8", errors="replace")
        for _, end in pairs:
            end.close()
        self._streams = [bytearray(), bytearray()]

    def say(self, messages: Say, opcode: int = TEXT) -> None:
        for seat, message in messages:
            try:
                self.ends[seat].sendall(frame(message, opcode))
            except BrokenPipeError:
                return  # it has measured all that it wanted to

    def heard(self, seat: int) -> tuple[int, bytes]:
        """The next frame that a player sends."""
        while (found := unmasked(self._streams[seat])) is None:
            more = self.ends[seat].recv(4096)
            assert more, "the load has left"
            self._streams[seat] += more
        return found

    def play(self, answer: Callable[[int], Say], opcode: int = TEXT) -> None:
        """Answer each move until the load has gone."""
        with selectors.DefaultSelector() as ready:
            for seat, end in enumerate(self.ends):
                ready.register(end, selectors.EVENT_READ, seat)
            while True:
                for key, _ in ready.select():
                    try:
                        more = self.ends[key.data].recv(4096)
                    except ConnectionResetError:
                        return
                    if not more:
                        return
                    self._streams[key.data] += more
                    while unmasked(self._streams[key.data]):
                        self.say(answer(key.data), opcode)

    def end(self) -> tuple[int, str, str]:
        """How it ended: its code, what it told, and what it complained of."""
        told, complaint = self.load.communicate(timeout=PATIENCE)
        for end in self.ends:
            end.close()
        return self.load.returncode, told, complaint


def parlour(seat: int) -> Say:
    """The player in the seat has checked."""
    acted = {"seq": 7, "type": "acted", "seat": seat, "action": {"type": "check"}}
    legal = {"actions": ["fold", "check"]}

    def message(legal: Any) -> bytes:
        body = {"type": "events", "seq": 7, "events": [acted], "patch": {"pot": 4, "legal": legal}}
        return json.dumps(body, separators=(",", ":")).encode()

    return [(seat, b'{"type":"ack","id":"x","seq":7}'), (seat, message(None)), (1 - seat, message(legal))]


def events(seat: int) -> Say:
    message = b'{"type":"events","events":[{"seq":7,"type":"acted","seat":%d,"to_act":%d}]}' % (seat, 1 - seat)
    return [(seat, message), (1 - seat, message)]


def boardgame(seat: int) -> Say:
    state = b'{"G":{"pot":4},"ctx":{"turn":2,"currentPlayer":"%d"},"_stateID":41}' % (1 - seat)
    return [(each, b'42/betting,["update","m0",%b,[]]' % state) for each in (seat, 1 - seat)]


def colyseus(seat: int) -> Say:
    body = b"\x83\xa4seat" + bytes([seat]) + b"\xa4type\xa4call\xa5table\x81\xa3pot\xcd\x01\x00"
    return [(each, b"\x0d\xa5acted" + body) for each in (seat, 1 - seat)]


OPENINGS: dict[str, Say] = {
    "parlour": [(0, b'{"type":"events","events":[],"patch":{"legal":{"actions":["fold","call"]}}}')],
    "events": [(0, b'{"type":"events","events":[{"type":"hand_started","to_act":0}]}')],
    "boardgame": [
        (0, b'42/betting,["sync","m0",{"state":{"ctx":{"currentPlayer":"0"},"_stateID":7},"log":[]}]'),
        (1, b'42/betting,["sync","m0",{"state":{"ctx":{"currentPlayer":"0"},"_stateID":7},"log":[]}]'),
    ],
    "colyseus": [],  # the first player knows
}
MOVES = {
    "parlour": [
        b'{"type":"action","id":"0-1","action":{"type":"call"}}',
        b'{"type":"action","id":"1-1","action":{"type":"check"}}',
        b'{"type":"action","id":"0-2","action":{"type":"check"}}',
    ],
    "boardgame": [
        b'42/betting,["update",{"type":"MAKE_MOVE","payload":{"type":"act","args":["call",0],"playerID":"%d",'
        b'"credentials":null}},%d,"m0","%d"]' % (seat, state, seat)
        for seat, state in ((0, 7), (1, 41), (0, 41))
    ],
    "colyseus": [b"\x0d\xa3act\xd4r@\x92\xa4type\xa6amount\xa4call\x00"] * 3,
}
MOVES["events"] = MOVES["parlour"]
ANSWERS = {"parlour": parlour, "events": events, "boardgame": boardgame, "colyseus": colyseus}


@pytest.mark.parametrize("kind", ANSWERS)
def test_players_say_what_the_clients_of_the_contestant_say(kind: str) -> None:
    opcode = BINARY if kind == "colyseus" else TEXT
    house = House(kind)
    house.say(OPENINGS[kind], opcode)
    for seat, move in zip((0, 1, 0), MOVES[kind], strict=True):
        assert house.heard(seat) == (0x80 | opcode, move)
        house.say(ANSWERS[kind](seat), opcode)
    house.play(ANSWERS[kind], opcode)
    code, told, complaint = house.end()
    assert (code, complaint) == (0, "")
    begun, figures = told.splitlines()
    assert begun == "measuring"
    found = json.loads(figures)
    assert found["moves"] > 0
    assert found["refusals"] == 0
    assert 0 < found["p50"] <= found["p99"] <= found["max"]
    assert found["seconds"] >= 0.2
    assert found["load"] > 0


def test_a_pace_holds_the_players_back() -> None:
    house = House("colyseus", rate=20)
    moves = 0

    def answer(seat: int) -> Say:
        nonlocal moves
        moves += 1
        return colyseus(seat)

    house.play(answer, BINARY)
    house.end()
    assert moves < 200  # in 1.2 seconds; as fast as it goes there are tens of thousands


def test_refusals_are_counted_and_shown() -> None:
    house = House("colyseus")
    house.say([(0, b"\x0d\xa7refused\x81\xa4code\xa4late")], BINARY)
    house.play(colyseus, BINARY)
    _, told, complaint = house.end()
    assert json.loads(told.splitlines()[1])["refusals"] == 1
    assert "refused" in complaint


def test_messages_in_pieces_and_pings_in_between() -> None:
    house = House("boardgame")
    whole = frame(b"hey", PING) + frame(b"2") + b"".join(frame(message) for _, message in OPENINGS["boardgame"][:1])
    for at in range(0, len(whole), 7):
        house.ends[0].sendall(whole[at : at + 7])
    assert house.heard(0) == (0x80 | PONG, b"hey")
    assert house.heard(0) == (0x80 | TEXT, b"3")
    assert house.heard(0) == (0x80 | TEXT, MOVES["boardgame"][0])
    house.ends[0].close()
    assert house.end()[0] == 1


MISLEADING = {
    "a turn elsewhere in the message": (
        "parlour",
        b'{"type":"events","events":[],"patch":{"legal":null,"was":{"legal":{"actions":["check"]}}}}',
    ),
    "a move in another member": (
        "parlour",
        b'{"type":"events","events":[],"was":[{"type":"acted","seat":1,"x":0}],"patch":{"legal":null}}',
    ),
    "a view that is gone": ("parlour", b'{"type":"events","events":[],"patch":{}}'),
    "a new kind of message": ("parlour", b'{"type":"else"}'),
    "somebody else's turn since": (
        "events",
        b'{"type":"events","events":[{"type":"hand_started","to_act":0},{"type":"hand_ended"}]}',
    ),
    "the state before": (
        "boardgame",
        b'42/betting,["update","m0",{"prev":{"ctx":{"currentPlayer":"1"}},"ctx":{"currentPlayer":"0"},"_stateID":2}]',
    ),
    "a seat within": ("colyseus", b"\x0d\xa5acted\x82\xa3was\x81\xa4seat\x01\xa4seat\x00"),
    "bytes after the end": ("colyseus", b"\x0d\xa5acted\x81\xa4seat\x00\x00"),
}


@pytest.mark.parametrize("why", MISLEADING)
def test_a_load_that_takes_a_message_for_something_else_gives_up(why: str) -> None:
    kind, message = MISLEADING[why]
    house = House(kind)
    house.say([(0, message)], BINARY if kind == "colyseus" else TEXT)
    code, told, complaint = house.end()
    assert (code, told) == (1, "")
    assert f"{kind} is not what the load takes it for" in complaint


SOUND = [
    "[]", "{}", ' [ 1 , {"a" : [ ] } ] ', '""', r'"\"\\\/\b\f\n\r\t\u00e9é"', "0", "-0.5e+10", "12E3",
    "[true,false,null]",
]  # fmt: skip
BROKEN = [
    "", "[", "[1,]", "{,}", '{"a"}', '{"a":}', "{1:2}", '"', r'"\x"', r'"\u12g4"', '"\t"', "01", "-", "1.", ".5", "1e",
    "+1", "nul", "truee", "1 2", "NaN", "'a'", "[1}",
]  # fmt: skip


def test_json_is_read() -> None:
    for text in SOUND:
        json.loads(text)
    house = House("parlour")
    house.say([(0, f'{{"type":"welcome","x":{text}}}'.encode()) for text in SOUND])
    house.ends[0].close()
    _, _, complaint = house.end()
    assert complaint == "a connection was closed by the server\n"


@pytest.mark.parametrize("text", BROKEN)
def test_json_is_read_strictly(text: str) -> None:
    house = House("parlour")
    house.say([(0, f'{{"type":"welcome","x":{text}}}'.encode())])
    code, _, complaint = house.end()
    assert code == 1
    assert "not JSON" in complaint


def test_only_a_websocket_is_taken_for_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: bm8=\r\n\r\n")

        server = threading.Thread(target=answer)
        server.start()
        with pytest.raises(RuntimeError, match="no WebSocket"):
            Link(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        server.join()


class SlowToStart(seating.Parlour):
    """Starts no game before both of its people have shown once more that they are there."""

    ends: ClassVar[dict[int, list[socket.socket]]] = {}

    def __init__(self, *_: object, view: int) -> None:
        """Nobody has to be registered."""

    def join(self, table: int) -> seating.Pair:
        pairs = [socket.socketpair() for _ in range(2)]
        self.ends[table] = [ours for ours, _ in pairs]
        ann, ben = Link.__new__(Link), Link.__new__(Link)
        ann.socket, ben.socket = (theirs for _, theirs in pairs)
        return ann, ben

    def start(self, table: int) -> None:
        for end in self.ends[table]:
            heard = bytearray()
            with suppress(BlockingIOError):
                end.recv(4096, socket.MSG_DONTWAIT)  # from when others were still coming
            end.settimeout(PATIENCE)
            while (found := unmasked(heard)) is None:
                heard += end.recv(4096)
            assert found == (0x80 | PONG, b"")


def test_people_show_that_they_are_there_until_all_games_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """To start thousands of games takes longer than a server waits for those who say nothing."""
    monkeypatch.setattr(seating, "Parlour", SlowToStart)
    monkeypatch.setattr(seating, "MURMUR_EVERY", 0.01)
    links = seating.seated("parlour", "", 2)
    assert len(links) == 4
    for end in (*(link.socket for link in links), *chain.from_iterable(SlowToStart.ends.values())):
        end.close()
