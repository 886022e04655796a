"""Whole chess tournaments at real tables, with their director: people play until the end, and the server is killed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.patience import PATIENCE, in_vain, until_found

from parlour.games.chess import Chess
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Identity, NotFound, Parlour, Refused
from parlour.tables.live.table import Table
from parlour.tables.testing import HandClock, SeededEntropy
from parlour.tournaments.plan import due, plan
from parlour.tournaments.service import Tournaments
from parlour.tournaments.state import PairingState, TournamentState

WHITE_WINS = ["e2e4", "f7f6", "d2d4", "g7g5", "d1h5"]
BLACK_WINS = ["f2f3", "e7e5", "g2g4", "d8h4"]
DRAWN = ["e2e4", "e7e5"]

Decide = Callable[[int, int, PairingState], str]
"""White, Black and the pairing → who wins: `white`, `black`, `nobody`, or `absent` for a game that is not played."""


def first_comes_first(white: int, black: int, pairing: PairingState) -> str:
    return "white" if white < black else "black"


class Evening:
    """A server on a clock of its own, and the people who play there."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.folder = folder
        self.clock = HandClock()
        self.dice = random.Random(seed)
        self.people: list[Identity] = []
        self.code = ""
        self.opened = 0

    async def open(self) -> None:
        self.opened += 1
        store = SqliteStore(self.folder / "parlour.db")
        entropy = SeededEntropy(self.opened)
        self.parlour = Parlour(store, self.clock, entropy, AesSeal(bytes(32)), Registry(Chess()))
        self.tournaments = Tournaments(self.parlour)
        await self.parlour.start()

    async def close(self) -> None:
        await self.tournaments.close()
        await self.parlour.stop()

    async def kill(self) -> None:
        """Everybody who works for the tournament stops wherever they are, and somebody else starts."""
        await self.close()
        await self.open()
        await self.tournaments.open(self.code)

    async def announce(self, kind: str, players: int, **chosen: Any) -> None:
        await self.come(players)
        settings = {"round_pause": 10, **chosen}
        self.code = await self.tournaments.create(self.people[0], "chess", "Club evening", kind, settings)
        for person in self.people:
            await self.tournaments.enter(self.code, person)

    async def come(self, players: int) -> None:
        while len(self.people) < players:
            self.people.append((await self.parlour.create_identity(f"Person {len(self.people) + 1}"))[0])

    async def start(self) -> None:
        await self.tournaments.start(self.code, self.people[0])

    @property
    async def log(self) -> Table:
        return await self.tournaments.open(self.code)

    async def state(self) -> TournamentState:
        play: TournamentState = (await self.log).state.play
        return play

    async def seen(self) -> dict[str, Any]:
        view: dict[str, Any] = msgspec.json.decode(await self.tournaments.view(self.code, self.people[0]))
        return view

    # Playing

    async def play_out(self, decide: Decide = first_comes_first, kills: int = 0) -> None:
        """Play until the end. Where neither the people nor the director can do anything, the next time comes."""
        since = time.monotonic()
        while (state := await self.state()).status != "finished":
            if kills and self.dice.random() < 0.1:
                kills -= 1
                await self.kill()
                continue
            if await self.play_one(state, decide):
                since = time.monotonic()
                continue
            if time.monotonic() > since + PATIENCE:
                raise in_vain("a game to play", state.c)
            await asyncio.sleep(0.001)
            if not state.c.games and not plan(state, self.clock.time, SeededEntropy(0)):
                self.clock.time = max(self.clock.time, due(state) or 0)
                await self.parlour.tick()

    async def play_one(self, state: TournamentState, decide: Decide) -> bool:
        """Play one game that is open; whether there was one."""
        for number, (at, index) in list(state.c.games.items()):
            pairing = state.c.rounds[at].pairings[index]
            table = await self.table(state, number)
            if table is None or not table.state.room.round_open or table.state.room.paused_at is not None:
                continue
            white, black = pairing.paired.white or 0, pairing.paired.black or 0
            winner = decide(white, black, pairing)
            if winner != "absent":
                await self.play(table, winner)
                return True
        return False

    async def table(self, state: TournamentState, number: int) -> Table | None:
        code = state.tables[number].code
        try:
            return await self.parlour.open(code) if code else None
        except NotFound:
            return None

    async def board(self, number: int) -> Table:
        """The table of that number, where the game has begun."""

        async def begun() -> Table | None:
            state = await self.state()
            table = await self.table(state, number) if number in state.tables else None
            return table if table is not None and table.state.room.round_open else None

        table = await until_found(begun)
        assert table is not None
        return table

    async def play(self, table: Table, winner: str) -> None:
        sides = [self.person(table, seat) for seat in (0, 1)]
        moves = {"white": WHITE_WINS, "black": BLACK_WINS, "nobody": DRAWN}[winner]
        for ply, uci in enumerate(moves):
            await self.act(table, sides[ply % 2], {"type": "move", "uci": uci})
        if winner == "nobody":
            await self.act(table, sides[0], {"type": "offer_draw"})
            await self.act(table, sides[1], {"type": "accept_draw"})
        assert not table.state.room.round_open

    def person(self, table: Table, seat: int) -> Identity:
        holder = table.state.room.seats[seat]
        assert holder is not None, "the game was begun with an empty seat"
        return next(person for person in self.people if person.id == holder.id)

    async def act(self, table: Table, person: Identity, action: dict[str, Any]) -> None:
        turn = table.state.rules.turn(table.state.play) if action["type"] == "move" else None
        await table.act(person, action, turn)

    async def until(self, ready: Callable[[TournamentState], bool]) -> TournamentState:
        async def found() -> TournamentState | None:
            state = await self.state()
            return state if ready(state) else None

        state = await until_found(found)
        assert state is not None
        return state

    async def look(self, number: int) -> None:
        """The director's own timers run by the clock of the machine; let it look at a table now."""
        log = await self.log
        self.tournaments._directors._at_work[log.id].look(number)


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    evening = Evening(tmp_path)
    await evening.open()
    yield evening
    await evening.close()


