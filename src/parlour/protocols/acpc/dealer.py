"""The dealer: a port at which a match begins whenever as many programs as it needs have come.

A match is played in the order in which answers come, without a task for each player: a connection that has sent its
answer moves the match on at once. Whoever does not answer in time, or goes away, checks or folds from then on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from parlour._core import shuffle
from parlour.protocols.acpc.games import GAMES, PortOffer
from parlour.protocols.acpc.hands import DealtHand
from parlour.protocols.acpc.wakeful import Wakeful

if TYPE_CHECKING:
    from parlour.server.access.admission import AdmissionAccounts

GREETING = re.compile(rb"VERSION:2\.\d{1,3}\.\d{1,3}")
GREETING_SECONDS = 10.0
"""How long a program may take to greet."""
SILENT_LIMIT = 256
"""Programs that have not greeted yet, at all ports together; the one that came first goes where there are more."""
ACTION_SECONDS = 10.0
LATE_LIMIT = 5
"""Answers in a row that come too late, after which a program counts as gone: a match has thousands."""
LINE_LIMIT = 4096
"""Bytes that may come without the end of a line."""
FAULTS_LIMIT = 200
"""Lines that say nothing, or not what was asked, after which a program is sent away."""
BACKLOG_LIMIT = 1 << 20
"""Bytes that may wait for a program that does not read."""
OTHERS_SECONDS = 0.02
"""How long those who are not asked may wait to be told."""
AT_ONCE = 64
"""Hands that are dealt in one go where nobody has to be asked, before others get their turn."""


class AcpcResult(NamedTuple):
    """What a match came to, by the order in which the programs came."""

    game: str
    hands: int
    won: list[int]
    """Chips."""
    faults: list[int]
    """Actions that were not legal or came too late."""


class Entrance:
    """Where programs come in, at all ports of a process: by the limits of their address, and with a greeting soon."""

    def __init__(self, admission: AdmissionAccounts) -> None:
        self._admission = admission
        self._silent: dict[AcpcPlayer, asyncio.TimerHandle] = {}
        """Those who have not greeted yet, in the order in which they came, and until when they may."""

    def enter(self, player: AcpcPlayer) -> bool:
        if not self._admission.accepts(player.address):
            return False
        later = asyncio.get_running_loop().call_later
        self._silent[player] = later(GREETING_SECONDS, player.close)
        if len(self._silent) > SILENT_LIMIT:
            next(iter(self._silent)).close()
        return True

    def greeted(self, player: AcpcPlayer) -> None:
        patience = self._silent.pop(player, None)
        if patience is not None:
            patience.cancel()

    def leave(self, player: AcpcPlayer) -> None:
        self.greeted(player)
        self._admission.hung_up(player.address)


class AcpcPlayer(asyncio.Protocol):
    """One program."""

    def __init__(self, table: DealerPort) -> None:
        self._table = table
        self._entered = False
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._lines: list[str] = []
        self._greeted = False
        self._noise = 0
        self.address = ""
        self.match: AcpcMatch | None = None
        self.place = 0
        self.faults = 0
        self.late = 0
        self.gone = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        self._entered = self._table.entrance.enter(self)
        if self._entered:
            self._table.connected(self)
        else:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True
        if self._entered:
            self._entered = False
            self._table.entrance.leave(self)
            self._table.left(self)
        if self.match is not None:
            self.match.lost(self)

    def data_received(self, data: bytes) -> None:
        *lines, self._received = (self._received + data).split(b"\n")
        if len(self._received) > LINE_LIMIT:
            self.close()
            return
        for line in lines:
            if self.gone:
                return
            self._read(line.rstrip(b"\r"))

    def _read(self, line: bytes) -> None:
        if line[:1] in (b"#", b";", b""):
            self._noted()
        elif not self._greeted:
            if not GREETING.fullmatch(line):
                self.close()
                return
            self._greeted = True
            self._table.entrance.greeted(self)
            self._table.came(self)
        elif self.match is None or not self.match.answered(self, line):
            self._noted()

    def _noted(self) -> None:
        self._noise += 1
        if self._noise > FAULTS_LIMIT:
            self.close()

    def send(self, line: str) -> None:
        """Send a line with the next `flush`."""
        self._lines.append(line)

    def flush(self) -> None:
        if self._transport is None or not self._lines:
            return
        data = "\r\n".join(self._lines) + "\r\n"
        self._lines.clear()
        if not self.gone:
            self._transport.write(data.encode())
            if self._transport.get_write_buffer_size() > BACKLOG_LIMIT:
                self._transport.abort()

    def close(self) -> None:
        self.gone = True
        self._table.entrance.greeted(self)
        if self._transport is not None:
            self._transport.close()


class AcpcMatch:
    """So many hands between programs. Positions rotate from hand to hand."""

    def __init__(
        self, offer: PortOffer, players: list[AcpcPlayer], seconds: float, ended: Callable[[AcpcMatch], None]
    ) -> None:
        self._game = GAMES[offer.game]
        self._offer = offer
        self._players = players
        self._seconds = seconds
        self._ended = ended
        self._number = -1
        self._hand: DealtHand | None = None
        self._seated = players
        """By position in the hand."""
        self._untold = False
        """Whether the hand has gone on since it was last told."""
        self._asked: tuple[AcpcPlayer, bytes] | None = None
        """Who is to act, and what an answer begins with."""
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._wakeful = Wakeful()
        self.won = [0] * len(players)
        for place, player in enumerate(players):
            player.match, player.place = self, place

    def result(self) -> AcpcResult:
        return AcpcResult(
            self._offer.game, self._number + 1, list(self.won), [player.faults for player in self._players]
        )

    def begin(self) -> None:
        self._timer = self._loop.call_later(self._seconds, self._watch)
        self._go_on()

    def answered(self, player: AcpcPlayer, line: bytes) -> bool:
        """Take an answer; whether it was one to what this player was asked."""
        if self._asked is None or self._asked[0] is not player:
            return False
        question = self._asked[1]
        if not line.startswith(question):
            return False
        player.late = 0
        self._act(player, line[len(question) :].decode("ascii", "replace"))
        self._go_on()
        return True

    def lost(self, player: AcpcPlayer) -> None:
        """A program has gone: its hands are checked and folded from now on."""
        if all(other.gone for other in self._players):
            self._finish()
        elif self._asked is not None and self._asked[0] is player:
            self._go_on()

    def _act(self, player: AcpcPlayer, word: str) -> None:
        assert self._hand is not None
        self._untold = True
        if not self._hand.act(word):
            player.faults += 1

    def _go_on(self) -> None:
        """Play on. Whoever is asked is told at once, and the others a little later, or with their next question: at
        full speed that is one packet for a turn, where it would be one for each action of everybody."""
        if self._play():
            self._wakeful.wait()
        if self._telling is None:
            self._telling = self._loop.call_later(OTHERS_SECONDS, self._tell_others)

    def _tell_others(self) -> None:
        self._telling = None
        for player in self._players:
            player.flush()

    def _play(self) -> bool:
        """Play until somebody has to be asked who is there; whether somebody is asked now."""
        self._asked = None
        dealt = 0
        while self._timer is not None:
            hand = self._hand
            actor = None if hand is None else hand.actor
            if hand is None or actor is None:
                if hand is not None:
                    self._tell(hand)
                    self._count(hand)
                if self._number + 1 >= self._offer.hands:
                    self._finish()
                    break
                if dealt >= AT_ONCE:
                    self._loop.call_soon(self._go_on)
                    break
                dealt += 1
                self._deal()
                continue
            player = self._seated[actor]
            if not player.gone:
                self._ask(player, hand, actor)
                return True
            self._tell(hand)
            self._act_for(player, hand)
        return False

    def _act_for(self, player: AcpcPlayer, hand: DealtHand) -> None:
        """Check or fold for somebody who does not."""
        player.faults += 1
        self._untold = True
        hand.act("f")

    def _ask(self, player: AcpcPlayer, hand: DealtHand, position: int) -> None:
        """Ask before the others' lines are written: that is done while the program thinks."""
        line = hand.state(position)
        self._asked = player, line.encode() + b":"
        self._since = self._loop.time()
        if self._untold:
            player.send(line)
        player.flush()
        self._tell(hand, but=player)

    def _deal(self) -> None:
        self._number += 1
        self._wakeful.next_hand()
        self._hand = DealtHand(self._game, self._number, shuffle())
        first = self._number % len(self._players)
        self._seated = self._players[first:] + self._players[:first]
        self._untold = True

    def _count(self, hand: DealtHand) -> None:
        for player, chips in zip(self._seated, hand.won, strict=True):
            self.won[player.place] += chips
        self._hand = None

    def _tell(self, hand: DealtHand, but: AcpcPlayer | None = None) -> None:
        """Tell everybody how the hand stands, once."""
        if self._untold:
            self._untold = False
            for player, line in zip(self._seated, hand.states(), strict=True):
                if player is not but and not player.gone:
                    player.send(line)

    def _watch(self) -> None:
        """One timer for a match, not one for each action: it looks whether the answer is late."""
        if self._timer is None:
            return
        late = self._loop.time() - self._since
        if self._asked is not None and late >= self._seconds:
            player, _ = self._asked
            assert self._hand is not None
            player.late += 1
            if player.late >= LATE_LIMIT:
                player.close()
            self._act_for(player, self._hand)
            self._go_on()
            late = 0.0
        if self._timer is not None:
            self._timer = self._loop.call_later(max(0.05, self._seconds - late), self._watch)

    def _finish(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            if self._telling is not None:
                self._telling.cancel()
            self._asked = None
            self._ended(self)
            for player in self._players:
                player.flush()
                player.close()


class DealerPort:
    """A port: programs wait here until a match can begin."""

    def __init__(
        self,
        offer: PortOffer,
        told: Callable[[AcpcResult], None],
        entrance: Entrance,
        seconds: float = ACTION_SECONDS,
    ) -> None:
        """`told` is called when a match is over."""
        self.offer = offer
        self.entrance = entrance
        self._told = told
        self._seconds = seconds
        self._waiting: list[AcpcPlayer] = []
        self._connected: set[AcpcPlayer] = set()
        self._matches: set[AcpcMatch] = set()
        self._server: asyncio.Server | None = None

    async def open(self, host: str) -> int:
        """Listen; the port, which is a free one for port 0."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: AcpcPlayer(self), host, self.offer.port)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for player in list(self._connected):
            player.close()

    def connected(self, player: AcpcPlayer) -> None:
        self._connected.add(player)

    def came(self, player: AcpcPlayer) -> None:
        self._waiting.append(player)
        needed = GAMES[self.offer.game].players
        if len(self._waiting) >= needed:
            players, self._waiting = self._waiting[:needed], self._waiting[needed:]
            match = AcpcMatch(self.offer, players, self._seconds, self._ended)
            self._matches.add(match)
            match.begin()

    def left(self, player: AcpcPlayer) -> None:
        self._connected.discard(player)
        if player in self._waiting:
            self._waiting.remove(player)

    def _ended(self, match: AcpcMatch) -> None:
        self._matches.discard(match)
        self._told(match.result())
