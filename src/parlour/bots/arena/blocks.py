"""Blocks of deals, in pieces of work: one for each rotation of the button, played the same wherever it is played."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from parlour._core import deal_sums
from parlour.bots.arena.crews import crew_of
from parlour.bots.arena.dice import Dice
from parlour.bots.arena.entrants import ReadyBot, Spec
from parlour.bots.arena.phh import Pages
from parlour.bots.arena.score import ArenaScores, Sums
from parlour.bots.arena.setup import Setup
from parlour.bots.arena.spread import MOST_AT_ONCE, ArenaPlace, RunningPiece, in_order
from parlour.bots.arena.table import ArenaTable
from parlour.bots.sdk.faults import BotFault, words_of

SLOW_ENOUGH = 10
"""How often a bot may end or be late in a run; then it folds every hand without being asked."""


@dataclass(frozen=True)
class ArenaJob:
    """All that somebody needs to play any piece of a run."""

    setup: Setup
    specs: Sequence[Spec]
    phh: bool = False


@dataclass(frozen=True)
class BlockResult:
    """What came of the deals of a block in one rotation."""

    scores: ArenaScores
    """Without the sums over deals, which take all rotations."""
    deals: bytes
    """What each player won in each of them."""
    phh: str


@dataclass(frozen=True)
class Block:
    """What came of one."""

    scores: ArenaScores
    phh: str = ""

    @classmethod
    def of(cls, pieces: Sequence[BlockResult]) -> Block:
        """The rotations put together."""
        scores = ArenaScores.of(len(pieces[0].scores.sums))
        for piece in pieces:
            scores.add(piece.scores)
        over_deals = deal_sums(len(scores.sums), [piece.deals for piece in pieces])
        for own, sums in zip(scores.sums, over_deals, strict=True):
            own.add(Sums(0.0, 0.0, 0, *sums))
        return cls(scores, "".join([piece.phh for piece in pieces]))


class LocalCrew:
    """The bots of a run in this process; they stay for the next piece."""

    def __init__(self, job: ArenaJob) -> None:
        setup = job.setup
        self._job = job
        self._pit = setup.pit(len(job.specs))
        self._entrants: list[ReadyBot] = [spec.open(setup.seconds, setup.memory) for spec in job.specs]

    def play(self, number: int, benched: Sequence[bool]) -> BlockResult:
        """Play a piece; who is benched folds every hand."""
        setup, specs = self._job.setup, self._job.specs
        pages = Pages(setup) if self._job.phh else None
        said = [entrant.said[0] for entrant in self._entrants]
        with Dice(int.from_bytes(setup.lot("dice", number)[:8], "little")):
            table = ArenaTable(setup, self._pit, [spec.name for spec in specs], pages.add if pages else None)
            for player, entrant in enumerate(self._entrants):
                if benched[player]:
                    table.bench(player)
                else:
                    self._seat(table, player, entrant, number)
            table.play(*setup.piece(number))
        scores = table.scores()
        for entrant, faults, before in zip(self._entrants, scores.faults, said, strict=True):
            told, words = entrant.said
            faults.said, faults.words = told - before, words
        return BlockResult(scores, table.deals(), pages.text() if pages else "")

    def _seat(self, table: ArenaTable, player: int, entrant: ReadyBot, number: int) -> None:
        """A fresh bot for the piece; one that cannot be made folds all of it."""
        lot = self._job.setup.lot("bot", number, player)
        try:
            table.seat(player, entrant.renew(int.from_bytes(lot[:8], "little")), entrant.over)
        except Exception as error:
            fault = error if isinstance(error, BotFault) else BotFault("raised", words_of(error))
            table.fault(player, fault)
            table.bench(player)

    def close(self) -> None:
        for entrant in self._entrants:
            entrant.close()


def play_piece(job: ArenaJob, key: bytes, number: int, benched: Sequence[bool]) -> BlockResult:
    """Play a piece in a process that keeps its bots for the next one; `key` names the run."""
    return crew_of(key, lambda: LocalCrew(job)).play(number, benched)


def blocks_of(job: ArenaJob, place: ArenaPlace, progress: Callable[[float], object] | None = None) -> Iterator[Block]:
    """All blocks of a run, in order; `progress` is told after every piece."""
    setup = job.setup
    key = secrets.token_bytes(8)
    told: list[list[int]] = []
    slow = [0] * len(job.specs)

    def submit(number: int) -> RunningPiece:
        known = told[number - MOST_AT_ONCE] if number >= MOST_AT_ONCE else [0] * len(job.specs)
        return place.submit(play_piece, job, key, number, [count >= SLOW_ENOUGH for count in known])

    pieces: list[BlockResult] = []
    for piece in in_order(setup.pieces, place.at_once, submit):
        slow = [before + faults.slow for before, faults in zip(slow, piece.scores.faults, strict=True)]
        told.append(slow)  # known so many pieces later, however many are played at once
        pieces.append(piece)
        if len(pieces) == setup.rotations:
            yield Block.of(pieces)
            pieces.clear()
        if progress is not None:
            progress(len(told) / setup.pieces)
