"""ACPC matches: the words of a hand, whole matches with programs of their own, and programs that misbehave."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import structlog
from tests.patience import until, until_found

from parlour.children import running
from parlour.protocols.acpc import dealer, wakeful
from parlour.protocols.acpc.dealer import AcpcResult, DealerPort, Entrance
from parlour.protocols.acpc.games import GAMES, PortOffer, read_offer
from parlour.protocols.acpc.hands import DealtHand
from parlour.server import Config, parse_limits
from parlour.server.access import admission
from parlour.server.acpc import CONNECTIONS_EACH, _listen, dealing

from .acpc_client import to_act

CLIENT = Path(__file__).with_name("acpc_client.py")
IN_ORDER = list(range(52))


def hand(game: str, *actions: str) -> DealtHand:
    dealt = DealtHand(GAMES[game], 7, list(IN_ORDER))
    for action in actions:
        assert dealt.act(action), action
    return dealt


def test_heads_up_the_big_blind_is_position_0_and_the_other_acts_first() -> None:
    start = hand("2p-nolimit")
    assert start.actor == 1
    assert start.state(0) == "MATCHSTATE:0:7::2c2h|"
    assert start.state(1) == "MATCHSTATE:1:7::|2d2s"


def test_raises_count_the_chips_of_the_whole_hand() -> None:
    dealt = hand("2p-nolimit", "r300", "c", "r600", "c")
    assert dealt.state(0).split(":")[3] == "r300c/r600c/"
    assert dealt.act("r200") is False, "fewer chips than before are turned into the least raise"
    assert dealt.state(0).split(":")[3] == "r300c/r600c/r700"


def test_an_all_in_that_is_called_runs_the_board_out_and_shows_both_hands() -> None:
    dealt = hand("2p-nolimit", "r20000", "c")
    assert dealt.actor is None
    assert dealt.state(0) == "MATCHSTATE:0:7:r20000c///:2c2h|2d2s/3c3d3h/3s/4c"
    assert dealt.state(0)[11:] == dealt.state(1)[11:].replace("1:", "0:", 1)


def test_a_fold_shows_nothing() -> None:
    dealt = hand("2p-nolimit", "r300", "f")
    assert dealt.state(0) == "MATCHSTATE:0:7:r300f:2c2h|"
    assert dealt.state(1) == "MATCHSTATE:1:7:r300f:|2d2s"
    assert dealt.won == [-100, 100]


def test_six_handed_the_small_blind_is_position_0_and_the_third_acts_first() -> None:
    dealt = hand("6p-limit", "f", "c", "r", "f", "c", "f", "c")
    assert dealt.state(2).split(":")[3] == "fcrfcfc/"
    assert dealt.actor == 0


def test_a_fold_for_nothing_is_a_check_and_a_fifth_bet_a_call() -> None:
    dealt = hand("6p-limit", "r", "r", "r")
    assert dealt.act("r") is False
    dealt = hand("2p-limit", "c", "c")
    assert dealt.act("f") is False
    assert dealt.state(0).split(":")[3] == "cc/c"


@pytest.mark.parametrize("word", ["", "x", "r-5", "rr", "c c", "r1e9", "f:", "raise", "r" + "9" * 40])
def test_odd_words_are_turned_into_something_legal(word: str) -> None:
    dealt = hand("2p-nolimit")
    assert dealt.act(word) is False
    assert dealt.state(0).split(":")[3] in ("c", "r20000")


@pytest.mark.parametrize("game", GAMES)
def test_whole_hands_conserve_chips_and_a_reader_of_the_betting_knows_whose_turn_it_is(game: str) -> None:
    dice = random.Random(5)
    for number in range(60):
        dealt = DealtHand(GAMES[game], number, dice.sample(IN_ORDER, 52))
        while dealt.actor is not None:
            for position in range(GAMES[game].players):
                assert to_act(dealt.state(position)) == (position == dealt.actor)
            dealt.act(dice.choice(("f", "c", "c", "r", f"r{dice.randint(100, 20000)}")))
        assert sum(dealt.won) == 0


@pytest.mark.parametrize("text", ["", "x", "70000", "9000:5p-limit", "9000:2p-limit:0", "9000:2p-limit:x", "-1"])
def test_what_is_no_offer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"port|game|hands"):
        read_offer(text)


def test_an_offer_is_completed() -> None:
    assert read_offer("9000") == PortOffer(9000, "2p-nolimit", 3000)


# --- matches ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def results() -> list[AcpcResult]:
    """What the matches of a table have come to."""
    return []


def entrance(*limits: str) -> Entrance:
    return Entrance(admission.AdmissionAccounts(Config(limits=parse_limits(["all=off", *limits]))))


@pytest.fixture
async def table(results: list[AcpcResult]) -> AsyncIterator[DealerPort]:
    table = DealerPort(PortOffer(0, "2p-nolimit", 40), results.append, entrance(), seconds=30)
    yield table
    await table.close()


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    yield
    while OPEN:
        OPEN.pop().leave()
    await asyncio.sleep(0)


async def client(port: int, style: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, str(CLIENT), "127.0.0.1", str(port), style), stdout=asyncio.subprocess.PIPE
    )


@pytest.mark.parametrize(
    ("game", "hands"), [("2p-nolimit", 100), ("2p-limit", 60), ("6p-nolimit", 30), ("6p-limit", 20)]
)
async def test_a_match_of_programs_as_they_are(game: str, hands: int) -> None:
    async with dealing("127.0.0.1", [f"0:{game}:{hands}"]) as (port,):
        players = [await client(port, "random" if place % 2 else "call") for place in range(GAMES[game].players)]
        seen = [int((await player.communicate())[0].split()[0]) for player in players]
    assert min(seen) == max(seen) > 2 * hands, "everybody is told everything, and the dealer closes the connections"


OPEN: list[Program] = []


class Program:
    """A program by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer

    @classmethod
    async def start(cls, port: int, greeting: bytes = b"VERSION:2.0.0\r\n") -> Program:
        program = cls(*await asyncio.open_connection("127.0.0.1", port))
        OPEN.append(program)
        program.say(greeting)
        return program

    def say(self, data: bytes) -> None:
        self._writer.write(data)

    def leave(self) -> None:
        self._writer.transport.abort()

    async def play(self, answer: bytes = b":c\r\n", at_most: int = 10**9) -> int:
        seen = 0
        while seen < at_most and (line := await self.reader.readline()):
            seen += 1
            if to_act(line.decode().strip()):
                self.say(line.strip() + answer)
        return seen


