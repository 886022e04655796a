"""The arena: which of several bots is better, and how sure that is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO

from parlour.bots.arena.blocks import ArenaJob, blocks_of
from parlour.bots.arena.entrants import Entry, specs_of
from parlour.bots.arena.files import to_write
from parlour.bots.arena.result import ArenaResult, BotStanding, result_of
from parlour.bots.arena.score import ArenaScores
from parlour.bots.arena.setup import Setup
from parlour.bots.arena.spread import place_of

__all__ = ["ArenaResult", "BotStanding", "Entry", "Setup", "arena"]

MOST_SEATS = 10


def arena(
    policies: Mapping[str, Entry] | Sequence[Entry],
    hands: int = 10_000,
    *,
    seats: int | None = None,
    stack: int = 200,
    blinds: tuple[int, int] = (1, 2),
    ante: int = 0,
    variant: str = "holdem",
    limit: str = "no-limit",
    seed: int = 0,
    duplicate: bool = True,
    adjust: bool = True,
    workers: int = 1,
    ray: str | None = None,
    seconds: float = 2.0,
    memory: int | None = 1024,
    phh: str | Path | None = None,
    progress: Callable[[float], object] | None = None,
) -> ArenaResult:
    """Let bots play each other at hold'em and its kin, and say who is better by how much.

    A bot is a function from a view to an action, a class or an object with a method `act`, a Python file, a program, or
    `house:STYLE`; as a list, or as a dict by name. Every player starts every hand with the same stack. With `duplicate`
    each deal is played once for each seat with the button moved on, so that everybody has everybody's cards, and bots
    begin anew in between; with `adjust` an all-in before the river counts with its expectation. Both only take chance
    out.

    There are as many seats as bots by default. With more bots than seats they take turns; with fewer, each has several.
    The same seed gives the same result with any number of `workers`, as long as the bots leave nothing to chance but
    what Python's and NumPy's dice say. Bots from files run in processes of their own, with so many `seconds` for a
    decision and megabytes of `memory`; functions and classes are trusted. A file that cannot be loaded is a
    `ValueError`. What a bot does wrong in play is counted, its hand is folded, and the run goes on. `ray` is the
    address of a Ray cluster to play on (`local` starts one here). `phh` is a file for all hands. `progress` is called
    with the fraction done.

    >>> result = arena({"caller": lambda view: view.call(), "folder": lambda view: view.check_or_fold()}, hands=1000)
    >>> [player.name for player in sorted(result.players, key=lambda player: -player.mbb_per_hand)]
    ['caller', 'folder']
    """
    specs = specs_of(policies, memory)
    chairs = seats if seats is not None else max(2, min(MOST_SEATS, len(specs)))
    setup = Setup(
        *(hands, chairs, stack, blinds, ante, variant, limit, seed, duplicate, adjust, seconds, memory),
    )
    setup.check()
    job = ArenaJob(setup, specs, phh is not None)
    scores, begun = ArenaScores.of(len(specs)), time.perf_counter()
    with place_of(workers, ray, job) as place, _opened(phh) as file:
        for block in blocks_of(job, place, progress):
            scores.add(block.scores)
            if file is not None:
                file.write(block.phh)
    return result_of(setup, [spec.name for spec in specs], scores, time.perf_counter() - begun)


def _opened(path: str | Path | None) -> AbstractContextManager[IO[str] | None]:
    return nullcontext() if path is None else to_write(path)
