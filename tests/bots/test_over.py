"""Bots are told how hands and games end that they were in: once each, and never a card that they may not see."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, ClassVar, cast

import chess.pgn
import pytest
from harness.processes import ServerProcess
from tests.bots.machines import new_server, seated, started
from tests.patience import time_limit, until_found

import parlour
from parlour.bots import Bot, ChessView, GameOver, HandOver, HoldemView
from parlour.bots.arena import arena
from parlour.bots.arena.chess.match import match
from parlour.bots.arena.entrants import File, Own
from parlour.bots.sdk.deciding import Deciding
from parlour.bots.sdk.loading import load
from parlour.bots.sdk.program import Program
from parlour.bots.sdk.results import Results
from parlour.client import ApiError, AsyncClient, AsyncTable

DOCS = Path(__file__).parents[2] / "docs/bots.md"
NOTES = """
import json
from dataclasses import asdict
from pathlib import Path

class Notes:
    def act(self, view):
        if view.game == "chess":
            return view.resign() if len(view.moves) > 3 else view.legal_moves[0]
        return view.call()

    async def over(self, result):
        with Path(__file__).with_suffix(".notes").open("a") as file:
            file.write(json.dumps(asdict(result)) + "\\n")
"""
CALLER = "def act(view): return view.call()"


class Notes(Bot):
    """Calls, sometimes folds, and writes down what it is told."""

    told: ClassVar[list[HandOver]] = []
    seen: ClassVar[dict[tuple[int, int], list[str]]] = {}

    def act(self, view: HoldemView) -> object:
        self.seen[view.hand_number, view.seat] = view.cards
        return view.raise_pot(1) if view.hand_number % 3 == 0 else view.call()

    async def over(self, result: HandOver) -> None:
        self.told.append(result)


@pytest.fixture(autouse=True)
def _afresh() -> None:
    Notes.told.clear()
    Notes.seen.clear()


def sticky(view: HoldemView) -> object:
    return view.check_or_fold() if view.hand_number % 5 == 0 else view.call()


@pytest.mark.parametrize("seats", [2, 4])
def test_in_the_arena_every_hand_is_told_once_with_its_chips(seats: int) -> None:
    others = {f"other {number}": sticky for number in range(1, seats)}
    result = arena({"notes": Notes, **others}, hands=60, adjust=False, seed=3)
    told = Notes.told
    assert [each.number for each in told] == list(range(1, result.hands + 1))
    me = result.players[0]
    assert sum(each.won for each in told) == pytest.approx(me.mbb_per_hand * result.hands * 2 / 1000)
    for each in told:
        assert set(each.stacks_before.values()) == {200}
        assert sum(each.stacks_after.values()) == 200 * seats
        assert each.names[each.seat] == "notes"
        got = Counter[int]()
        for pot in each.pots:
            assert sum(pot.shares) == pot.amount
            assert set(pot.winners) <= set(pot.seats)
            got.update(dict(zip(pot.winners, pot.shares, strict=True)))
        losers = [seat for seat in each.names if seat not in got]
        assert all(each.stacks_after[seat] <= 200 for seat in losers)
        assert each.showdown == (len(each.board) == 5)
        assert each.actions[-1].type in ("fold", "call", "check")
    assert {each.showdown for each in told} == {True, False}


def test_in_the_arena_only_cards_that_were_shown_are_told() -> None:
    class Everybody(Notes):
        """In every seat, so that all hands are known here, and each seat is told by itself."""

    arena({"a": Everybody, "b": Everybody, "c": sticky}, hands=90, seed=5)
    told, hidden, shown = Notes.told, 0, 0
    for each in told:
        assert each.cards == each.shown[each.seat] == Notes.seen.get((each.number, each.seat), each.cards)
        last = each.actions[-1]
        folded = {step.seat for step in each.actions if step.type == "fold"}
        others = set(each.shown) - {each.seat}
        assert not others & folded
        if not each.showdown:
            assert not others
        elif last.street != "river":
            assert others == set(each.names) - folded - {each.seat}
        else:
            assert {seat for pot in each.pots for seat in pot.winners} <= {*others, each.seat}
        hidden += len(others) < len(each.names) - 1
        shown += bool(others)
    assert min(hidden, shown) > 10


def test_a_hand_that_lost_behind_one_that_was_shown_is_told_to_nobody() -> None:
    """Who bet on the river shows first, else who sits left of the button; then only who wins or ties shows."""

    class Bets(Notes):
        def act(self, view: HoldemView) -> object:
            self.seen[view.hand_number, view.seat] = view.cards
            may_bet = view.street == "river" and view.hand_number % 2 and not view.to_call
            return view.raise_pot(0.5) if may_bet else view.call()

    arena({"a": Bets, "b": Bets}, hands=80, stack=10_000, seed=6)
    mucked = 0
    for each in Notes.told:
        assert each.showdown
        rivers = [step for step in each.actions if step.street == "river"]
        bettors = [step.seat for step in rivers if step.type in ("bet", "raise")]
        first = bettors[-1] if bettors else rivers[0].seat
        shows = {each.seat, first, *each.pots[0].winners}
        assert {seat: Notes.seen[each.number, seat] for seat in shows} == each.shown
        mucked += len(shows) == 1
    assert mucked > 10


def test_what_is_written_to_a_bots_process_has_no_hidden_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.py").write_text(NOTES)
    lines: list[bytes] = []
    write = Program._write

    def noted(self: Program, message: dict[str, Any] | bytes) -> None:
        lines.append(message if isinstance(message, bytes) else json.dumps(message).encode())
        write(self, message)

    monkeypatch.setattr(Program, "_write", noted)
    arena({"file": str(tmp_path / "notes.py"), "notes": Notes, "sticky": sticky}, hands=60, seed=4)
    frames = [json.loads(line)["over"] for line in lines if line.startswith(b'{"over"')]
    assert len(frames) == 60
    own = {each.number: each for each in Notes.told}
    kept_back = 0
    for frame in frames:
        other = own[frame["number"]]
        told = set(re.findall(r'"([2-9TJQKA][cdhs])"', json.dumps(frame)))
        if str(other.seat) not in frame["shown"]:
            kept_back += 1
            assert not told & set(other.cards)
        assert told == {card for cards in (*frame["shown"].values(), *frame["boards"]) for card in cards}
    assert kept_back > 5


def test_a_file_a_class_and_an_object_are_told_the_same(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(NOTES)
    inside = load(tmp_path / "notes.py").make()
    notes = tmp_path / "notes.notes"

    def told(entry: object) -> list[str]:
        notes.unlink(missing_ok=True)
        result = arena({"notes": entry, "sticky": sticky}, hands=20, seed=2)
        assert [player.faults for player in result.players] == [0, 0]
        return notes.read_text().splitlines()

    lines = told(str(tmp_path / "notes.py"))
    assert len(lines) == 20
    assert told(type(inside)) == told(inside) == lines


def test_with_several_seats_a_bot_is_told_of_each() -> None:
    arena({"notes": Notes}, hands=4, seats=2, seed=1)
    assert sorted((each.number, each.seat) for each in Notes.told) == [(n, s) for n in range(1, 5) for s in (0, 1)]


WRONG = {
    "raised": "raise ValueError('nobody told me')",
    "exit": "import os; os._exit(3)",
    "time": "import time; time.sleep(3600)",
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_goes_wrong_when_a_bot_is_told_is_a_fault_and_costs_no_hand(kind: str, tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLER)
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        f"class Wrong:\n    def act(self, view): return view.call()\n    def over(self, result): {WRONG[kind]}"
    )
    hands = 2 if kind != "raised" else 20
    plain = arena({"bot": str(tmp_path / "calls.py"), "sticky": sticky}, hands=hands, duplicate=False, seed=2)
    seconds = 0.2 if kind == "time" else 20.0
    result = arena({"bot": str(wrong), "sticky": sticky}, hands=hands, duplicate=False, seed=2, seconds=seconds)
    assert result.players[0].details.counts == {kind: hands}
    assert result.players[1].faults == 0
    assert result.players[0].mbb_per_hand == plain.players[0].mbb_per_hand


def test_an_exception_of_a_class_is_a_fault() -> None:
    class Wrong:
        def act(self, view: HoldemView) -> object:
            return view.call()

        def over(self, result: HandOver) -> None:
            raise KeyError(result.number)

    result = arena({"wrong": Wrong, "calls": lambda view: view.call()}, hands=10, seed=1)
    assert result.players[0].details.counts == {"raised": 10}
    assert result.players[1].faults == 0


def test_a_bot_without_the_method_is_told_nothing(tmp_path: Path) -> None:
    class Quiet(Bot):
        def act(self, view: HoldemView) -> object:
            return view.call()

    (tmp_path / "calls.py").write_text(
        "from parlour.bots import Bot\nclass Calls(Bot):\n    def act(self, view): return view.call()\n"
    )
    for entrant in (Own(Quiet), Own(sticky), File(str(tmp_path / "calls.py"), 20.0, None)):
        entrant.renew(1)
        assert entrant.over is None
        entrant.close()


class Resigns:
    told: ClassVar[list[GameOver]] = []

    def act(self, view: ChessView) -> object:
        return view.resign() if len(view.moves) > 20 else view.legal_moves[0]

    def over(self, result: GameOver) -> None:
        self.told.append(result)
        if result.color == "black":
            raise ValueError


def test_games_of_chess_in_the_arena(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(NOTES)
    Resigns.told.clear()
    result = match({"resigns": Resigns, "notes": str(tmp_path / "notes.py")}, games=2, seconds=60, seed=1)
    theirs = [json.loads(line) for line in (tmp_path / "notes.notes").read_text().splitlines()]
    assert [told.number for told in Resigns.told] == [told["number"] for told in theirs] == [1, 2]
    for mine, other in zip(Resigns.told, theirs, strict=True):
        assert {mine.color, other["color"]} == {"white", "black"}
        assert (mine.result, mine.winner, mine.reason) == (other["result"], other["winner"], other["reason"])
        assert mine.reason == "resignation"
        assert mine.names[mine.color] == "resigns"
        game = chess.pgn.read_game(io.StringIO(mine.pgn))
        assert game is not None
        assert game.headers["Result"] == mine.result == {"white": "1-0", "black": "0-1"}[str(mine.winner)]
    assert result.players[0].faults.counts == {"raised": 1}
    assert result.players[1].faults.total == 0
    assert result.players[0].wins == result.games


def documented() -> type[Any]:
    section = DOCS.read_text().partition("### How a hand or a game ended\n")[2].partition("\n## ")[0]
    found = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found
    names: dict[str, Any] = {"__name__": "watcher"}
    exec(found[1], names)
    kind: type[Any] = names["Watcher"]
    return kind


def test_the_documented_bot_counts_the_bluffs_that_were_shown() -> None:
    kind = documented()
    bots: list[Any] = []

    class Watcher(kind):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            bots.append(self)

    def maniac(view: HoldemView) -> object:
        return view.raise_pot(1)

    arena({"watcher": Watcher, "maniac": maniac, "calls": lambda view: view.call()}, hands=60, seed=1)
    assert sum(bot.bluffs["maniac"] for bot in bots) > 0
    assert not any(bot.bluffs["calls"] for bot in bots)
    watcher = kind()
    bluff = HandOver(
        *(7, 0, "holdem", "no-limit", {0: "me", 1: "Eve"}, {0: 100, 1: 100}, {0: 120, 1: 80}, []),
        boards=[["2c", "7d", "9h", "Js", "Kd"]],
        shown={0: ["Kc", "Ks"], 1: ["3c", "4d"]},
        showdown=True,
        actions=[parlour.bots.Step(1, "river", "bet", 20), parlour.bots.Step(0, "river", "call", 20)],
    )
    watcher.over(bluff)
    assert watcher.bluffs == {"Eve": 1}


# At a server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with new_server(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


async def told_by(notes: Path, count: int) -> list[dict[str, Any]]:
    async def all_told() -> bool:
        return len(lines_of(notes)) >= count

    await until_found(all_told)
    return lines_of(notes)


def lines_of(notes: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []


async def house_table(host: AsyncClient, **settings: Any) -> AsyncTable:
    await host.register("Host")
    table = await host.create_table("holdem", **{"seats": 2, "hand_delay": 0, "action_seconds": 60} | settings)
    await table.host("add_bot", style="tight")
    return table


async def start_when_full(table: AsyncTable) -> None:
    async def full() -> bool:
        return all(seat["player"] for seat in (await table.view())["seats"])

    await until_found(full)
    await table.start()


async def test_every_hand_at_a_table_is_told_once_while_the_server_is_killed(
    server: ServerProcess, tmp_path: Path
) -> None:
    (tmp_path / "notes.py").write_text(NOTES)
    hands = 12
    async with time_limit(), AsyncClient(server.url) as host:
        table = await house_table(host)
        async with seated(str(tmp_path / "notes.py"), server.url, table.code, "--rounds", str(hands), "--json") as bot:
            await start_when_full(table)
            await told_by(tmp_path / "notes.notes", 4)
            server.kill()
            server.start()
            code, out, err = await bot.result()
        assert code == 0, err
        assert json.loads(out)["faults"] == {}, err
        told = await told_by(tmp_path / "notes.notes", hands)
        numbers = [each["number"] for each in told]
        assert numbers == list(range(1, numbers[-1] + 1))
        for each in told:
            record = await table.round(each["number"])  # as the host sees it, who had no cards
            shown = {seat for seat in record["summary"]["shown"] if seat != str(each["seat"])}
            assert set(each["shown"]) == shown | {str(each["seat"])}
            assert len(each["shown"][str(each["seat"])]) == 2
            assert each["boards"] == [record["summary"]["board"]]
            net = record["summary"]["net"]
            before, after = each["stacks_before"], each["stacks_after"]
            assert {seat: after[seat] - before[seat] for seat in before} == net
            (ended,) = [event for event in record["events"] if event["type"] == "hand_ended"]
            assert after == ended["stacks"]
            assert sum(pot[0] for pot in each["pots"]) == record["summary"]["pot"]
            assert set(each["names"].values()) == {"notes", *record["names"].values()}


async def test_a_raise_at_a_table_when_a_hand_is_told_is_a_fault_and_costs_no_hand(
    server: ServerProcess, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("class Wrong:\n    def act(self, view): return view.call()\n    def over(self, result): 1 / 0")
    async with time_limit(), AsyncClient(server.url) as host:
        table = await house_table(host)
        async with seated(str(wrong), server.url, table.code, "--rounds", "3", "--json") as bot:
            await start_when_full(table)
            code, out, err = await bot.result()
        assert code == 0, err
        told = json.loads(out)
        assert told["rounds"] == 3
        assert set(told["faults"]) == {"raised"}
        assert told["faults"]["raised"] >= 3
        assert "round 1, told of its end: the bot raised an exception: ZeroDivisionError" in err
        assert "in its place" not in err


async def test_games_of_chess_at_a_table(server: ServerProcess, tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(NOTES)
    async with time_limit(), AsyncClient(server.url) as host:
        await host.register("Host")
        table = await host.create_table("chess", untimed=True)
        await table.host("add_bot", style="easy")
        async with seated(str(tmp_path / "notes.py"), server.url, table.code, "--rounds", "2") as bot:
            await start_when_full(table)
            code, _, err = await bot.result()
        assert code == 0, err
        told = await told_by(tmp_path / "notes.notes", 2)
        for number, each in enumerate(told, start=1):
            record = await table.round(number)
            assert each["number"] == number
            assert each["pgn"] == await table.export(number, "pgn")
            assert each["reason"] == record["summary"]["reason"] == "resign"
            assert each["winner"] == record["summary"]["winner"] != each["color"]
        assert len(told) == 2


async def test_in_a_tournament_every_hand_is_told_at_every_table(server: ServerProcess, tmp_path: Path) -> None:
    async with time_limit(), AsyncExitStack() as stack:
        host = await stack.enter_async_context(AsyncClient(server.url))
        await host.register("Host")
        cup = await host.create_tournament("holdem", "Four", "mtt", entries_max=4, seats=2, stack=200, hand_delay=0)
        names, bots = ("ann", "bob", "cy"), []
        for name in names:
            (tmp_path / f"{name}.py").write_text(NOTES.replace("return view.call()", "return view.all_in()"))
            options = ("--tournament", cup.code, "--token", str(tmp_path / f"{name}.token"))
            bots.append(await stack.enter_async_context(started(str(tmp_path / f"{name}.py"), server.url, *options)))

        async def all_in_it() -> bool:
            return len((await cup.view())["entries"]) == len(names)

        await until_found(all_in_it)
        await cup.host("add_bot", count=1, style="tight")
        await cup.start()
        results = await asyncio.gather(*(bot.result() for bot in bots))
        assert [code for code, _, _ in results] == [0, 0, 0], results
        tables = set()
        for name in names:
            token = (tmp_path / f"{name}.token").read_text().strip()
            me = await stack.enter_async_context(AsyncClient(server.url, token))
            played = (await me.request("GET", "/api/v1/me/rounds?limit=200"))["rounds"]
            tables |= {line["code"] for line in played}
            told = lines_of(tmp_path / f"{name}.notes")
            mine = [(each["number"], each["shown"][str(each["seat"])]) for each in told]
            assert mine == [(line["number"], line["you"]["cards"]) for line in reversed(played)]
            assert told[-1]["stacks_after"][str(told[-1]["seat"])] in (0, 800)
        assert len(tables) == 2


class Record:
    """A server with these rounds, and a bot that writes down what it is told."""

    def __init__(self, rounds: dict[str, dict[int, bool]]) -> None:
        self.rounds = rounds
        """By table: the finished rounds, and whether the bot was in them."""
        self.asked: list[tuple[str, int]] = []
        self.told: list[int] = []
        self.hears = True
        self.results = Results(cast(AsyncClient, self), cast(Deciding, self), lambda line: None)

    def table(self, code: str) -> Record.Table:
        return Record.Table(self, code)

    async def hear(self, result: HandOver) -> None:
        self.told.append(result.number)

    async def see(self, code: str, number: int, over: bool = False, seats: tuple[int, ...] = (0,)) -> None:
        result = {"hand": number} if over else None
        state = {"hand": number, "result": result}
        await self.results.follow({"game": "holdem", "code": code, "state": state, "you": {"seats": list(seats)}})

    class Table:
        def __init__(self, record: Record, code: str) -> None:
            self.record, self.code = record, code

        async def history(self) -> list[dict[str, Any]]:
            rounds = self.record.rounds[self.code]
            return [{"number": number, "you": {} if rounds[number] else None} for number in sorted(rounds)[::-1]]

        async def round(self, number: int) -> dict[str, Any]:
            self.record.asked.append((self.code, number))
            if number not in self.record.rounds[self.code]:
                raise ApiError(404, "unknown_round", "there is no such round")
            played = self.record.rounds[self.code][number]
            facts = {"variant": "holdem", "limit": "no-limit", "net": {}, "board": [], "shown": {}, "showdown": False}
            events = [{"type": "hand_started", "stacks": {}}, {"type": "hand_ended", "pots": []}]
            you = {"seats": [0], "cards": ["As", "Ah"]} if played else None
            return {"game": "holdem", "number": number, "names": {}, "summary": facts, "you": you, "events": events}


async def test_what_ended_while_the_connection_was_broken_is_told_afterwards() -> None:
    record = Record({"A": {3: True, 4: True, 5: False, 6: True, 7: True}})
    await record.see("A", 3, over=True)
    assert record.told == []  # it was over before
    await record.see("A", 4)
    await record.see("A", 7)
    assert record.told == [4, 6]
    for _ in range(2):
        await record.see("A", 7, over=True)
    await record.see("A", 8)
    assert record.told == [4, 6, 7]
    assert record.asked == [("A", number) for number in (4, 5, 6, 7)]


async def test_the_hand_that_a_bot_leaves_is_told_and_none_after_it() -> None:
    record = Record({"A": {1: True, 2: False, 3: False}})
    await record.see("A", 1)
    await record.see("A", 1, seats=())
    await record.see("A", 2, seats=())
    await record.see("A", 3, over=True, seats=())
    assert (record.told, record.asked) == ([1], [("A", 1)])


async def test_a_bot_that_was_moved_is_told_what_ended_at_both_tables() -> None:
    record = Record({"A": {1: True, 2: True}, "B": {1: False, 2: False, 3: True}})
    await record.see("A", 1)
    await record.see("B", 4)
    assert record.told == [1, 2, 3]
    await record.results.finish()
    assert record.told == [1, 2, 3]


async def test_a_bot_that_does_not_listen_costs_no_request() -> None:
    record = Record({"A": {1: True}})
    record.hears = False
    await record.see("A", 1)
    await record.see("A", 2)
    await record.results.finish()
    assert (record.told, record.asked) == ([], [])