async def test_answers_to_other_states_and_comments_are_ignored(table: DealerPort, results: list[AcpcResult]) -> None:
    port = await table.open("127.0.0.1")
    one, two = await Program.start(port), await Program.start(port)
    one.say(b"# a comment\r\n; another\r\nMATCHSTATE:0:99::2c2h|:r20000\r\nnonsense\r\n")
    two.say(b"# a comment\r\nMATCHSTATE:1:99::2c2h|:f\r\n")
    await asyncio.gather(one.play(), two.play())
    (result,) = results
    assert (result.hands, result.faults) == (40, [0, 0])


async def test_the_dealer_stays_awake_only_while_nobody_else_wants_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = iter([0, 0, 1, *[1] * 2 * wakeful.HANDS_ASLEEP])
    monkeypatch.setattr(wakeful, "preemptions", lambda: next(counted))
    match, awake = wakeful.Wakeful(), []
    for _ in range(wakeful.HANDS_ASLEEP + 4):
        match.next_hand()
        match.wait()
        awake.append(match._spins > 0)
    assert awake == [True, True, *[False] * wakeful.HANDS_ASLEEP, True, True]


async def test_whoever_goes_loses_blinds_and_the_match_goes_on(table: DealerPort, results: list[AcpcResult]) -> None:
    port = await table.open("127.0.0.1")
    one, two = await Program.start(port), await Program.start(port)

    async def go_early() -> None:
        await two.play(at_most=3)
        two.leave()

    await asyncio.gather(one.play(), go_early())
    (result,) = results
    assert result.hands == 40
    assert sum(result.won) == 0
    assert result.won[0] > 0


