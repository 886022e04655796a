"""The program in docs/bots.md that stands on the client itself plays as it stands there, however long it thinks and
whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from harness.processes import UNLIMITED, AsyncServerProcess, serve
from tests.bots.first_move_engine import ENGINE
from tests.patience import time_limit

from parlour.client import ApiError, AsyncClient, AsyncTable
from parlour.server import Limits

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
BOTS = DOCS / "bots.md"
HANDS = 500
THOUGHT = 0.02
"""Seconds that the bot thinks in the long game: as a second is to a person's pace, so is this to the pace there."""

SLOW_BOT = """\
import runpy, sys, time
import parlour

def slowly(*args, equity=parlour.equity, **options):
    time.sleep({thought})
    return equity(*args, **options)

parlour.equity = slowly
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""
"""Runs a program with a slower `parlour.equity`: the bot as it is in the documentation, with thought."""


def program(page: Path, heading: str) -> str:
    """The one program under a heading of the page."""
    section = page.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (found,) = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return str(found)


def serving(data: Path, *options: str) -> AsyncServerProcess:
    """A server without limits and without pauses of its bots."""
    return AsyncServerProcess(serve(data, *UNLIMITED, "--bot-pause", "0", *options))


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path / "data") as server:
        yield server.url


@asynccontextmanager
async def bot(folder: Path, url: str, code: str, thought: float) -> AsyncIterator[asyncio.subprocess.Process]:
    """The documented bot at a table, as a process of its own."""
    (folder / "bot.py").write_text(program(BOTS, "The client itself"))
    (folder / "slowly.py").write_text(SLOW_BOT.format(thought=thought))
    process = await asyncio.create_subprocess_exec(
        sys.executable, folder / "slowly.py", folder / "bot.py", url, code, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def test_the_limits_are_those_of_the_server() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\S+)` \|", BOTS.read_text(), re.MULTILINE))
    assert {"commands", "table", "requests"} <= set(rows)
    for name, rate in rows.items():
        assert str(getattr(Limits(), name)) == rate, f"docs/bots.md has another default for {name}"


async def refusals(client: AsyncClient) -> dict[str, float]:
    """What the server refused on its sockets, by code."""
    text = str(await client.request("GET", "/metrics"))
    return {code: float(n) for code, n in re.findall(r'^parlour_socket_refusals_total{code="(\w+)"} (\S+)', text, re.M)}


class Opponent:
    """Checks and calls, rebuys when broke, and has people talk whenever the bot begins to think."""

    def __init__(self, table: AsyncTable, chatting: list[AsyncTable]) -> None:
        self.table = table
        self.chatting = chatting
        self.said = 0
        self.during_thought = 0
        """Lines that were said between the bot's getting a turn and its answer."""
        self.acted = 0
        """Actions of the bot."""
        self._talks: set[asyncio.Task[None]] = set()

    async def play(self, hands: int, bot: asyncio.subprocess.Process) -> None:
        thinking = False
        async with self.table.connect() as connection:
            async for update in connection:
                assert bot.returncode is None, (await bot.stderr.read()).decode() if bot.stderr else ""
                view = update.view
                assert view is not None
                for event in update.events:
                    if event["type"] == "acted" and event["seat"] == 1:
                        self.acted += 1
                        thinking = False
                    elif event["type"] == "chat" and thinking:
                        self.during_thought += 1
                state = view["state"]
                if state["hand"] > hands:
                    return
                if view["seats"][1]["player"] and state["hand"] == 0 and view["status"] == "waiting":
                    await connection.start()
                elif "rebuy" in view["you"]["options"] and state["players"][0]["status"] == "busted":
                    await connection.act({"type": "rebuy"})
                elif view["legal"]:
                    kind = "check" if "check" in view["legal"]["actions"] else "call"
                    await connection.act({"type": kind}, update)
                elif state["actor"] == 1 and not thinking:
                    thinking = True
                    self._talks.add(task := asyncio.create_task(self._talk()))
                    task.add_done_callback(self._talks.discard)

    async def _talk(self) -> None:
        speaker = self.chatting[self.said % len(self.chatting)]
        self.said += 1
        with suppress(ApiError):  # one person may not talk without end
            await speaker.chat(f"line {self.said}")


async def open_table(host: AsyncClient, url: str, talkers: int) -> Opponent:
    await host.register("Host")
    table = await host.create_table("holdem", seats=2, hand_delay=0, action_seconds=300, buy_in=400)
    await table.sit(0)
    chatting = []
    for number in range(talkers):
        guest = AsyncClient(url, patience=0)
        await guest.register(f"Guest {number}")
        chatting.append(guest.table(table.code))
    return Opponent(table, chatting)


async def test_the_bot_thinks_for_a_second_at_a_table_that_talks(tmp_path: Path, url: str) -> None:
    async with AsyncClient(url) as host, time_limit():
        opponent = await open_table(host, url, talkers=3)
        async with bot(tmp_path, url, opponent.table.code, thought=1.0) as process:
            await opponent.play(4, process)
        assert opponent.acted >= 4
        assert opponent.during_thought >= 4
        view = await opponent.table.view()
        assert [seat["player"]["bot"] for seat in view["seats"]] == [False, True]
        assert await refusals(host) == {}
        await close(opponent)


async def test_five_hundred_hands_without_a_refusal(tmp_path: Path, url: str) -> None:
    async with AsyncClient(url) as host:
        opponent = await open_table(host, url, talkers=40)
        async with bot(tmp_path, url, opponent.table.code, THOUGHT) as process:
            await opponent.play(HANDS, process)
        assert opponent.acted > HANDS
        assert opponent.during_thought > HANDS / 10, "the table was quiet: nothing was tried"
        assert await refusals(host) == {}
        await close(opponent)


async def close(opponent: Opponent) -> None:
    for table in opponent.chatting:
        await table._client.close()


async def test_the_program_in_the_description_of_the_api_plays_a_game_to_its_end(tmp_path: Path, url: str) -> None:
    text = program(DOCS / "api.md", "From Python")
    assert "http://localhost:8080" in text
    done = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", text.replace("http://localhost:8080", url)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with time_limit():
            out, errors = await done.communicate()
    finally:
        if done.returncode is None:
            done.kill()
            await done.wait()
    assert done.returncode == 0, errors.decode()
    assert re.search(r"^1\. ", out.decode(), re.MULTILINE)
    assert re.search(r"(1-0|0-1|1/2-1/2)$", out.decode().strip())


async def test_the_operator_chooses_the_engine_its_level_and_its_time(tmp_path: Path) -> None:
    engine = tmp_path / "my-engine"
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    options = ("--engine", str(engine), "--engine-level", "7", "--engine-seconds", "0.3")
    async with (
        serving(tmp_path / "data", *options) as server,
        AsyncClient(server.url) as ann,
        time_limit(),
    ):
        await ann.register("Ann")
        table = await ann.create_table("chess", side="white", untimed=True)
        await table.sit(0)
        await table.host("add_bot", style="engine")
        await table.start()
        async with table.connect() as connection:
            async for update in connection:
                view = update.view
                assert view is not None
                if len(view["state"]["moves"]) == 2:
                    break
                if view["legal"]:
                    await connection.act({"type": "move", "uci": "e2e4"}, update)
    assert view["state"]["moves"][1] == "a7a5"
    notes = engine.with_name("my-engine.notes").read_text().splitlines()
    assert notes == ["started", "setoption name Skill Level value 7", "go movetime 300"]
