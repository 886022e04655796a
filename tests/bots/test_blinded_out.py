"""Bots of the house go on against a person who is blinded out, to the end of the game."""

from __future__ import annotations

import asyncio

import msgspec
from tests.patience import time_limit

from .test_house import Room, room

__all__ = ["room"]


async def test_a_person_who_sits_out_of_a_freeze_out_is_blinded_out_by_the_house(room: Room) -> None:
    settings = {"seats": 3, "rebuy": False, "absent": "blind_out", "hand_delay": 0, "small_blind": 10, "big_blind": 20}
    ann, table = await room.sit("holdem", {**settings, "action_seconds": 0})
    changed = asyncio.Event()
    table.subscribe(ann, lambda _: changed.set())
    for seat in (1, 2):
        await table.host(ann, "add_bot", {"seat": seat})
    await table.act(ann, {"type": "sit_out"}, None)
    await table.start(ann)
    async with time_limit():
        while True:
            changed.clear()
            view = msgspec.json.decode(table.view(ann))
            own = next(player for player in view["state"]["players"] if player["seat"] == 0)
            if not own["stack"] + own["contributed"]:
                break
            assert own["sitting_out"]
            await changed.wait()
    left = [player for player in view["state"]["players"] if player["stack"] + player["contributed"]]
    assert (view["status"] == "playing") == (len(left) > 1)