async def test_whoever_does_not_answer_is_folded(results: list[AcpcResult]) -> None:
    table = DealerPort(PortOffer(0, "2p-nolimit", 2), results.append, entrance(), seconds=0.1)
    port = await table.open("127.0.0.1")
    one, two = await Program.start(port), await Program.start(port)
    await asyncio.gather(one.play(), two.reader.read())
    (result,) = results
    assert (result.hands, result.faults[1] > 0) == (2, True)
    await table.close()


async def test_whoever_never_answers_is_given_up_and_holds_nobody_up_for_a_whole_match(
    results: list[AcpcResult],
) -> None:
    table = DealerPort(PortOffer(0, "2p-nolimit", 3000), results.append, entrance(), seconds=0.1)
    port = await table.open("127.0.0.1")
    one, two = await Program.start(port), await Program.start(port)
    await asyncio.gather(one.play(), two.reader.read())
    (result,) = results
    assert result.hands == 3000
    assert result.faults[1] > 1000
    await table.close()


@pytest.mark.parametrize(
    "greeting",
    [
        b"GET / HTTP/1.1\r\n",
        b"VERSION:1.0\r\n",
        b"VERSION:2.0.0extra\r\n",
        b"x" * 10_000,
        b"#\r\n" * 1_000,
    ],
)
async def test_whoever_does_not_speak_the_protocol_is_sent_away(table: DealerPort, greeting: bytes) -> None:
    port = await table.open("127.0.0.1")
    stranger = await Program.start(port, greeting)
    assert await stranger.reader.read() == b""


async def test_one_address_has_so_many_connections_to_all_ports_and_no_more() -> None:
    async with dealing("127.0.0.1", ["0:6p-limit:1", "0:6p-limit:1"]) as ports:
        for number in range(CONNECTIONS_EACH):
            await Program.start(ports[number % 2], b"")
        late = await Program.start(ports[0])
        with suppress(ConnectionError):
            assert await late.reader.read() == b""


async def test_whoever_leaves_makes_room() -> None:
    door = entrance("connections_per_address=2")
    tables = [DealerPort(PortOffer(0, "2p-limit", 1), lambda _: None, door, seconds=30) for _ in range(2)]
    one, two = [await table.open("127.0.0.1") for table in tables]
    leaving = [await Program.start(one, b""), await Program.start(two, b"")]
    late = await Program.start(one)
    with suppress(ConnectionError):
        assert await late.reader.read() == b""
    for program in leaving:
        program.leave()
    await until(lambda: not any(table._connected for table in tables))
    await play_two(one)
    for table in tables:
        await table.close()


async def test_an_address_that_connects_too_often_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REFUSALS", admission.Rate(0.001, 3))
    table = DealerPort(PortOffer(0, "6p-limit", 1), lambda _: None, entrance("requests=0.001/2"), seconds=30)
    port = await table.open("127.0.0.1")
    for _ in range(12):
        (await Program.start(port, b"")).leave()
    await until(lambda: bool(table.entrance._admission.refusals.newest(1)))
    late = await Program.start(port, b"")
    with suppress(ConnectionError):
        assert await late.reader.read() == b""
    await table.close()


async def test_whoever_does_not_greet_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer, "GREETING_SECONDS", 0.05)
    table = DealerPort(PortOffer(0, "6p-limit", 1), lambda _: None, entrance(), seconds=30)
    port = await table.open("127.0.0.1")
    silent = await Program.start(port, b"")
    greeting = await Program.start(port, b"VERSION:2.0.0\r\n")
    await until(lambda: bool(table._waiting))
    assert await silent.reader.read() == b""
    assert len(table._waiting) == 1, "whoever has greeted may wait for others"
    greeting.leave()
    await table.close()


async def test_of_too_many_who_have_not_greeted_the_first_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer, "SILENT_LIMIT", 3)
    table = DealerPort(PortOffer(0, "6p-limit", 1), lambda _: None, entrance(), seconds=30)
    port = await table.open("127.0.0.1")
    programs = [await Program.start(port, b"") for _ in range(4)]
    assert await programs[0].reader.read() == b""
    await until(lambda: len(table._connected) == 3)
    for program in programs:
        program.leave()
    await table.close()


