"""Whole tournaments over the API, by programs that know no more than docs/tournaments.md tells."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.patience import time_limit

from parlour.client import AsyncTournament
from parlour.tournaments import events, settings

from .conftest import Running
from .test_tournaments_api import QUICK, checked, club, tournament, until

__all__ = ["club"]

DOCS = Path(__file__).parents[2] / "docs" / "tournaments.md"
NAMES = ("Ann", "Ben", "Cora", "Dan", "Eve", "Finn", "Gus", "Hal")


async def play(own: AsyncTournament, *words: str) -> list[str]:
    """Play to the end of the entry with the first of these actions that is legal; the tables at which that was."""
    tables: list[str] = []
    async with own.play() as seat:
        async for update in seat:
            if not update.view or not update.view["you"]["seats"]:
                continue
            if update.view["code"] not in tables:
                tables.append(update.view["code"])
            assert update.view["tournament"] == own.code
            if legal := update.view["legal"]:
                action = next(word for word in words if word in legal["actions"])
                await seat.act({"type": action}, update)
    return tables


async def test_a_sit_and_go_starts_when_it_is_full_and_pays_its_places(house: Running) -> None:
    own = await tournament(house, *NAMES[:3], entries_max=3, **QUICK)
    async with time_limit():
        await asyncio.gather(*(play(one, "allin", "call", "check") for one in own))
    view = await until(own[0], "finished")
    best = view["standings"][0]
    assert (best["place"], best["place_to"]) == (1, 1)
    assert sum(line["prize"] for line in view["standings"]) == view["pool"] == 30
    assert {entry["status"] for entry in view["entries"]} <= {"playing", "out"}
    assert view["players_left"] == 1
    assert view["tables"][0]["status"] == "closed"
    assert {(await one.view())["table"] for one in own} == {None}


async def test_a_program_goes_along_from_table_to_table(house: Running) -> None:
    """Eight at tables of four: whoever gets far enough has sat at two tables, and chips and prizes are all there."""
    own = await tournament(house, *NAMES, form="mtt", entries_max=8, seats=4, **QUICK)
    await own[0].start()
    async with time_limit():
        playing = [asyncio.create_task(play(one, "check", "call", "allin", "fold")) for one in own]
        async for view in own[0].follow(0.05):
            checked(view)
            stacks = [entry["chips"] for entry in view["entries"]]
            assert sum(stacks) == 8 * 200
        tables = await asyncio.gather(*playing)
    assert any(len(seen) > 1 for seen in tables), "nobody was moved"
    assert view["moves"], "the wall has nothing to show"
    assert sum(line["prize"] for line in view["standings"]) == view["pool"] == 80
    assert sorted(line["entry"] for line in view["standings"]) == list(range(1, 9))


async def resign(own: AsyncTournament) -> int:
    """Make a move in each game as White, and resign each game as Black; how many there were."""
    games: set[str] = set()
    async with own.play() as seat:
        async for update in seat:
            view = update.view
            if not view or view["status"] != "playing" or not view["you"]["seats"]:
                continue
            games.add(view["code"])
            if view["state"]["players"]["black"] in view["you"]["seats"]:
                if view["state"]["moves"]:
                    await seat.act({"type": "resign"}, update)
            elif view["legal"] and not view["state"]["moves"]:
                await seat.act({"type": "move", "uci": view["legal"]["moves"][0]}, update)
    return len(games)


async def test_a_deal_with_bots_of_the_house_is_made_when_the_hand_is_over(club: Running) -> None:
    (ann,) = await tournament(club, "Ann", entries_max=3, **{**QUICK, "stack": 100_000})
    await ann.host("add_bot", count=2)
    await ann.deal("icm")
    playing = asyncio.create_task(play(ann, "check", "fold"))
    view = await until(ann, "finished")
    async with time_limit():
        await playing
    assert sum(line["prize"] for line in view["standings"]) == view["pool"] == 30
    assert [event["reason"] async for event in ann.events() if event["type"] == "finished"] == ["deal"]


async def test_a_swiss_evening_is_paired_round_by_round(house: Running) -> None:
    own = await tournament(house, *NAMES[:4], form="swiss", rounds=2, round_pause=0)
    await own[0].start()
    async with time_limit():
        games = await asyncio.gather(*(resign(one) for one in own))
    view = await until(own[0], "finished")
    assert games == [2, 2, 2, 2]
    assert view["rounds_planned"] == 2
    results = [pairing["result"] for one in view["rounds"] for pairing in one["pairings"]]
    assert results == ["1-0"] * 4
    assert sum(line["points"] for line in view["standings"]) == 4
    assert all(line["prize"] is None for line in view["standings"])
    assert set(view["standings"][0]["tiebreaks"]) <= set(view["settings"]["tie_breaks"])


# The examples of the documentation


def example(language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", DOCS.read_text(), re.MULTILINE | re.DOTALL))


async def run(*command: str | Path, **env: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with time_limit():
            out = (await process.communicate())[0].decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, out
    return out


@pytest.mark.slow
async def test_the_commands_of_the_page_play_a_sit_and_go(club: Running) -> None:
    bash = shutil.which("bash")
    assert bash, "the commands need bash and curl"
    out = await run(bash, "-euo", "pipefail", "-c", example("sh"), P=club.url)
    places = [(int(first), int(last)) for first, last in re.findall(r'"place":(\d+),"place_to":(\d+)', out)]
    shared = {one for first, last in places for one in range(first, last + 1)}  # equal stacks that go out together
    assert (len(places), shared) == (4, {1, 2, 3, 4}), out


async def test_the_program_of_the_page_plays_to_its_end(club: Running, tmp_path: Path) -> None:
    host = await club.client("Host")
    created = await host.create_tournament("holdem", "Friday", "sitngo", entries_max=3, **QUICK)
    await created.host("add_bot", count=2, style="aggressive")
    program = tmp_path / "program.py"
    program.write_text(example("python"))
    out = await run(sys.executable, program, club.url, created.code)
    assert re.fullmatch(r"place [123], prize \d+\n", out), out


def test_every_setting_event_and_refusal_stands_on_the_page() -> None:
    text = DOCS.read_text()
    words: set[Any] = {
        field for kind in (settings.HoldemTournament, settings.ChessTournament) for field in kind.__struct_fields__
    }
    words |= {kind.__struct_config__.tag for kind in events.EVENTS}
    for source in Path(settings.__file__).parent.rglob("*.py"):
        words |= set(
            re.findall(r'(?:Illegal|BadRequest|Busy|NotAllowed|NotFound|Against)\(\s*"(\w+)"', source.read_text())
        )
    missing = {word for word in words - {"format", "no_seats"} if f"`{word}`" not in text}  # nobody can ask for a seat
    assert not missing
    assert len(words) > 80
