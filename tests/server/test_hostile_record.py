"""The record, statistics and imports, asked by those who mean no good: odd input, ids of others, floods.

Whatever is sent, the answer is a refusal with a reason, never a fault of the server, and tells nothing that the caller
may not know.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
from typing import Any
from urllib.parse import quote

import pytest
from tests.patience import until_found

from parlour.client import ApiError, AsyncClient, AsyncTable
from parlour.server import Config
from parlour.tables.testing import HandClock

ALL_IN = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 {}", "d dh p2 {}", "p2 cbr 200", "p1 cc", "d db {}", "d db {}", "d db {}"]
"""
"""A hand whose chances take a while to compute: two players are all-in before the flop."""

ODD = ("\0", "%", "_", "'; DROP TABLE rounds; --", "\u202e", "💥", "ａ" * 10, "\U000e0041")
HUGE = ("9" * 17, "9" * 30, "١٢٣", "-1", "NaN", "0x10", "")


async def play_hand(tables: list[AsyncTable]) -> None:
    """Everybody checks or calls until the hand ends."""
    while True:
        views = [await table.view() for table in tables]
        if views[0]["state"]["result"]:
            return
        for table, view in zip(tables, views, strict=True):
            if view["legal"]:
                await table.act({"type": "check" if "check" in view["legal"]["actions"] else "call"}, view["turn"])
                break


async def status(client: AsyncClient, path: str) -> int:
    async with client.session.get(f"{client.url}/api/v1{path}", headers=client._headers()) as answer:
        await answer.read()
        return answer.status


# Odd input


async def test_odd_words_in_a_search_are_searched_for_or_refused(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60)
    await play_hand(hands)
    ann, code = hands[0]._client, hands[0].code
    for path in ("/me/rounds", "/me/rounds.txt", f"/tables/{code}/history", f"/tables/{code}/history.txt"):
        for name in ("with", "variant"):
            for word in ODD:
                found = await status(ann, f"{path}?{name}={quote(word)}")
                assert found == (400 if "\0" in word else 200), (path, name, word)
        for name in ("pot", "since", "until", "limit", "before"):
            for number in HUGE:
                assert await status(ann, f"{path}?{name}={quote(number)}") == 400, (path, name, number)
    assert (await ann.request("GET", f"/api/v1/tables/{code}/history?with={quote('%')}")) == [], "no pattern of SQL"
    for name in ("opponent", "position", "variant", "stakes", "format"):
        for word in ODD:
            assert await status(ann, f"/me/statistics/holdem?{name}={quote(word)}") in (200, 400)
    for name in ("game", "variant", "speed"):
        for word in ODD:
            assert await status(ann, f"/ratings?{name}={quote(word)}") in (200, 400)


@pytest.mark.parametrize(
    "before",
    ["99999999999999999.1.x", f"{'9' * 40}.1.x", "1.99999999999999999999.x", "١.٢.x", "1.1.", "..", "1.-1.x", "1.1.\0"],
)
async def test_a_cursor_that_nobody_was_given_is_refused(house, before: str) -> None:
    ann = await house.client("Ann")
    with pytest.raises(ApiError) as refused:
        await ann.request("GET", f"/api/v1/me/rounds?before={quote(before)}")
    assert refused.value.status == 400
    assert refused.value.code in ("bad_cursor", "bad_query")


