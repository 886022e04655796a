"""How many instructions a move takes, in user space: a figure that is the same on a busy machine.

    python -m benchmarks.server.instructions [--tables 50] [--moves 1600]

The server runs under valgrind's callgrind, which counts. A client in lockstep plays an exact number of moves: one at
every table, then waits until everybody has been told of it. The command counts them with each native part and without.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.processes import ServerProcess

from benchmarks.server import processes
from benchmarks.server.load.handshake import Link
from benchmarks.server.load.seating import seated

FORMS = {
    "parlour": "parlour",
    "plain lines": "benchmarks.server.plain_lines",
    "plain views": "benchmarks.server.plain_views",
}
"""What is counted → the module that serves it."""
HAND = 8
"""Moves of a hand in which both players check or call."""
SETTLED = 1.0
"""Seconds after which the server has nothing left to do."""
_ACTIONS = re.compile(rb'"legal":\{"actions":\[([^\]]*)\]')
_TOTALS = re.compile(r"^totals: (\d+)", re.MULTILINE)


class Pair:
    """The two players of a table, who check or call."""

    def __init__(self, links: tuple[Link, Link]) -> None:
        self._links = links
        self._seat = 0
        self._word = b""
        for seat in (0, 1):
            while b"hand_started" not in (told := self._links[seat].message()):
                pass
            self._heed(seat, told)

    def _heed(self, seat: int, told: bytes) -> None:
        """Remember whose turn it is, if this says so."""
        actions = _ACTIONS.search(told)
        if actions is not None:
            self._seat, self._word = seat, b"check" if b'"check"' in actions.group(1) else b"call"

    def move(self, number: int) -> None:
        frame = b'{"type":"action","id":"%d","action":{"type":"%b"}}' % (number, self._word)
        self._links[self._seat].send(frame)

    def wait(self) -> None:
        """Until both have been told of the move, and its player that it is durable."""
        mover = self._seat
        for seat, link in enumerate(self._links):
            missing = {"events", "ack"} if seat == mover else {"events"}
            while missing:
                told = link.message()
                kind = told[9:].partition(b'"')[0].decode()
                if kind == "error":
                    raise RuntimeError(f"a move was refused: {told.decode()}")
                missing.discard(kind)
                self._heed(seat, told)


def for_a_move(data: Path, tables: int, moves: int, python: str = sys.executable, module: str = "parlour") -> float:
    """Instructions of all threads of a server for each of about so many moves, at so many tables on SQLite."""
    counts = data / "counts"
    under = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={counts}"]
    with processes.parlour(data, module=module, python=python, under=under) as server:
        links = seated("parlour", server.url, tables)
        pairs = [Pair((links[at], links[at + 1])) for at in range(0, len(links), 2)]
        each = max(1, moves // tables // HAND) * HAND
        _play(pairs, range(2 * HAND))
        _control(server, "--instr=on")
        _play(pairs, range(2 * HAND, 2 * HAND + each))
        _control(server, "--dump")
        for link in links:
            link.socket.close()
    (dumped,) = data.glob("counts.1")
    found = _TOTALS.search(dumped.read_text())
    assert found is not None, "callgrind writes totals"
    return int(found.group(1)) / (each * tables)


def _play(pairs: list[Pair], numbers: range) -> None:
    for number in numbers:
        for pair in pairs:
            pair.move(number)
        for pair in pairs:
            pair.wait()
    time.sleep(SETTLED)


def _control(server: ServerProcess, what: str) -> None:
    command = ["callgrind_control", what, str(server.pid)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--moves", type=int, default=1600)
    options = parser.parse_args()
    whole = 0.0
    for name, module in FORMS.items():
        with tempfile.TemporaryDirectory(prefix="parlour-count-") as folder:
            counted = for_a_move(Path(folder), options.tables, options.moves, module=module)
        whole = whole or counted
        print(f"{name:12} {counted:12,.0f} instructions for a move   {counted / whole:5.2f} times", flush=True)


if __name__ == "__main__":
    main()
