"""A server that is killed in the middle of a tournament, again and again: the next one goes on where it stopped.

The store dies at a random append: what was being written is lost, or is durable although nobody was told. The books are
then read from the beginning. `proofs/kill_tournaments.py` does the same to real processes.
"""

from __future__ import annotations

import random

import pytest
from tests.tiers import quick_first
from tests.tournaments.night import Night

LIVES = 5


@pytest.mark.parametrize("seed", quick_first(range(3)))
async def test_nothing_is_lost_or_doubled_wherever_a_server_is_killed(new_store, seed):
    night = Night(new_store, seed)
    chance = random.Random(seed)
    await night.open()
    await night.announce(11, seats=4, late_until=0, bounty=3)
    await night.kill()
    deaths = 0
    for life in range(LIVES):
        await night.open(chance.randrange(1, 90) if life < LIVES - 1 else None, lost=chance.random() < 0.5)
        if await night.survives(whole(night)):
            break
        deaths += 1
    state = await night.audit()
    assert deaths
    assert state.reason == "played"
    assert sorted(one.entry for one in state.standings) == list(range(1, 12))
    await night.close()


async def whole(night: Night) -> None:
    """From wherever the tournament stands to its end."""
    if (await night.state()).status == "registering":
        await night.tournaments.start(night.code, night.people[0])
    await night.play()
    await night.settled()