HAND = ALL_IN.format("AsKs", "QdQh", "2c3c4d", "5h", "9s")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HAND.replace("actions = [", "actions = 5 #"), "bad_hand"),
        (HAND.replace("actions = [", "actions = [5, "), "bad_hand"),
        (HAND.replace("actions = [", "actions = {a = ["), "bad_toml"),
        (HAND.replace("starting_stacks = [200, 200]", "starting_stacks = [nan, inf]"), "bad_hand"),
        (HAND.replace("starting_stacks = [200, 200]", "starting_stacks = [-0.0, 200]"), "bad_hand"),
        (HAND.replace("starting_stacks = [200, 200]", "starting_stacks = [true, true]"), "bad_hand"),
        (HAND.replace("[200, 200]", f"[{10**30}, 200]"), "bad_hand"),
        (HAND.replace("min_bet = 2", "min_bet = nan"), "bad_hand"),
        (HAND.replace("min_bet = 2", "min_bet = [[[[2]]]]"), "bad_hand"),
        (HAND.replace("cbr 200", "cbr nan"), "bad_hand"),
        (HAND.replace("cbr 200", "cbr 1.e400"), "bad_hand"),
        (HAND.replace("cbr 200", "cbr ٢٠٠"), None),
        (HAND.replace("cbr 200", "cbr -200"), "bad_hand"),
        (HAND.replace("AsKs", "AsAs"), "bad_hand"),
        (HAND.replace("AsKs", "🂡🂮"), "bad_hand"),
        (HAND.replace("2c3c4d", "2c3c4d6d7d"), "several_boards"),
        (HAND + "seats = [true, 1]\n", None),
        (HAND + "seats = [1, 1]\n", None),
        (HAND + "seats = [[1], {a = 2}]\n", None),
        (HAND + "_blinds = [0, 0]\n", "bad_hand"),
        (HAND + "_blinds = [nan, 2]\n", "bad_hand"),
        (HAND + "players = [{a = 1}, [[]]]\nhand = true\ntable = 5\n_bets_per_round = nan\n", None),
        (HAND + "year = 99999999\nmonth = -1\nday = 1.5\ntime = 12:00:00\n", None),
        (HAND + "year = 1\nmonth = 1\nday = 1\n", None),
        ('variant = "PO5"\nstarting_stacks = [' + "9, " * 9 + "9]\nantes = [" + "1, " * 9 + "1]\n"
         "blinds_or_straddles = [" + "0, " * 9 + '0]\nmin_bet = 1\nactions = []\n', "bad_hand"),
        ("".join(f"[{number}]\n{'a = 1'}\n" for number in range(900)), "too_many_hands"),
        ("a." * 3000 + "b = 1", None),
        ("a = " + "{b = " * 2000 + "1" + "}" * 2000, "bad_toml"),
    ],
)  # fmt: skip
async def test_a_hostile_file_is_refused_or_read(house, text: str, code: str | None) -> None:
    """Without a code: the odd part does no harm, so that the hand may be read."""
    answer = await house.ask("POST", "/api/v1/import", json={"text": text})
    read = await answer.json()
    assert answer.status == 422 or (answer.status == 200 and code is None), json.dumps(read)[:500]
    if answer.status == 422:
        assert code in (None, read["code"]), read
    json.dumps(read, allow_nan=False)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"x" * 10_000_000, {413}),
        (b'{"text": "' + b"a" * 10_000_000 + b'"}', {413}),
        (b"[" * 8000, {400, 422}),
        (b'{"text": ' + b"[" * 8000, {400, 422}),
        (b'{"text": NaN}', {400, 422}),
        (b'{"text": "\\ud800"}', {400, 422}),
        (b'{"text": "\xff\xfe"}', {400, 422}),
        (b'{"text": null}', {422}),
        (b'{"text": ""}', {422}),
        (b'{"text": "a", "text": "b", "suffix": "pgn"}', {422}),
    ],
)
async def test_a_hostile_body_is_refused(house, body: bytes, expected: set[int]) -> None:
    headers = {"Content-Type": "application/json"}
    try:
        answer = await house.ask("POST", "/api/v1/import", data=io.BytesIO(body), headers=headers)
    except ConnectionError:  # cut off while it sends megabytes that nobody reads
        answer = None
    assert answer is None or answer.status in expected
    assert (await house.ask("GET", "/api/v1/games")).status == 200


# Floods


def many_hands(count: int, seed: int) -> str:
    """As many all-ins, each with other cards, as nobody has asked about before."""
    dice = random.Random(seed)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    text = ""
    for number in range(count):
        cards = dice.sample(deck, 9)
        text += f"[{number + 1}]\n" + ALL_IN.format(
            "".join(cards[:2]), "".join(cards[2:4]), "".join(cards[4:7]), cards[7], cards[8]
        )
    return text


async def test_a_long_import_keeps_nobody_waiting(house) -> None:
    """Others are answered while the hands of a file are computed in a thread."""
    nobody = await house.client()
    reading = asyncio.ensure_future(nobody.request("POST", "/api/v1/import", {"text": many_hands(50, 1)}))
    answered = 0
    while not reading.done():
        await house.ask("GET", "/api/v1/games")
        answered += not reading.done()
    assert len((await reading)["rounds"]) == 50
    assert answered > 5


async def test_a_flood_of_imports_is_slowed_down_and_refused(serve) -> None:
    house = await serve(Config())

    async def send(number: int) -> int:
        answer = await house.ask("POST", "/api/v1/import", json={"text": many_hands(40, number)})
        return answer.status

    found = await asyncio.gather(*(send(number) for number in range(30)), return_exceptions=True)
    statuses = {one for one in found if not isinstance(one, BaseException)}
    assert statuses <= {200, 429}
    assert 429 in statuses
    assert all(isinstance(one, int | ConnectionError) or type(one).__module__.startswith("aiohttp") for one in found)


