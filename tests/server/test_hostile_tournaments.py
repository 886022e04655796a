"""Tournaments asked by those who mean no good: odd names and numbers, deep JSON, foreign codes, and eyes for cards."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from tests.patience import time_limit

from parlour.client import AsyncTournament
from parlour.server import Config, parse_limits

from .test_tournaments_api import QUICK, club, refusal, tournament

__all__ = ["club"]

ODD_NUMBERS = [0, -1, 2**31, 2**63, 2**200, 1.5, "1", True, None, [], {}]
ODD_NAMES = ["", " ", "\0", "a\0b", "\u202e\u202d", "\n", "x" * 61, 5, None, True, ["a"], {"a": 1}]
CARD = re.compile(r'"(?:[2-9TJQKA][cdhs])+"')


async def test_a_name_that_cannot_be_read_is_refused(house) -> None:
    ann = await house.client("Ann")
    for name in ODD_NAMES:
        body = {"game": "holdem", "name": name, "format": "sitngo", "settings": {}}
        await refusal(ann.request("POST", "/api/v1/tournaments", body), name)
    assert await ann.tournaments() == []


NO_TOURNAMENTS: list[Any] = [
    {},
    {"game": "holdem"},
    {"game": "holdem", "name": "Friday"},
    {"game": "holdem", "name": "Friday", "format": "league"},
    {"game": "holdem", "name": "Friday", "format": "swiss"},
    {"game": "chess", "name": "Friday", "format": "sitngo"},
    {"game": "bridge", "name": "Friday", "format": "swiss"},
    {"game": "tournament", "name": "Friday", "format": "swiss"},
    {"game": "\0", "name": "Friday", "format": "swiss"},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": []},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": None},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": {"format": "sitngo"}},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": {"game": "chess"}},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": {"\0": 1}},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": {"table": {"name": "mine"}}},
    {"game": "holdem", "name": "Friday", "format": "mtt", "settings": {"table": {"\0": "\0"}}},
    {"game": "holdem", "name": "Friday", "format": "mtt", "code": "MINEMINE"},
    [],
    "holdem",
    7,
]


async def test_what_is_no_tournament_is_refused(house) -> None:
    ann = await house.client("Ann")
    for body in NO_TOURNAMENTS:
        await refusal(ann.request("POST", "/api/v1/tournaments", body), body)
    assert await ann.tournaments() == []


@pytest.mark.parametrize("opening", ['{"a":', "["])
async def test_deep_json_is_refused_wherever_it_is_taken(house, opening: str) -> None:
    (ann,) = await tournament(house, "Ann", form="mtt")
    deep = opening * 5000
    headers = {**ann._client._headers(), "Content-Type": "application/json"}
    start = f'{{"game":"holdem","name":"a","format":"mtt","settings":{{"table":{deep}'
    asked = [
        ("/api/v1/tournaments", start),
        (f"/api/v1/tournaments/{ann.code}/host/add_bot", f'{{"style":{deep}'),
        (f"/api/v1/tournaments/{ann.code}/deal", f'{{"kind":{deep}'),
    ]
    for path, body in asked:
        answer = await house.ask("POST", path, data=body, headers=headers)
        assert answer.status in (400, 413, 422), path
        closing = {'{"a":': "1" + "}" * 5000, "[": "]" * 5000}[opening]
        answer = await house.ask("POST", path, data=body + closing + "}" * body.count("{", 0, 80), headers=headers)
        assert 400 <= answer.status < 500, path
    assert (await ann.view())["status"] == "registering"


async def test_powers_take_no_odd_number(club) -> None:
    ann, _ = await tournament(club, "Ann", "Ben", form="mtt", entries_max=20)
    before = await ann.view()
    for number in ODD_NUMBERS:
        await refusal(ann.host("add_bot", count=number), number)
        await refusal(ann.host("remove", entry=number), number)
        await refusal(ann.host("level", number=number), number)
        if number is not None:
            await refusal(ann.host("add_bot", count=1, style=number), number)
    after = await ann.view()
    assert [entry["player"] for entry in after["entries"]] == [entry["player"] for entry in before["entries"]]


async def test_powers_take_nothing_that_they_do_not_know(club) -> None:
    ann, _ = await tournament(club, "Ann", "Ben", form="mtt", entries_max=20)
    for power, args in {
        "add_bot": {"style": "reckless"},
        "remove": {"entry": 3},
        "pause": {"minutes": 5},
        "close": {"prizes": {"1": 100}},
        "level": {},
    }.items():
        await refusal(ann.host(power, **args))
    await refusal(ann.host("add_bot", count=19))  # there is room for 18
    assert len((await ann.view())["entries"]) == 2


async def test_a_code_is_a_table_s_or_a_tournament_s_and_a_guess_is_counted(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "guesses=0.001/5"])))
    (ann,) = await tournament(house, "Ann")
    table = await ann._client.create_table("holdem")
    assert (await refusal(ann._client.tournament(table.code).view())).status == 404
    assert (await refusal(ann._client.table(ann.code).view())).status == 404
    answers = []
    for letter in "ABCDE":
        guessed = ann._client.tournament(letter * 6)
        answers += [(await refusal(asked())).code for asked in (guessed.view, guessed.enter)]
    assert answers[-1] == "too_many_wrong_codes"


async def test_nobody_sees_a_card_in_a_tournament(club) -> None:
    """Neither in its views nor in its events, while hands are played and afterwards, whoever looks."""
    ann, ben = await tournament(club, "Ann", "Ben", entries_max=6, seats=3, form="mtt", **QUICK)
    await ann.host("add_bot", count=4)
    texts: list[bytes] = []
    stranger = (await club.client()).tournament(ann.code)

    async def look() -> None:
        for one in (ann, ben, stranger):
            headers = one._client._headers()
            for path in ("", "/events"):
                url = f"{club.url}/api/v1/tournaments/{ann.code}{path}"
                async with one._client.session.get(url, headers=headers) as answer:
                    assert answer.status == 200
                    texts.append(await answer.read())

    await ann.start()
    held: list[str] = []

    async def play(one: AsyncTournament) -> None:
        async with one.play() as seat:
            async for update in seat:
                view = update.view
                if view and view["private"]:
                    held.extend(view["private"]["cards"])
                if view and view["legal"]:
                    word = next(word for word in ("check", "allin", "call") if word in view["legal"]["actions"])
                    await seat.act({"type": word}, update)

    async with time_limit():
        playing = [asyncio.create_task(play(one)) for one in (ann, ben)]
        while (await ann.view())["status"] != "finished":
            await look()
            await asyncio.sleep(0.05)
        await asyncio.gather(*playing)
    await look()
    assert len(held) > 4
    assert not any(CARD.search(text.decode()) for text in texts)
