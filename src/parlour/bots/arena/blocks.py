"""A piece of work: a block of deals, played the same wherever it is played."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parlour.bots.arena.crews import crew_of
from parlour.bots.arena.dice import Dice
from parlour.bots.arena.entrants import Entrant, Spec
from parlour.bots.arena.phh import Pages
from parlour.bots.arena.score import Scores
from parlour.bots.arena.setup import Setup
from parlour.bots.arena.spread import MOST_AT_ONCE, Place, Played, in_order
from parlour.bots.arena.table import Table
from parlour.bots.sdk.faults import BotFault, words_of

SLOW_ENOUGH = 10
"""How often a bot may end or be late in a run; then it folds every hand without being asked."""


@dataclass(frozen=True)
class Job:
    """All that somebody needs to play any block of a run."""

    setup: Setup
    specs: Sequence[Spec]
    phh: bool = False


@dataclass(frozen=True)
class Block:
    """What came of one."""

    scores: Scores
    phh: str = ""


class Crew:
    """The bots of a run in this process; they stay for the next block."""

    def __init__(self, job: Job) -> None:
        setup = job.setup
        self._job = job
        self._entrants: list[Entrant] = [spec.open(setup.seconds, setup.memory) for spec in job.specs]

    def play(self, number: int, benched: Sequence[bool]) -> Block:
        """Play a block; who is benched folds every hand."""
        setup, specs = self._job.setup, self._job.specs
        pages = Pages(setup) if self._job.phh else None
        said = [entrant.said[0] for entrant in self._entrants]
        with Dice(int.from_bytes(setup.lot("dice", number)[:8], "little")):
            table = Table(setup, [spec.name for spec in specs], pages.add if pages else None)
            for player, entrant in enumerate(self._entrants):
                if benched[player]:
                    table.bench(player)
                else:
                    self._seat(table, player, entrant, number)
            for group in setup.groups_of(number):
                table.play_group(group)
        scores = table.scores()
        for entrant, faults, before in zip(self._entrants, scores.faults, said, strict=True):
            told, words = entrant.said
            faults.said, faults.words = told - before, words
        return Block(scores, pages.text() if pages else "")

    def _seat(self, table: Table, player: int, entrant: Entrant, number: int) -> None:
        """A fresh bot for the block; one that cannot be made folds all of it."""
        lot = self._job.setup.lot("bot", number, player)
        try:
            table.seat(player, entrant.renew(int.from_bytes(lot[:8], "little")))
        except Exception as error:
            fault = error if isinstance(error, BotFault) else BotFault("raised", words_of(error))
            table.fault(player, fault)
            table.bench(player)

    def close(self) -> None:
        for entrant in self._entrants:
            entrant.close()


def play_block(job: Job, key: bytes, number: int, benched: Sequence[bool]) -> Block:
    """Play a block in a process that keeps its bots for the next one; `key` names the run."""
    return crew_of(key, lambda: Crew(job)).play(number, benched)


def blocks_of(job: Job, place: Place) -> Iterator[Block]:
    """All blocks of a run, in order."""
    key = secrets.token_bytes(8)
    told: list[list[int]] = []
    slow = [0] * len(job.specs)

    def submit(number: int) -> Played:
        known = told[number - MOST_AT_ONCE] if number >= MOST_AT_ONCE else [0] * len(job.specs)
        return place.submit(play_block, job, key, number, [count >= SLOW_ENOUGH for count in known])

    for block in in_order(job.setup.blocks, place.at_once, submit):
        slow = [before + faults.slow for before, faults in zip(slow, block.scores.faults, strict=True)]
        told.append(slow)  # known so many blocks later, however many are played at once
        yield block