# The ids of others


async def test_a_stranger_gets_nothing_by_the_ids_of_others(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60, private=True, spectators=False)
    await play_hand(hands)
    ann, ben = hands[0]._client, hands[1]._client
    preset = await ann.save_preset("Friday", "holdem", small_blind=5, big_blind=10, min_buy_in=100)
    me, code = (await ann.me())["id"], hands[0].code
    stranger, nobody = await house.client("Eve"), await house.client()
    own = (await ann.request("GET", "/api/v1/me/rounds"))["rounds"][0]["you"]["cards"]
    for path in (
        f"/tables/{code}/history", f"/tables/{code}/history/1", f"/tables/{code}/history/1.phh",
        f"/tables/{code}/ledger", f"/tables/{code}/ledger.csv",
    ):  # fmt: skip
        for who in (stranger, nobody):
            assert await status(who, path) == 403, path
    assert await stranger.request("GET", f"/api/v1/tables/{code}/history?with={me}") == []
    assert not await stranger.request("GET", f"/api/v1/tables/{code}/history.phhs")
    assert (await stranger.request("GET", f"/api/v1/me/rounds?with={me}"))["rounds"] == []
    assert (await stranger.request("GET", f"/api/v1/me/rounds?table={code}"))["rounds"] == []
    assert (await stranger.request("GET", f"/api/v1/people/{me}/against/me"))["games"] == {}
    assert (await stranger.request("GET", f"/api/v1/me/statistics/holdem?opponent={me}"))["total"]["rounds"] == 0
    assert await stranger.delete_preset(preset["id"]) == []
    assert [one["id"] for one in await ann.presets()] == [preset["id"]], "others' presets are out of reach"
    for path in ("/me/rounds", "/me/rounds.phhs", "/me/presets", "/me/privacy", "/me/statistics/holdem"):
        assert await status(nobody, path) == 401, path
    mine = await ben.request("GET", "/api/v1/me/rounds")
    shown = mine["rounds"][0]["summary"]["shown"]
    if own not in shown.values():
        assert json.dumps(own) not in json.dumps(mine)


async def test_who_is_kicked_keeps_what_they_played_and_gets_no_more(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", "Cora", hand_delay=0, spectators=False, action_seconds=0)
    cora = hands[2]._client
    await play_hand_number(hands, 1)
    await hands[0].host("kick", seat=2, reason="bad manners")
    await play_hand_number(hands[:2], 3)
    path = f"/tables/{hands[0].code}/history"
    lines = await cora.request("GET", f"/api/v1{path}")
    played = {line["number"] for line in lines}
    assert all("2" in line["names"] for line in lines)
    assert 3 not in played
    assert await status(cora, f"{path}/3") == 403
    assert await status(cora, f"{path}/3.phh") == 403
    assert "hand = 3" not in await cora.request("GET", f"/api/v1{path}.phhs")
    assert await status(cora, f"/tables/{hands[0].code}/ledger") == 403
    assert {line["number"] for line in (await cora.request("GET", "/api/v1/me/rounds"))["rounds"]} == played


async def play_hand_number(tables: list[AsyncTable], number: int) -> None:
    """Check or call until the hand of that number is over."""
    while True:
        view: dict[str, Any] = {}
        for table in tables:
            view = await table.view()
            if view["state"]["hand"] > number:
                return
            if view["legal"]:
                kind = "check" if "check" in view["legal"]["actions"] else "call"
                await table.act({"type": kind}, view["turn"])


async def test_who_watches_with_a_delay_finds_no_hand_in_the_record_before_its_time(serve) -> None:
    house = await serve(clock=(clock := HandClock()))
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60, spectator_delay=300, action_seconds=0)
    await play_hand(hands)
    path, dora, nobody = f"/tables/{hands[0].code}/history", await house.client("Dora"), await house.client()
    for who in (dora, nobody):
        assert await who.request("GET", f"/api/v1{path}") == []
        for query in ("?pot=1", "?showdown=1", "?with=ann"):
            assert await who.request("GET", f"/api/v1{path}{query}") == []
        assert await status(who, f"{path}/1") == 404
        assert await status(who, f"{path}/1.phh") == 404
        assert await who.request("GET", f"/api/v1{path}.phhs") == ""
        assert await status(who, f"/tables/{hands[0].code}/ledger.csv") == 403
    clock.time += 301_000

    async def told() -> bool:
        await house.parlour.tick()
        return bool(await dora.request("GET", f"/api/v1{path}"))

    await until_found(told)
    assert await status(dora, f"{path}/1.phh") == 200
