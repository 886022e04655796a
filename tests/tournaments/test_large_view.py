"""The view of a large tournament is written in slices, as of one moment, and once for all who wait for it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.tournaments.night import Night

from parlour.tournaments import service, view


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SLICE_SECONDS", 0.0)


async def seen(night: Night) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(await night.tournaments.view(night.code, None))
    return shown


async def test_others_have_their_turn_after_each_slice(night: Night) -> None:
    await night.announce(12)
    await night.log()
    writing = asyncio.ensure_future(seen(night))
    turns = 0
    while not writing.done():
        await asyncio.sleep(0)
        turns += 1
    assert len(writing.result()["entries"]) == 12
    assert turns > 12


async def test_a_view_is_of_one_moment_though_the_tournament_goes_on(night: Night) -> None:
    await night.announce(12, seats=3)
    await night.tournaments.start(night.code, night.people[0])
    await night.play(lambda state: any(entry.chips != state.holdem.stack for entry in state.entries))
    log = await night.log()
    now = json.loads(service._encode({name: _listed(value) for name, value in view.whole(log.state.play).items()}))
    seq = log.seq
    writing = asyncio.ensure_future(seen(night))
    await asyncio.sleep(0)
    state = log.state.play
    for entry in state.entries:
        entry.chips, entry.status = 1, "out"
    for table in state.tables.values():
        table.seats.clear()
    state.p.out.clear()
    shown = await writing
    assert shown["seq"] == seq
    assert {name: shown[name] for name in now} == now


def _listed(value: Any) -> Any:
    return value if isinstance(value, (dict, str, int, float, list, type(None))) else list(value)


async def test_a_view_is_as_new_as_its_question_and_written_once_for_many(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    await night.announce(6, enter=4)
    await night.log()
    written = 0
    real = view.whole

    def counting(state: Any) -> dict[str, Any]:
        nonlocal written
        written += 1
        return real(state)

    monkeypatch.setattr(view, "whole", counting)
    early = [asyncio.ensure_future(seen(night)) for _ in range(5)]
    await asyncio.sleep(0)
    await night.tournaments.enter(night.code, night.people[4])
    late = [asyncio.ensure_future(seen(night)) for _ in range(5)]
    assert {len(one["entries"]) for one in await asyncio.gather(*early)} <= {4, 5}
    assert {len(one["entries"]) for one in await asyncio.gather(*late)} == {5}
    assert written <= 2
