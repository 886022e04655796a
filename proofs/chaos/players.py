"""Bots that play through any node, written from docs/api.md alone: they resume with `since`, and send again under the
same id what was not answered. Each keeps a record of everything that it was told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any

import aiohttp
import msgspec

from proofs.chaos.hall import AGAIN, Hall, Refusal
from proofs.chaos.history import Command, Glimpse, Record, Sight, Stretch, View

QUIET = 1.0
"""Seconds without a word after which a client asks whether anybody is there; after as many more it goes elsewhere."""
REPEAT = 2.0
"""Seconds after which a command without an answer is sent again on the same socket."""
BY_HTTP = 0.06
CHATTER = 0.03
"""How often an action goes over HTTP, and how often a word goes with it."""
WEIGHTS: dict[str, float] = {"fold": 2, "check": 12, "call": 12, "bet": 3, "raise": 2, "allin": 0.15}
INTRUSION = 0.004
"""How often somebody tries to act when it is another's turn, for each view."""
KEPT = 16
"""Of views those are kept whose number is divisible by it."""
CARDS = re.compile(r"(?<![\w-])(?:[2-9TJQKA][cdhs])+(?![\w-])")
"""Cards, or several without a blank between, that are a word of their own."""
LOST = b'"type":"events_lost"'
STREAM_QUIET = 4.0
UNREACHABLE = (aiohttp.ClientError, OSError, TimeoutError)


class Frame(msgspec.Struct):
    """Whatever a socket says."""

    type: str
    epoch: str = ""
    seq: int = 0
    resumed: bool = False
    events: list[msgspec.Raw] = []
    view: dict[str, Any] | None = None
    patch: dict[str, Any] | None = None
    id: str = ""
    problem: dict[str, Any] = {}


class _Numbered(msgspec.Struct):
    seq: int


_frame = msgspec.json.Decoder(Frame).decode
_number = msgspec.json.Decoder(_Numbered).decode
_write = msgspec.json.Encoder().encode
_in_order = msgspec.json.Encoder(order="sorted").encode


def shared_part(view: Mapping[str, Any]) -> bytes:
    """What the rules say of a table to everybody."""
    return _in_order({name: view[name] for name in ("turn", "status", "paused", "state")})


def own_part(private: Any, legal: Any, options: Any) -> bytes:
    """What they say to one player."""
    return _in_order({"private": private, "legal": legal, "options": options})


class Pending:
    """A command that has no answer yet."""

    __slots__ = ("command", "wake", "words")

    def __init__(self, command: Command, words: str) -> None:
        self.command = command
        self.words = words
        self.wake = asyncio.Event()
        """Set when it is answered, or may be sent again."""


class Witness:
    """Takes down what a client is told of a table."""

    def __init__(self, hall: Hall, record: Record, pool: dict[bytes, bytes]) -> None:
        self.hall = hall
        self.record = record
        self._pool = pool
        """Each event, and what is the same in all views, once."""
        self._glimpsed: set[str] = set()
        """Cards that stood in its frames since the last hand began."""

    @property
    def last(self) -> int:
        """The number of the last event it was told."""
        return self.record.stretches[-1].next - 1 if self.record.stretches else 0

    def anew(self, seq: int) -> None:
        """What was missed was not told: the record goes on after that number."""
        self.record.stretches.append(Stretch(seq + 1))

    async def run(self) -> None:
        """Keep listening; ends by being cancelled."""
        raise NotImplementedError

    def take(self, events: list[msgspec.Raw] | list[bytes]) -> None:
        """More events; what does not follow on the last one is a fault of the server's."""
        if not self.record.stretches:
            self.record.stretches.append(Stretch(1))
        stretch = self.record.stretches[-1]
        for each in events:
            raw = bytes(each)
            seq = _number(raw).seq
            if seq != stretch.next:
                self.record.faults.append(f"was told {seq} after {stretch.next - 1}")
                raise ConnectionResetError("events out of order")
            stretch.events.append(self._pool.setdefault(raw, raw))
        self.hall.told(self.record.table, stretch.next - 1)

    def glimpse(self, text: str, first: int) -> None:
        """Take down what cards a frame shows that begins with that event, once it was read."""
        if '"hand_started"' in text:
            self._glimpsed.clear()
        cards = {word[at : at + 2] for word in CARDS.findall(text) for at in range(0, len(word), 2)}
        if not cards <= self._glimpsed:
            self._glimpsed |= cards
            self.record.glimpses.append(Glimpse(first, self.last, frozenset(cards)))