async def test_the_deck_of_each_hand_is_a_shuffle_of_the_house(
    table: DealerPort, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks = iter([IN_ORDER, IN_ORDER[::-1]])
    monkeypatch.setattr(dealer, "shuffle", lambda: next(decks))
    monkeypatch.setattr(table, "offer", PortOffer(0, "2p-nolimit", 2))
    port = await table.open("127.0.0.1")
    one, two = await Program.start(port), await Program.start(port)
    assert (await one.reader.readline()).startswith(b"MATCHSTATE:0:0::2c2h|")
    two.say((await two.reader.readline()).strip() + b":f\r\n")
    while not (line := await one.reader.readline()).startswith(b"MATCHSTATE:1:1:"):
        pass
    assert line.partition(b"|")[2].startswith(b"AhAc")
    one.leave()
    two.leave()


async def test_the_dealer_ends_with_whoever_started_it() -> None:
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour.protocols.acpc", "{}", "127.0.0.1", "0"),
        stdin=reading,
        stdout=asyncio.subprocess.PIPE,
    )
    os.close(reading)
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"ready")
    os.close(writing)
    assert await process.wait() == 0


async def test_a_port_that_is_taken_is_said() -> None:
    async with dealing("127.0.0.1", ["0"]) as (port,):
        with pytest.raises(OSError, match="cannot be had"):
            async with dealing("127.0.0.1", [str(port)]):
                pass


async def play_two(port: int) -> None:
    await asyncio.gather(*[program.play() for program in (await Program.start(port), await Program.start(port))])


def dealer_of_this_process() -> psutil.Process:
    (found,) = (one for one in psutil.Process().children() if "parlour.protocols.acpc" in one.cmdline())
    return found


async def test_a_line_that_is_no_result_is_passed_over() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(b'[]\nWarning: \xff\n["2p-limit",3,[5,-5],[0,0]]\n')
    reader.feed_eof()
    with structlog.testing.capture_logs() as lines:
        await _listen(SimpleNamespace(stdout=reader))  # type: ignore[arg-type]
    assert [line["game"] for line in lines] == ["2p-limit"]


async def test_the_result_of_a_match_is_in_the_log_of_the_server() -> None:
    with structlog.testing.capture_logs() as lines:
        async with dealing("127.0.0.1", ["0:2p-limit:3"]) as (port,):
            await play_two(port)
            await until(lambda: bool(lines))
    (line,) = lines
    assert (line["event"], line["game"], line["hands"]) == ("an ACPC match is over", "2p-limit", 3)
    assert sum(line["won"]) == 0


async def test_a_dealer_that_dies_is_started_again_at_its_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.acpc.START_AGAIN", 0.05)
    with structlog.testing.capture_logs() as lines:
        async with dealing("127.0.0.1", ["0:2p-limit:3"]) as (port,):
            first = dealer_of_this_process()
            first.kill()
            await until(lambda: any("has died" in line["event"] for line in lines))

            async def is_back() -> bool:
                try:
                    await play_two(port)
                except OSError:
                    return False
                return True

            await until_found(is_back)
            assert dealer_of_this_process().pid != first.pid


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be frozen there")
async def test_a_dealer_that_hangs_does_not_keep_the_server_from_stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.acpc.CLOSE_SECONDS", 0.2)
    async with dealing("127.0.0.1", ["0"]):
        dealer = dealer_of_this_process()
        dealer.suspend()
    assert not dealer.is_running()


async def test_a_file_of_the_current_folder_is_not_taken_for_a_library(tmp_path: Path) -> None:
    (tmp_path / "chess.py").write_text("raise SystemExit('the wrong chess')")
    engine = await asyncio.create_subprocess_exec(
        *running("parlour.bots.chess_uci"), cwd=tmp_path, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await engine.communicate(b"uci\nquit\n")
    assert b"uciok" in told