async def tables_are_closed(evening: Evening) -> None:
    """All tables of a tournament that has ended close, with the game that was played there."""
    state = await evening.until(lambda state: all(table.gone for table in state.tables.values()))
    for table in state.tables.values():
        live = await evening.parlour.open(table.code)
        assert live.state.room.closed
        assert live.state.room.round <= 1


@pytest.mark.parametrize("kills", [0, 3])
async def test_a_round_robin(evening: Evening, kills: int) -> None:
    await evening.announce("round_robin", 5)
    await evening.start()
    await evening.play_out(kills=kills)

    seen = await evening.seen()
    assert [(one["entry"], one["place"], one["points"]) for one in seen["standings"]] == [
        (1, 1, 4), (2, 2, 3), (3, 3, 2), (4, 4, 1), (5, 5, 0),
    ]  # fmt: skip
    assert len(seen["rounds"]) == 5
    assert len((await evening.state()).tables) == 10, "a game was played twice, or not at all"
    await tables_are_closed(evening)


@pytest.mark.parametrize("kills", [0, 3])
async def test_a_swiss_tournament_with_a_bye_a_late_entry_and_a_withdrawal(evening: Evening, kills: int) -> None:
    await evening.announce("swiss", 5, rounds=3, late_until=2)
    await evening.start()
    await evening.come(6)
    assert (await evening.tournaments.enter(evening.code, evening.people[5]))[0] == 6
    await evening.tournaments.withdraw(evening.code, evening.people[4])
    await evening.play_out(kills=kills)

    seen = await evening.seen()
    assert [len(each["pairings"]) for each in seen["rounds"]] == [3, 3, 3]
    assert seen["rounds"][0]["pairings"][-1]["result"] == "bye"
    assert seen["standings"][0]["entry"] == 1
    assert {one["status"] for one in seen["entries"] if one["entry"] == 5} == {"withdrawn"}
    await tables_are_closed(evening)


@pytest.mark.parametrize("kills", [0, 3])
async def test_a_knock_out_with_quick_games_and_armageddon(evening: Evening, kills: int) -> None:
    """1 and 2 draw their match, which the lots may put into either round: in the last game a draw wins for Black."""

    def level_match(white: int, black: int, pairing: PairingState) -> str:
        return "nobody" if {white, black} == {1, 2} else first_comes_first(white, black, pairing)

    await evening.announce("knockout", 4, tiebreak=[[3, 2]])
    await evening.start()
    await evening.play_out(level_match, kills=kills)

    state = await evening.state()
    [match] = [
        [one for one in each.pairings if {one.paired.white, one.paired.black} == {1, 2}]
        for each in state.c.rounds
        if any({one.paired.white, one.paired.black} == {1, 2} for one in each.pairings)
    ]
    assert [one.paired.facts["stage"] for one in match] == ["game", "tiebreak", "tiebreak", "armageddon"]
    white, black = (state.entry(number or 0) for number in (match[-1].paired.white, match[-1].paired.black))
    assert (white.status, black.status) == ("out", "playing")
    assert state.standings[0].entry == black.number
    last = state.tables[match[-1].paired.table or 0]
    clock = (await evening.parlour.open(last.code)).state.game
    assert (clock.minutes, clock.odds, clock.odds_minutes) == (5, "black", 4)
    await tables_are_closed(evening)


