"""A match: everybody plays everybody, each opening with both colours."""

from __future__ import annotations

import io
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

import chess.pgn

from parlour.bots.arena.chess.elo import Sprt, elo_interval
from parlour.bots.arena.chess.game import PlayedGame, play_game, unplayed
from parlour.bots.arena.chess.openings import OpeningLine, read, usual
from parlour.bots.arena.chess.players import Mover, open_mover, specs_of
from parlour.bots.arena.chess.view import COLORS
from parlour.bots.arena.crews import crew_of
from parlour.bots.arena.dice import Dice, lot
from parlour.bots.arena.entrants import Entry, Spec
from parlour.bots.arena.files import to_write
from parlour.bots.arena.score import Faults, rounded
from parlour.bots.arena.spread import in_order, place_of
from parlour.bots.sdk.faults import BotFault, words_of
from parlour.bots.sdk.over import GameOver
from parlour.bots.sdk.program import LONGEST_SECONDS

Wrong: TypeAlias = tuple[int, str, str]
"""A fault: player, kind and words."""
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


@dataclass(frozen=True)
class ChessMatchJob:
    """All that somebody needs to play any pair of games of a match."""

    specs: Sequence[Spec]
    openings: Sequence[OpeningLine]
    seed: int
    seconds: float
    increment: float
    memory: int | None
    pgn: bool

    def pairing(self, number: int) -> tuple[int, int, OpeningLine]:
        """Who plays a pair, and from where: all pairings play an opening before the next one comes."""
        pairings = list(combinations(range(len(self.specs)), 2))
        first, second = pairings[number % len(pairings)]
        order = list(range(len(self.openings)))
        random.Random(self.seed).shuffle(order)  # noqa: S311 - repeatable, and no secret
        return first, second, self.openings[order[number // len(pairings) % len(order)]]


@dataclass(frozen=True)
class Pair:
    """Two games from one opening: the points of the first player, who has White in the first of them."""

    players: tuple[int, int]
    points: tuple[float, float]
    faults: Sequence[Wrong]
    pgn: str = ""


class _Crew:
    """The bots of a match in this process."""

    def __init__(self, job: ChessMatchJob) -> None:
        self._job = job
        self._movers: dict[int, Mover] = {}

    def play(self, number: int) -> Pair:
        job = self._job
        first, second, opening = job.pairing(number)
        points, notes = [], []
        faults: list[Wrong] = []
        for turn, (white, black) in enumerate(((first, second), (second, first))):
            with Dice(int.from_bytes(lot(job.seed, "dice", number, turn)[:8], "little")):
                played, wrong = self._game(white, black, opening, 2 * number + turn + 1)
            points.append(played.points if turn == 0 else 1 - played.points)
            if played.fault is not None:
                color, fault = played.fault
                faults.append((white if color else black, fault.kind, str(fault)))
            faults += wrong
            if job.pgn:
                notes.append(_pgn(played, job.specs[white].name, job.specs[black].name, 2 * number + turn + 1, job))
        return Pair((first, second), (points[0], points[1]), faults, "".join(notes))

    def _game(self, white: int, black: int, opening: OpeningLine, number: int) -> tuple[PlayedGame, Sequence[Wrong]]:
        """A game, and what bots did wrong when they were told how it ended."""
        job, movers = self._job, {}
        for color, player in ((True, white), (False, black)):
            try:
                movers[color] = self._mover(player, number)
            except BotFault as fault:
                return unplayed(opening, color, fault), ()
        names = {True: job.specs[white].name, False: job.specs[black].name}
        played = play_game(movers, names, opening, job.seconds, job.increment, number)
        return played, [*self._tell(white, black, played, number)]

    def _tell(self, white: int, black: int, played: PlayedGame, number: int) -> Iterator[Wrong]:
        """Tell how a game ended; gives what bots do wrong meanwhile."""
        specs = self._job.specs
        names = {"white": specs[white].name, "black": specs[black].name}
        for color, player in ((True, white), (False, black)):
            if (hook := self._movers[player].over) is None:
                continue
            result = GameOver(
                number=number,
                seat=0 if color else 1,
                color=COLORS[color],
                names=dict(names),
                variant="standard",
                result=RESULTS[played.points],
                winner=None if played.points == 0.5 else COLORS[played.points == 1],
                reason=played.reason,
                pgn=_pgn(played, names["white"], names["black"], number, self._job),
            )
            try:
                hook(result)
            except Exception as error:
                fault = error if isinstance(error, BotFault) else BotFault("raised", words_of(error))
                yield player, fault.kind, str(fault)

    def _mover(self, player: int, number: int) -> Mover:
        if player not in self._movers:
            self._movers[player] = open_mover(self._job.specs[player], self._job.memory)
        mover = self._movers[player]
        mover.renew(int.from_bytes(lot(self._job.seed, "bot", number, player)[:8], "little"))
        return mover

    def close(self) -> None:
        for mover in self._movers.values():
            mover.close()


def play_pair(job: ChessMatchJob, key: bytes, number: int) -> Pair:
    """Play a pair in a process that keeps its bots for the next one."""
    return crew_of(key, lambda: _Crew(job)).play(number)


def _pgn(played: PlayedGame, white: str, black: str, number: int, job: ChessMatchJob) -> str:
    game = chess.pgn.Game.from_board(played.board)
    game.headers.update(
        {
            "Event": "Parlour arena",
            "Site": "?",
            "Round": str(number),
            "White": white,
            "Black": black,
            "Result": RESULTS[played.points],
            "TimeControl": f"{job.seconds:g}+{job.increment:g}",
            "Termination": played.reason,
        }
    )
    out = io.StringIO()
    print(game, file=out, end="\n\n")
    return out.getvalue()


@dataclass
class MatchPlayer:
    """One bot of a match."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[float] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo above the others that its score stands for, and the 95 % interval."""
        return elo_interval(self.pairs)

    def as_json(self) -> dict[str, Any]:
        elo, low, high = self.elo
        return {
            "name": self.name,
            "elo": rounded(elo, 1),
            "interval": [rounded(bound, 1) if isfinite(bound) else None for bound in (low, high)],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "faults": self.faults.total,
            "fault_kinds": dict(self.faults.counts),
            "fault_examples": [words for kept in self.faults.examples.values() for words in kept],
        }


@dataclass
class MatchResult:
    """A whole match: the bots in the order in which they were given."""

    seed: int
    players: list[MatchPlayer]
    cross: list[list[float]]
    """The points of the bot of the row against that of the column."""
    sprt: Sprt | None
    seconds: float = 0.0

    @property
    def games(self) -> int:
        return sum(player.games for player in self.players) // 2

    def add(self, pair: Pair) -> None:
        first, second = pair.players
        for points in pair.points:
            for player, own in ((first, points), (second, 1 - points)):
                self.players[player].wins += own == 1
                self.players[player].draws += own == 0.5
                self.players[player].losses += own == 0
        total = sum(pair.points)
        self.players[first].pairs.append(total / 2)
        self.players[second].pairs.append(1 - total / 2)
        self.cross[first][second] += total
        self.cross[second][first] += 2 - total
        for player, kind, words in pair.faults:
            self.players[player].faults.add_one(kind, words)
        if self.sprt is not None:
            self.sprt.add(total / 2)

    def as_json(self) -> dict[str, Any]:
        test = self.sprt
        return {
            "seed": self.seed,
            "games": self.games,
            "players": [player.as_json() for player in self.players],
            "cross": self.cross,
            "sprt": None
            if test is None
            else {
                "elo": [test.low, test.high],
                "llr": rounded(test.llr, 3),
                "bound": round(test.bound, 3),
                "verdict": test.verdict,
            },
            "games_per_second": round(self.games / self.seconds, 2) if self.seconds else 0.0,
        }


def match(
    policies: Mapping[str, Entry] | Sequence[Entry],
    games: int = 100,
    *,
    seconds: float = 10.0,
    increment: float = 0.1,
    openings: str | Path | None = None,
    sprt: tuple[float, float] | None = None,
    seed: int = 0,
    workers: int = 1,
    ray: str | None = None,
    memory: int | None = 1024,
    pgn: str | Path | None = None,
    progress: Callable[[float], object] | None = None,
) -> MatchResult:
    """Let bots play each other at chess, and say how much Elo lies between them.

    A bot is a function from a view to a move, a class or an object with a method `act`, a Python file, a program,
    `house:STYLE`, or an engine, `uci:COMMAND`. Everybody plays everybody, each opening with both colours, so that
    `games` is rounded up to whole pairs. Each side has so many `seconds` for a game and an `increment` for each move.
    `openings` is a file of FEN, EPD, moves or PGN; there are 32 ordinary ones by default. With `sprt`, two bounds in
    Elo, two bots play only until it is clear whether the first is stronger by the second bound or not even by the
    first. A bot that fails loses the game, and the match goes on.
    """
    specs = specs_of(policies, memory)
    if len(specs) < 2:
        raise ValueError("a match needs at least two bots")
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    if not (0 < seconds <= LONGEST_SECONDS and 0 <= increment <= LONGEST_SECONDS):
        raise ValueError(
            f"a clock has more than 0 seconds, no increment below 0, and neither above {LONGEST_SECONDS:,.0f}"
        )
    if sprt is not None and len(specs) != 2:
        raise ValueError("the sequential test is between two bots")
    book = usual() if openings is None else read(openings)
    job = ChessMatchJob(specs, book, seed, seconds, increment, memory, pgn is not None)
    result = MatchResult(
        seed,
        [MatchPlayer(spec.name) for spec in specs],
        [[0.0] * len(specs) for _ in specs],
        None if sprt is None else Sprt(*sprt),
    )
    pairs, begun, key = -(-games // 2), time.perf_counter(), secrets.token_bytes(8)
    with place_of(workers, ray, job) as place, nullcontext() if pgn is None else to_write(pgn) as file:
        played = in_order(pairs, place.at_once, lambda number: place.submit(play_pair, job, key, number))
        for done, pair in enumerate(played):
            result.add(pair)
            if file is not None:
                file.write(pair.pgn)
            if progress is not None:
                progress((done + 1) / pairs)
            if result.sprt is not None and result.sprt.verdict is not None:
                break
    result.seconds = time.perf_counter() - begun
    return result
