"""A program of the competition: it knows the protocol and nothing of the house.

    acpc_client.py HOST PORT STYLE [SEED] [SEATS]

With several seats it plays all of them in one process, which stays awake between two questions: so a match takes the
time of the dealer and of the answers, and no process has to be woken.
"""

from __future__ import annotations

import random
import select
import socket
import sys
import time


class Seat:
    """One connection to the dealer, which answers by its style."""

    def __init__(self, host: str, port: int, style: str, seed: int) -> None:
        self._style = style
        self._dice = random.Random(seed)
        self._left = b""
        self.seen = 0
        """Lines of state that were received."""
        self.connection = socket.create_connection((host, port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.sendall(b"VERSION:2.0.0\r\n")

    def answer(self) -> bool:
        """Receive, and answer what asks; false once the dealer has closed the connection."""
        data = self.connection.recv(65536)
        *lines, self._left = (self._left + data).split(b"\r\n")
        self.seen += len(lines)
        if lines and to_act((line := lines[-1]).decode()):  # a line that asks is the last until it is answered
            word = {"call": "c", "fold": "f"}.get(self._style) or self._dice.choice(
                ("c", "c", "f", "r", f"r{self._dice.randint(100, 20000)}")
            )
            self.connection.sendall(line + b":" + word.encode() + b"\r\n")
        return bool(data)


def play(host: str, port: int, style: str, seed: int = 0, seats: int = 1) -> tuple[int, float]:
    """Play a match to its end; how many lines of state were received, and how many seconds passed from the first on."""
    sat = [Seat(host, port, style, seed + number) for number in range(seats)]
    playing = {seat.connection.fileno(): seat for seat in sat}
    come = select.poll()
    for descriptor in playing:
        come.register(descriptor, select.POLLIN)
    wait = None if seats == 1 else 0
    began = 0.0
    while playing:
        for descriptor, _ in come.poll(wait):
            began = began or time.perf_counter()
            if not playing[descriptor].answer():
                come.unregister(descriptor)
                playing.pop(descriptor).connection.close()
    return sum(seat.seen for seat in sat), time.perf_counter() - began


def to_act(line: str) -> bool:
    """Whether the position of this line is to act, from the betting alone, as the competition's players find out."""
    _, position, _, betting, cards = line.split(":")
    players = cards.split("/")[0].count("|") + 1
    rounds = betting.split("/")
    folded: set[int] = set()
    all_in: set[int] = set()
    highest = 0
    for number, actions in enumerate(rounds):
        first = (1 if players == 2 else 2) if number == 0 else 0
        turn = (first) % players
        pending = [(turn + i) % players for i in range(players)]
        if number == 0 and players == 2:
            pending = [1, 0]
        pending = [place for place in pending if place not in folded and place not in all_in]
        index = 0
        while index < len(actions):
            if not pending:
                return False
            place = pending.pop(0)
            word = actions[index]
            index += 1
            amount = ""
            while index < len(actions) and actions[index].isdigit():
                amount += actions[index]
                index += 1
            if word == "f":
                folded.add(place)
            elif word == "r":
                if amount:
                    highest = int(amount)
                    if highest >= 20_000:
                        all_in.add(place)
                others = [(place + i) % players for i in range(1, players)]
                pending = [other for other in others if other not in folded and other not in all_in]
            elif highest >= 20_000:
                all_in.add(place)
        if len(folded) == players - 1:
            return False
        if number == len(rounds) - 1:
            live = [place for place in range(players) if place not in folded and place not in all_in]
            if not pending or (len(live) <= 1 and number > 0 and not actions and highest >= 20_000):
                return False
            return pending[0] == int(position)
    return False


if __name__ == "__main__":
    print(*play(sys.argv[1], int(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:])))