@pytest.mark.parametrize(("players", "kills"), [(4, 0), (4, 3), (3, 0)])
async def test_an_arena(evening: Evening, players: int, kills: int) -> None:
    """Of three, one stays at the last table while the other goes on to the next."""
    await evening.announce("arena", players, minutes=1)
    await evening.start()
    await evening.play_out(kills=kills)

    seen = await evening.seen()
    assert len(seen["rounds"]) > 4
    assert seen["standings"][0]["entry"] == 1
    assert seen["clock"]["kind"] is None
    await tables_are_closed(evening)


async def test_players_stay_at_their_table_and_follow_to_the_next_one(evening: Evening) -> None:
    await evening.announce("round_robin", 4)
    await evening.start()
    first = {number: await evening.board(number) for number in (1, 2)}
    for live in first.values():
        await evening.play(live, "white")
    await evening.until(lambda state: not state.c.games)
    for live in first.values():
        assert all(live.state.room.seats), "they may look at the game until the next round"
    await evening.until(lambda state: state.clock.kind == "round")
    evening.clock.time += 10_000
    await evening.parlour.tick()
    state = await evening.until(lambda state: len(state.c.rounds) == 2 and all(state.tables[n].code for n in (3, 4)))
    await evening.until(lambda state: all(state.tables[number].gone for number in first))

    codes = {state.tables[number].code for number in (3, 4)}
    for live in first.values():
        assert {getattr(move, "to", move) for move in live.state.room.moved.values()} <= codes
        assert len(live.state.room.moved) == 2


async def test_who_does_not_make_a_first_move_in_time_forfeits(evening: Evening) -> None:
    await evening.announce("round_robin", 2, forfeit=60)
    await evening.start()
    table = await evening.board(1)
    black = evening.person(table, 1)
    subscription = table.subscribe(black, lambda message: None)
    evening.clock.time += 61_000
    await evening.look(1)
    state = await evening.until(lambda state: state.status == "finished")
    subscription.close()

    pairing = state.c.rounds[0].pairings[0]
    assert (pairing.result, pairing.reason) == ("--+", "forfeit")
    await tables_are_closed(evening)


async def test_where_nobody_comes_both_lose(evening: Evening) -> None:
    await evening.announce("round_robin", 2, forfeit=60)
    await evening.start()
    await evening.board(1)
    evening.clock.time += 61_000
    await evening.look(1)
    state = await evening.until(lambda state: state.status == "finished")

    assert state.c.rounds[0].pairings[0].result == "---"
    assert [(one.place, one.place_to) for one in state.standings] == [(1, 2), (1, 2)]


async def test_the_host_removes_somebody_who_is_playing(evening: Evening) -> None:
    await evening.announce("swiss", 4, rounds=2)
    await evening.start()
    table = await evening.board(1)
    removed = (await evening.state()).tables[1].seats[0]
    await evening.tournaments.host(evening.code, evening.people[0], "remove", {"entry": removed})
    await evening.until(lambda state: not table.state.room.round_open)

    assert (await evening.state()).c.rounds[0].pairings[0].result == "--+"
    await evening.play_out()
    assert (await evening.seen())["standings"][-1]["entry"] == removed


async def test_a_table_that_somebody_closed_is_replaced(evening: Evening) -> None:
    await evening.announce("round_robin", 2)
    await evening.start()
    table = await evening.board(1)
    await table.close()
    await evening.play_out()

    state = await evening.state()
    assert state.c.rounds[0].pairings[0].paired.table == 2
    assert state.c.rounds[0].pairings[0].result in ("1-0", "0-1")


async def test_a_pause_stops_the_clocks_at_the_boards(evening: Evening) -> None:
    await evening.announce("round_robin", 2)
    await evening.start()
    table = await evening.board(1)
    host = evening.people[0]
    await evening.tournaments.host(evening.code, host, "pause", {})
    await evening.until(lambda state: table.state.room.paused_at is not None)
    evening.clock.time += 3_600_000
    await evening.parlour.tick()
    await evening.tournaments.host(evening.code, host, "resume", {})
    await evening.until(lambda state: table.state.room.paused_at is None)
    await evening.play_out()

    assert (await evening.state()).c.rounds[0].pairings[0].reason == "checkmate"


async def test_seats_at_the_tables_of_a_tournament_are_its_own(evening: Evening) -> None:
    await evening.announce("round_robin", 2)
    await evening.start()
    table = await evening.board(1)
    with pytest.raises(Refused) as refused:
        await table.leave(evening.person(table, 0))

    assert refused.value.code == "directed"


async def test_a_table_that_is_being_made_is_not_there_yet(evening: Evening) -> None:
    """Its code is announced before; whoever is quick may find the name of it, and no event yet."""
    await evening.announce("round_robin", 2)
    await evening.start()
    entry = (await evening.board(1)).entry()
    named = msgspec.structs.replace(entry, id="named", code="named", seq=0)
    await evening.parlour.store.add_table(named, [])

    with pytest.raises(NotFound):
        await evening.parlour.open("named")
