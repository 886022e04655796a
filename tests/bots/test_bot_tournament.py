"""`parlour bot --tournament`: a bot enters, plays at every table that it is moved to, and says how it came out."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from harness.processes import ServerProcess
from tests.bots.machines import PARLOUR, new_server, started
from tests.patience import time_limit, until_found

from parlour.client import AsyncClient, AsyncTournament

CALLER = "def act(view): return view.call()\n"
RESIGNER = """
def act(view):
    return view.resign() if view.color == "black" and len(view.moves) > 4 else sorted(view.legal_moves)[0]
"""
QUICK = {"stack": 200, "levels": [[6, 10, 20, 0], [6, 50, 100, 0]], "level_by": "hands", "hand_delay": 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with new_server(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest.fixture(autouse=True)
async def _in_time() -> AsyncIterator[None]:
    async with time_limit():
        yield


async def entered(tournament: AsyncTournament, number: int) -> None:
    async def look() -> bool:
        return len((await tournament.view())["entries"]) == number

    await until_found(look)


async def test_bots_play_tournaments_to_their_end_while_the_server_is_killed(
    server: ServerProcess, tmp_path: Path
) -> None:
    """Hold'em at two tables that become one, and two games of chess; the server is killed in the middle of both."""
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "resigner.py").write_text(RESIGNER)
    async with AsyncClient(server.url) as host, AsyncExitStack() as processes:
        await host.register("Host")
        poker = await host.create_tournament("holdem", "Four", "mtt", entries_max=4, seats=2, **QUICK)
        chess = await host.create_tournament("chess", "Two", "round_robin", cycles=2, round_pause=0)
        bots = {
            name: await processes.enter_async_context(
                started(str(tmp_path / file), server.url, "--tournament", code, "--name", name, "--json")
            )
            for name, file, code in (
                ("Ann", "caller.py", poker.code),
                ("Ben", "caller.py", poker.code),
                ("Cy", "resigner.py", chess.code),
                ("Di", "resigner.py", chess.code),
            )
        }
        await asyncio.gather(entered(poker, 2), entered(chess, 2))
        await poker.host("add_bot", count=2, style="tight")
        await asyncio.gather(poker.start(), chess.start())

        async def under_way() -> bool:
            return all([any(table["round"] for table in (await one.view())["tables"]) for one in (poker, chess)])

        await until_found(under_way)
        server.kill()
        server.start()
        told = {name: _told(*await bot.result()) for name, bot in bots.items()}
        ends = [await until_finished(one) for one in (poker, chess)]
    assert all(one["faults"] == {} for one in told.values())
    assert (told["Cy"]["rounds"], told["Di"]["rounds"]) == (2, 2)
    for view, names in zip(ends, (("Ann", "Ben"), ("Cy", "Di")), strict=True):
        places = {line["entry"]: (line["place"], line["prize"]) for line in view["standings"]}
        own = {entry["player"]["name"]: entry for entry in view["entries"] if entry["player"]["name"] in names}
        assert all(entry["player"]["bot"] for entry in own.values())
        assert {name: (told[name]["place"], told[name]["prize"]) for name in names} == {
            name: places[entry["entry"]] for name, entry in own.items()
        }


async def until_finished(tournament: AsyncTournament) -> dict[str, Any]:
    async for view in tournament.follow(0.05):  # noqa: B007 - the last one counts
        pass
    return view


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--table", "ABCD", "--tournament", "EFGH"], "one place: --table CODE, --tournament CODE or --ladder"),
        (["--tournament", "EFGH", "--seat", "1"], "--seat is for tables"),
        (["--tournament", "EFGH", "--no-rebuy"], "--no-rebuy is for tables"),
        (["--ladder", "--buy-in", "100"], "--buy-in is for tables"),
        (["--table", "ABCD", "--game", "chess"], "--game is for the ladder"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: list[str], fault: str, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    command = [PARLOUR, "bot", "caller.py", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert fault in done.stderr


async def test_a_tournament_that_cannot_be_entered_is_told_in_words(server: ServerProcess, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    async with AsyncClient(server.url) as host:
        await host.register("Host")
        full = await host.create_tournament("holdem", "Full", "mtt", entries_max=2, **QUICK)
        await full.host("add_bot", count=2)
        for code, words in ((full.code, "every place in this tournament is taken"), ("NOPE12", "no tournament NOPE12")):
            async with started(str(tmp_path / "caller.py"), server.url, "--tournament", code) as bot:
                status, _, err = await bot.result()
            assert status == 1
            assert words in err.splitlines()[-1]


def _told(code: int, out: str, err: str) -> dict[str, Any]:
    assert code == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer
