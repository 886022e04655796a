"""The ladder: matches that count once whatever happens, played only while nobody else plays, and what is told of it."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.bots.machines import new_server, started
from tests.patience import time_limit, until_found

from parlour.client import ApiError, AsyncClient
from parlour.games.glicko2 import Strength
from parlour.ladder.matches import SHELF, MatchBook, pool_of
from parlour.ladder.pairing import pair
from parlour.ladder.worker import LadderJob, play
from parlour.storage.sqlite import SqliteStore
from parlour.tables import SystemClock
from parlour.tables.records.ratings import Ratings

SWIFT = ("--ladder", "--ladder-after", "0", "--ladder-pause", "0", "--ladder-hands", "10", "--ladder-game", "holdem")


@pytest.fixture(autouse=True)
async def _in_time() -> AsyncIterator[None]:
    async with time_limit():
        yield


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    yield store
    await store.close()


# Matches are counted once


async def counted(store: SqliteStore, player: str) -> list[int]:
    """Wins, draws and losses of an entrant."""
    ratings = await Ratings(store, SystemClock()).of(player)
    return [figure for rating in ratings for figure in (rating.wins, rating.draws, rating.losses)]


async def test_a_result_that_a_server_was_killed_over_is_counted_once(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    async def die(results: object) -> None:
        raise Killed

    book = MatchBook(store, SystemClock())
    match = await book.begin("holdem", ("house:tight", "house:loose"))
    with monkeypatch.context() as patched:
        patched.setattr(store, "add_results", die)
        with pytest.raises(Killed):
            await book.end(match, (12.5, -12.5), 100)
    assert await counted(store, "house:tight") == []
    for _ in range(2):
        assert await book.take_up() == []
        assert await counted(store, "house:tight") == [1, 0, 0]
        assert await counted(store, "house:loose") == [0, 0, 1]


async def test_a_match_without_a_result_is_there_to_be_played_again(store: SqliteStore) -> None:
    book = MatchBook(store, SystemClock())
    match = await book.begin("chess", ("house:easy", "house:hard"))
    assert await book.take_up() == [match]
    ended = await book.end(match, (1.0, 1.0), 2)
    assert (ended.id, ended.seed, ended.score) == (match.id, match.seed, 1)
    assert await book.take_up() == []
    assert await counted(store, "house:easy") == [0, 1, 0]


async def test_a_match_that_two_nodes_have_played_counts_as_the_first_has_written_it_down(store: SqliteStore) -> None:
    book = MatchBook(store, SystemClock())
    match = await book.begin("chess", ("house:easy", "house:hard"))
    first = await book.end(match, (0.5, 1.5), 2)
    assert await book.end(match, (2.0, 0.0), 2) == first
    assert await book.read() == [first]
    assert await counted(store, "house:hard") == [1, 0, 0]


async def test_records_that_are_made_anew_keep_the_results_of_the_ladder(store: SqliteStore) -> None:
    book = MatchBook(store, SystemClock())
    await book.end(await book.begin("holdem", ("house:tight", "house:loose")), (3.0, -3.0), 100)
    before = await Ratings(store, SystemClock()).history("house:tight", pool_of("holdem"), 5)
    await store.forget_records()
    after = await Ratings(store, SystemClock()).history("house:tight", pool_of("holdem"), 5)
    assert after.history == before.history


async def test_only_the_last_matches_are_kept_and_all_count(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.ladder.matches.KEPT", 3)
    book = MatchBook(store, SystemClock())
    for _ in range(5):
        await book.end(await book.begin("holdem", ("house:tight", "house:loose")), (3.0, -3.0), 100)
        await book.tidy()
    assert len(await store.documents(SHELF)) == 3
    assert await counted(store, "house:tight") == [5, 0, 0]


# Who plays whom


def test_whoever_is_known_least_plays_next() -> None:
    strengths = {"a": Strength(1500, 60), "b": Strength(1500, 200), "c": Strength(1500, 60)}
    assert all("b" in (pair("abc", strengths, random.Random(seed)) or ()) for seed in range(50))


def test_an_opponent_of_the_same_strength_is_met_more_often() -> None:
    strengths = {"a": Strength(1500, 200), "near": Strength(1550, 60), "far": Strength(2300, 60)}
    met: Counter[str] = Counter()
    for seed in range(200):
        met.update(pair(list(strengths), strengths, random.Random(seed)) or ())
    assert met["a"] == 200
    assert met["near"] > 4 * met["far"] > 0


def test_nobody_plays_alone() -> None:
    assert pair(["a"], {}, random.Random(1)) is None


# What is played


def test_a_match_of_hold_em_is_the_same_for_the_same_seed() -> None:
    job = LadderJob("holdem", ("house:tight", "house:level1"), 7, 40)
    score = play(job)
    assert score == play(job)
    assert score.rounds == 40
    assert sum(score.points) == pytest.approx(0, abs=0.2)


def test_a_match_of_chess_is_two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.ladder.worker.CHESS_CLOCK", (0.2, 0.0))
    score = play(LadderJob("chess", ("house:easy", "house:easy"), 7, 0))
    assert score.rounds == sum(score.points) == 2


# On a server


async def matches(client: AsyncClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await client.request("GET", "/api/v1/ladder/matches?game=holdem&limit=200")
    return found


async def over(client: AsyncClient, number: int) -> None:
    async def look() -> bool:
        return sum(match["ended"] is not None for match in await matches(client)) >= number

    await until_found(look)


async def test_a_server_that_is_killed_in_a_match_loses_and_doubles_none(tmp_path: Path) -> None:
    """And matches stop when somebody plays, and go on afterwards with the one that was given up."""
    with new_server(tmp_path / "data", *SWIFT) as server:
        async with AsyncClient(server.url) as client:
            await over(client, 1)
            before: list[dict[str, Any]] = []
            after: dict[str, dict[str, Any]] = {}
            ladder: dict[str, Any] = {}

            async def in_a_match() -> bool:
                before[:] = await matches(client)
                return before[0]["ended"] is None

            await until_found(in_a_match)
            server.kill()
            server.start()
            await over(client, len(before))
            await client.register("Ann")
            async with (await client.create_table("holdem")).connect() as connection:
                await connection.sit()

                async def at_rest() -> bool:
                    """A match that was all but over when Ann sat down is written down and counted."""
                    after.update({match["id"]: match for match in await matches(client)})
                    ladder.update(await client.request("GET", "/api/v1/ladder?game=holdem"))
                    ended = sum(match["ended"] is not None for match in after.values())
                    played = sum(one["matches"] for one in ladder["entrants"])
                    return bool(ladder["state"] == "waiting" and played == 2 * ended)

                await until_found(at_rest)
                await connection.leave()
            await over(client, len(after) + 1)
            finally_over = {match["id"]: match for match in await matches(client) if match["ended"] is not None}
    assert all(match["ended"] is None or after[match["id"]] == match for match in before)
    assert after[before[0]["id"]]["ended"] is not None
    assert after.keys() <= finally_over.keys()
    ended = [match for match in after.values() if match["ended"] is not None]
    sides = Counter(side["id"] for match in ended for side in match["sides"])
    wins = Counter(side["id"] for match in ended for side in match["sides"] if side["result"] == 1)
    assert {one["id"]: one["matches"] for one in ladder["entrants"] if one["matches"]} == sides
    assert {one["id"]: one["wins"] for one in ladder["entrants"] if one["wins"]} == wins
    for one in ladder["entrants"]:
        assert len(one["history"]) == one["matches"] == one["wins"] + one["draws"] + one["losses"]
        assert one["interval"] == [one["rating"] - 2 * one["deviation"], one["rating"] + 2 * one["deviation"]]


# Registered bots

SLOW_THEN_BOLD = """
import time

def act(view):
    time.sleep(0.1)
    return view.check_or_fold() if view.hand_number < 4 else view.all_in()
"""


@pytest.mark.slow
async def test_a_registered_bot_plays_a_match_through_a_pause_and_a_killed_server(tmp_path: Path) -> None:
    """It is called to a table, which is paused while a person plays, and goes on there after a kill; it counts once."""
    (tmp_path / "bold.py").write_text(SLOW_THEN_BOLD)
    options = ("--ladder", "--name", "Bold", "--rounds", "1", "--json")
    with new_server(tmp_path / "data", *SWIFT) as server:
        async with AsyncClient(server.url) as person, started(str(tmp_path / "bold.py"), server.url, *options) as bot:
            await person.register("Ann")
            found: dict[str, Any] = {}

            async def under_way() -> bool:
                found.update(next((match for match in await matches(person) if match["table"]), {}))
                try:
                    return bool(found and (await person.table(found["table"]).view())["state"]["hand"] >= 2)
                except ApiError:
                    return False  # the match is written down before its table is made

            await until_found(under_way)
            table = person.table(found["table"])

            async def paused(wanted: bool) -> None:
                async def look() -> bool:
                    return bool((await table.view())["paused"] == wanted)

                await until_found(look)

            async with (await person.create_table("holdem")).connect() as connection:
                await connection.sit()
                await paused(True)
                await connection.leave()
            await paused(False)
            server.kill()
            server.start()
            code, out, err = await bot.result()
            assert code == 0, err
            assert json.loads(out)["faults"] == {}
            assert json.loads(out)["matches"] == 1

            async def ended() -> bool:
                return any(match["id"] == found["id"] and match["ended"] for match in await matches(person))

            await until_found(ended)
            (one,) = [
                entrant
                for entrant in (await person.request("GET", "/api/v1/ladder"))["entrants"]
                if entrant["name"] == "Bold"
            ]
            assert (one["matches"], len(one["history"]), one["style"]) == (1, 1, None)
            assert (await table.view())["status"] == "closed"
