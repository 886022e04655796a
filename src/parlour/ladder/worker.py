"""A match between two bots of the house, in a process of its own: `python -m parlour.ladder.worker`.

It reads the match as a line of JSON, and writes the result as one. The process is the least urgent on the machine, and
can be killed at any time; it ends by itself when nobody listens any more.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress

import msgspec

CHESS_CLOCK = (60.0, 1.0)
"""Seconds for a game and for each move: the house thinks for a fraction of it, so that no busy machine costs a game."""
CHESS_GAMES = 2


class LadderJob(msgspec.Struct, frozen=True):
    """What is to be played."""

    game: str
    players: tuple[str, str]
    """As the arena knows them: `house:STYLE`."""
    seed: int
    hands: int


class MatchScore(msgspec.Struct, frozen=True):
    """What came of it."""

    points: tuple[float, float]
    rounds: int


def play(job: LadderJob) -> MatchScore:
    """Play a match to its end."""
    return _chess(job) if job.game == "chess" else _holdem(job)


def _holdem(job: LadderJob) -> MatchScore:
    """Heads-up, every deal from both sides; all-ins count with their expectation."""
    from parlour.bots.arena import arena

    result = arena(list(job.players), job.hands, seed=job.seed)
    one, other = result.players
    return MatchScore((round(one.mbb_per_hand, 1), round(other.mbb_per_hand, 1)), result.hands)


def _chess(job: LadderJob) -> MatchScore:
    """Two games from one opening, with both colours."""
    from parlour.bots.arena.chess.match import match

    seconds, increment = CHESS_CLOCK
    result = match(list(job.players), CHESS_GAMES, seconds=seconds, increment=increment, seed=job.seed)
    one, other = (player.wins + player.draws / 2 for player in result.players)
    return MatchScore((one, other), result.games)


def main() -> None:
    with suppress(OSError, AttributeError):
        os.nice(19)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=LadderJob)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    score = play(job)
    sys.stdout.buffer.write(msgspec.json.encode(score) + b"\n")
    sys.stdout.buffer.flush()


def _end_with_the_server() -> None:
    """Wait until the other end of standard input is closed, and end with all engines that were started here."""
    while sys.stdin.buffer.readline():
        pass
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