class Player(Witness):
    """Somebody on a socket: a player where the record has an actor, else a watcher."""

    def __init__(self, hall: Hall, record: Record, pool: dict[bytes, bytes], token: str | None, game: str) -> None:
        super().__init__(hall, record, pool)
        self.token = token
        self._game = game
        self._weights = WEIGHTS
        self._epoch = ""
        self.view: dict[str, Any] = {}
        self._socket: aiohttp.ClientWebSocketResponse[bool] | None = None
        self._pending: dict[str, Pending] = {}
        self._acted_turn = -1
        self._acting: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        while True:
            try:
                await self._converse()
            except aiohttp.WSServerHandshakeError as refusal:
                self.hall.seen[f"sockets refused with {refusal.status}"] += 1
            except UNREACHABLE:
                pass
            finally:
                self._socket = None
            self.hall.seen["connections lost or refused"] += 1
            await asyncio.sleep(self.hall.pause())

    async def _converse(self) -> None:
        query = {"since": str(self.last), "view": "1"} | ({"epoch": self._epoch} if self._epoch else {})
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        url = f"{self.hall.node()}/api/v1/tables/{self.record.table}/socket"
        async with asyncio.timeout(2 * QUIET):
            socket = await self.hall.session.ws_connect(
                url, params=query, headers=headers, max_msg_size=0, timeout=aiohttp.ClientWSTimeout(ws_close=0.1)
            )
        try:
            asked = False
            while True:
                try:
                    message = await socket.receive(timeout=QUIET)
                except TimeoutError:
                    if asked:
                        self.hall.seen["gave up a silent node"] += 1
                        return
                    asked = True
                    await socket.send_str('{"type":"ping"}')
                    continue
                asked = False
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return
                first = self.last + 1
                frame = _frame(message.data)
                await self._hear(frame, socket)
                if self._game == "holdem":
                    self.glimpse(message.data, first if frame.events else self.last + 1)
        finally:
            await socket.close()

    async def _hear(self, frame: Frame, socket: aiohttp.ClientWebSocketResponse[bool]) -> None:
        match frame.type:
            case "welcome":
                if self._epoch and frame.epoch != self._epoch:
                    self.record.faults.append(f"was welcomed to epoch {frame.epoch} after {self._epoch}")
                self._epoch = frame.epoch
                if not frame.resumed:
                    self.hall.seen["not resumed"] += 1
                    self.anew(frame.seq)
                self._follow(frame.events)
                if self._acting is None or self._acting.done():
                    self._acted_turn = -1  # what was answered for this turn may be lost
                self._look(frame.view or {})
                self._socket = socket
                for pending in list(self._pending.values()):
                    await socket.send_str(pending.words)
            case "events":
                self._follow(frame.events)
                self._look(frame.patch or {})
            case "ack":
                self._answered(frame.id, frame.seq)
            case "error":
                self._refused(frame.id, frame.problem)

    # What it sees

    def _follow(self, events: list[msgspec.Raw]) -> None:
        self.take(events)
        if any(LOST in bytes(event) for event in events):
            self._acted_turn = -1  # the turns since then come again

    def _look(self, changed: dict[str, Any]) -> None:
        self.view = {**self.view, **changed}
        if self._game == "holdem":
            self._note_cards()
        if self.view["seq"] != self.last:
            self.record.faults.append(f"was shown the view of {self.view['seq']} with the events up to {self.last}")
        if self.last % KEPT == 0:
            shared = shared_part(self.view)
            options = (self.view.get("you") or {}).get("options")
            own = own_part(self.view.get("private"), self.view.get("legal"), options)
            self.record.views.append(View(self.last, self._pool.setdefault(shared, shared), own))
        self.consider()

    def _note_cards(self) -> None:
        state, private = self.view["state"], self.view.get("private") or {}
        own = tuple(private.get("cards") or ())
        players = state["players"]
        others = {p["seat"]: tuple(p["cards"]) for p in players if p["cards"] and p["seat"] != self.record.seat}
        sights = self.record.sights
        before = sights[-1] if sights else None
        if (own or others) and (
            before is None or (before.hand, before.own, before.others) != (state["hand"], own, others)
        ):
            sights.append(Sight(self.last, state["hand"], own, others))

    # What it does

    def consider(self) -> None:
        """Act, if it is one's turn and nothing is under way."""
        if self.token is None or not self.hall.open.is_set() or (self._acting is not None and not self._acting.done()):
            return
        legal, turn = self.view.get("legal"), self.view.get("turn", -1)
        if legal and turn > self._acted_turn:
            self._acting = asyncio.create_task(self._act(turn))
        elif (option := self._option()) is not None:
            self._acting = asyncio.create_task(self._send({"type": "action", "action": {"type": option}}, retire=True))
        elif turn >= 0 and self.view.get("you") and self.hall.chance.random() < INTRUSION:
            action = {"type": "check"} if self._game == "holdem" else {"type": "move", "uci": "e2e4"}
            frame = {"type": "action", "turn": turn, "action": action}
            self._acting = asyncio.create_task(self._send(frame, retire=True))

    def _option(self) -> str | None:
        """What else there is to do: come back after a time-out, buy chips, begin the next game."""
        options = (self.view.get("you") or {}).get("options", ())
        for wanted in ("sit_in", "accept_rematch"):
            if wanted in options:
                return wanted
        if "rebuy" in options and self._broke:
            return "rebuy"
        return "offer_rematch" if "offer_rematch" in options and self.record.seat == 0 else None

    @property
    def _broke(self) -> bool:
        return any(p["seat"] == self.record.seat and not p["stack"] for p in self.view["state"]["players"])

    async def _act(self, turn: int) -> None:
        await asyncio.sleep(self.hall.chance.expovariate(1 / self.hall.think))
        if self.view.get("turn") != turn or not self.view.get("legal"):
            self._later()
            return
        action = self._choose(self.view["legal"])
        self._acted_turn = turn
        if self.hall.chance.random() < CHATTER:
            self._background(self._send({"type": "chat", "text": "Well played."}))
        if self.hall.chance.random() < BY_HTTP:
            await self._act_by_http(action, turn)
        else:
            await self._send({"type": "action", "turn": turn, "action": action})
        self._later()

    def _choose(self, legal: dict[str, Any]) -> dict[str, Any]:
        chance = self.hall.chance
        if self._game == "chess":
            return {"type": "move", "uci": chance.choice(legal["moves"])}
        kinds = legal["actions"]
        kind = chance.choices(kinds, [self._weights.get(kind, 1) for kind in kinds])[0]
        return {"type": kind, "amount": legal["min"]} if kind in ("bet", "raise") else {"type": kind}

    async def _act_by_http(self, action: dict[str, Any], turn: int) -> None:
        assert self.record.actor is not None
        asked = {"type": "action", "action": action, "turn": turn}
        command = self.hall.command(self.record.table, self.record.actor, "HTTP", asked)
        path = f"/api/v1/tables/{self.record.table}/actions"
        try:
            answer = await self.hall.ask("POST", path, self.token, {"action": action, "turn": turn}, command.key)
        except Refusal as refusal:
            self.hall.refused(command, refusal.code)
            self._reconsider(refusal.code)
        else:
            self.hall.acknowledged(command, answer["seq"])

    async def _send(self, frame: dict[str, Any], retire: bool = False) -> None:
        """Send a command until it is answered."""
        assert self.record.actor is not None
        command = self.hall.command(self.record.table, self.record.actor, "socket", frame)
        pending = Pending(command, _write({**frame, "id": command.key}).decode())
        self._pending[command.key] = pending
        while command.answered is None:
            pending.wake.clear()
            if self._socket is not None and not self._socket.closed:
                with suppress(*UNREACHABLE):  # it is sent again when the connection is back
                    await self._socket.send_str(pending.words)
            with suppress(TimeoutError):
                await asyncio.wait_for(pending.wake.wait(), REPEAT)
        del self._pending[command.key]
        if retire:
            await asyncio.sleep(self.hall.pause())
            self._later()

    def _answered(self, key: str, seq: int) -> None:
        pending = self._pending.get(key)
        if pending is not None:
            self.hall.acknowledged(pending.command, seq)
            pending.wake.set()

    def _refused(self, key: str, problem: dict[str, Any]) -> None:
        pending = self._pending.get(key)
        if pending is None:
            return
        code = str(problem.get("code", "?"))
        if problem.get("status") in AGAIN:
            self.hall.seen[f"told {code}"] += 1
            self.hall.put_off[problem["status"], code] += 1
            asyncio.get_running_loop().call_later(self.hall.pause(), pending.wake.set)  # it is sent again then
            return
        self.hall.refused(pending.command, code)
        self._reconsider(code)
        pending.wake.set()

    def _reconsider(self, code: str) -> None:
        """A turn that has passed is over, unless the database lost it; anything else may be tried again."""
        if code != "stale_turn" or self.view.get("turn", 0) < self._acted_turn:
            self._acted_turn = -1

    def _later(self) -> None:
        asyncio.get_running_loop().call_soon(self.consider)

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Give up what has no answer yet."""
        for task in (*self._tasks, *([] if self._acting is None else [self._acting])):
            task.cancel()

    @property
    def idle(self) -> bool:
        return not self._pending and (self._acting is None or self._acting.done())


class Reader(Witness):
    """Follows a table over HTTP, one event a line, without an identity."""

    async def run(self) -> None:
        while True:
            with suppress(*UNREACHABLE):
                await self._follow()
            await asyncio.sleep(self.hall.pause())

    async def _follow(self) -> None:
        url = f"{self.hall.node()}/api/v1/tables/{self.record.table}/events"
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=QUIET, sock_read=STREAM_QUIET)
        query = {"since": str(self.last), "follow": "1"}
        async with self.hall.session.get(url, params=query, timeout=timeout) as answer:
            if answer.status != 200:
                return
            async for line in answer.content:
                if line.endswith(b"\n") and line.strip():
                    self.take([line.strip()])
                    self.glimpse(line.decode(), self.last)
