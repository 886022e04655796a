"""Real node processes over a real PostgreSQL: frozen for longer than a lease, killed, woken, drained.

Each plays at the tables that it owns and says what was acknowledged. In the end the log has all of that once.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from tests.nodes.cluster import Cluster
from tests.patience import until

ROOT = Path(__file__).parents[2]
PEOPLE = 3
CHIPS = 500


class Worker:
    """A process of `tests.nodes.worker`."""

    def __init__(self, url, codes):
        self._command = [sys.executable, "-m", "tests.nodes.worker", url, *codes]
        self.acknowledged = []
        self.owns = []
        self.lines = []

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(*self._command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        self._reading = asyncio.create_task(self._read())
        await until(lambda: self.lines or self._reading.done())
        assert self.lines[0].startswith("READY"), self.lines
        return self

    async def _read(self):
        async for line in self.process.stdout:
            if not line.endswith(b"\n"):
                break  # it was killed as it wrote this
            words = line.decode().split()
            self.lines.append(line.decode().strip())
            if words[0] == "ACK":
                self.acknowledged.append((words[1], words[2], int(words[3])))
            elif words[0] == "OWNS":
                self.owns.append(words[1])

    async def more(self, number=5):
        """Wait until it has played on."""
        wanted = len(self.acknowledged) + number
        await until(lambda: len(self.acknowledged) >= wanted)

    async def end(self, how):
        if self.process.returncode is None:
            self.process.send_signal(how)
        await self.process.wait()
        await self._reading


@pytest.fixture
async def cluster(database):
    cluster = Cluster(database)
    yield cluster
    await cluster.close()


@pytest.fixture
async def codes(cluster):
    """Tables where everybody sits and the game goes on by itself; their maker has left them to others."""
    maker = await cluster.join()
    people = [(await maker.parlour.create_identity(name))[0] for name in ("Ada", "Bo", "Cy")]
    codes = []
    for _ in range(3):
        info = await maker.parlour.create_table(
            people[0], "highcard", {"seconds": 60, "delay": 0, "ante": 1, "chips": CHIPS}
        )
        table = await maker.parlour.open(info.code)
        for person in people:
            await table.sit(person, None, {})
        await table.start(people[0])
        codes.append(info.code)
    await maker.parlour.drain()
    return codes


@pytest.fixture
async def start(database, codes):
    made = []

    async def start():
        made.append(Worker(database, codes))
        return await made[-1].start()

    yield start
    for worker in made:
        if worker.process.returncode is None:
            worker.process.send_signal(signal.SIGCONT)
            worker.process.kill()
            await worker.process.wait()


async def check(cluster, codes, workers):
    """The log has every acknowledged action once, where it was said to be; numbers, chips and states are whole."""
    viewer = await cluster.join()
    acknowledged = [one for worker in workers for one in worker.acknowledged]
    assert len({(code, seq) for code, _, seq in acknowledged}) == len(acknowledged)
    for code in codes:
        entry = await viewer.store.table(code)
        rows = await viewer.store.rows(entry.id, 0)
        keys = [row.key.split("\x1f")[0] if row.key else None for row in rows]
        for where, key, seq in acknowledged:
            if where == code:
                assert keys[seq - 1].startswith(key)
        given = [key for key in keys if key]
        assert len(given) == len(set(given))
        await viewer.ownership.take_orphans()
        table = await viewer.parlour.open(code)
        state = await cluster.replayed(table)
        assert state.freeze() == table.state.freeze()
        assert sum(state.play.stacks.values()) + state.play.pot == PEOPLE * CHIPS


async def test_a_frozen_owner_wakes_and_harms_nothing(cluster, codes, start):
    first = await start()
    await until(lambda: set(first.owns) == set(codes))
    await first.more()
    second = await start()
    first.process.send_signal(signal.SIGSTOP)
    await until(lambda: set(second.owns) == set(codes))
    await second.more()
    first.process.send_signal(signal.SIGCONT)
    await second.more(20)
    before = len(first.owns)
    await second.end(signal.SIGTERM)
    assert second.lines[-1] == "ENDED"
    await until(lambda: set(first.owns[before:]) == set(codes))
    await first.more()
    await first.end(signal.SIGTERM)
    assert first.lines[-1] == "ENDED"
    await check(cluster, codes, [first, second])


async def test_killed_owners_are_followed_by_others(cluster, codes, start):
    workers = [await start() for _ in range(3)]
    for victim in range(2):
        await until(lambda: set().union(*(worker.owns for worker in workers)) == set(codes))
        if workers[victim].owns:
            await workers[victim].more()
        await workers[victim].end(signal.SIGKILL)
    survivor = workers[2]
    await until(lambda: set(survivor.owns) == set(codes))
    await survivor.more()
    await survivor.end(signal.SIGTERM)
    assert survivor.lines[-1] == "ENDED"
    await check(cluster, codes, workers)


@pytest.mark.parametrize("pause", [0.0, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.3, 1.0))])
async def test_a_node_that_was_taken_for_dead_stops_when_it_is_told_to(codes, start, pause):
    """Shortly after it woke up, whatever it is doing then."""
    first, second = await start(), await start()
    await until(lambda: set(first.owns + second.owns) == set(codes))
    first.process.send_signal(signal.SIGSTOP)
    await until(lambda: set(second.owns) == set(codes))
    first.process.send_signal(signal.SIGCONT)
    await asyncio.sleep(pause)
    await first.end(signal.SIGTERM)
    assert first.lines[-1] == "ENDED"
    await second.end(signal.SIGTERM)
    assert second.lines[-1] == "ENDED"
