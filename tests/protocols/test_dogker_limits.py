"""Dogker passes the same admission as everything else: sockets, codes, commands, newcomers, suggestions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from tests.patience import time_limit

from parlour.protocols.dogker import Dogker
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.tables.live.service import Parlour

from .conftest import Serve


class House:
    """Dogker behind certain limits, and the little that a client needs."""

    def __init__(self, url: str, http: aiohttp.ClientSession) -> None:
        self.url = url
        self.http = http

    async def post(self, path: str, body: object) -> tuple[int, Any]:
        async with self.http.post(self.url + path, json=body) as answer:
            return answer.status, await answer.json()

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.http.get(self.url + path) as answer:
            return answer.status, await answer.json()

    async def user(self) -> dict[str, Any]:
        status, body = await self.post("/users", {"userId": None})
        assert status == 200
        return dict(body["payload"])

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[Callable[..., Awaitable[tuple[str, Any]]]]:
        """A socket; to call it sends an event and gives the first one that comes back."""
        url = f"{self.url}/socket.io/?EIO=3&transport=websocket"
        async with self.http.ws_connect(url) as socket:
            assert (await socket.receive_str())[0] == "0"
            assert await socket.receive_str() == "40"

            async def ask(event: str, **payload: Any) -> tuple[str, Any]:
                await socket.send_str("42" + json.dumps([event, payload]))
                name, answer = json.loads((await socket.receive_str(timeout=60))[2:])
                return name, answer

            yield ask


Start = Callable[..., Awaitable[House]]


@pytest.fixture
async def start(parlour: Parlour, serve: Serve) -> AsyncIterator[Start]:
    async with aiohttp.ClientSession() as http:

        async def start_house(*limits: str) -> House:
            admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", *limits])))
            return House(await serve(Dogker(parlour, admission), admission), http)

        yield start_house


def joining(user: dict[str, Any], code: str) -> dict[str, Any]:
    return {"userId": user["_id"], "gameCode": code, "username": "Ann", "avatarId": 1}


async def test_an_identity_has_a_limited_number_of_sockets(start: Start) -> None:
    house = await start("sockets_per_identity=2")
    ann, bob = await house.user(), await house.user()
    code = ann["code"]
    async with house.socket() as one, house.socket() as two, house.socket() as three:
        assert (await one("createOrJoinRoom", **joining(ann, code)))[0] == "joinedRoom"
        assert (await two("fold", userId=ann["_id"], gameCode=code))[0] == "err", "no hand yet, but it counts"
        event, words = await three("createOrJoinRoom", **joining(ann, code))
        assert (event, words) == ("err", "Too many sockets: at most 2 at once.")
        assert (await three("createOrJoinRoom", **joining(bob, code)))[0] == "joinedRoom"


@pytest.mark.parametrize("event", ["createOrJoinRoom", "bet", "fold", "setPlayerSite"])
async def test_wrong_codes_are_counted_whatever_carries_them(start: Start, event: str) -> None:
    house = await start("guesses=0.001/3")
    ann = await house.user()
    async with house.socket() as ask:
        for number in range(3):
            answer = await ask(event, **joining(ann, f"WRONG{number}"), amount=0, numberSite=1)
            assert answer == ("err", "There is no such room")
        name, words = await ask(event, **joining(ann, ann["code"]), amount=0, numberSite=1)
    assert name == "err"
    assert words.startswith("Too many wrong")
    assert (await house.get(f"/games/{ann['code']}"))[0] == 429, "one account for all ways to guess"


async def test_wrong_user_ids_are_counted_and_players_go_on(start: Start) -> None:
    house = await start("guesses=0.001/3")
    ann = await house.user()
    async with house.socket() as player, house.socket() as guesser:
        assert (await player("createOrJoinRoom", **joining(ann, ann["code"])))[0] == "joinedRoom"
        for _ in range(3):
            answer = await guesser("fold", userId="wrong", gameCode=ann["code"])
            assert answer == ("err", "There is no such user")
        assert (await guesser("fold", userId="wrong", gameCode=ann["code"]))[1].startswith("Too many wrong")
        assert await player("bet", userId=ann["_id"], gameCode=ann["code"], amount=0) == ("err", "It is not your turn")


async def test_wrong_codes_are_counted_over_rest(start: Start) -> None:
    house = await start("guesses=0.001/3")
    for number in range(3):
        assert (await house.get(f"/games/WRONG{number}"))[1]["payload"]["live"] is False
    status, body = await house.get("/games/WRONG")
    assert (status, body["success"]) == (429, False)


async def test_newcomers_are_counted_with_unknown_ids_too(start: Start) -> None:
    house = await start("identities=0.001/2")
    ann = await house.user()
    assert (await house.post("/users", {"userId": "unknown"}))[0] == 200
    assert (await house.post("/users", {"userId": "unknown"}))[0] == 429
    assert (await house.post("/users", {"userId": ann["_id"]}))[1]["payload"] == ann, "a known user is no newcomer"


async def test_suggestions_are_counted(start: Start) -> None:
    house = await start("suggestions=0.001/1")
    assert (await house.post("/suggestions", {"title": "a", "suggestion": "b"}))[0] == 200
    assert (await house.post("/suggestions", {"title": "a", "suggestion": "b"}))[0] == 429


async def test_commands_of_an_identity_are_counted(start: Start) -> None:
    house = await start("commands=0.001/2")
    ann = await house.user()
    async with house.socket() as ask:
        assert (await ask("createOrJoinRoom", **joining(ann, ann["code"])))[0] == "joinedRoom"
        await ask("fold", userId=ann["_id"], gameCode=ann["code"])
        event, words = await ask("fold", userId=ann["_id"], gameCode=ann["code"])
    assert event == "err"
    assert words.startswith("Too many commands")


async def test_rooms_that_are_made_are_counted(start: Start) -> None:
    house = await start("tables=0.001/1")
    guest = await house.user()
    async with house.socket() as ask:
        answers = [await ask("createOrJoinRoom", **joining(guest, (await house.user())["code"])) for _ in range(4)]
    assert [event for event, _ in answers[:3]] == ["joinedRoom"] * 3
    assert answers[3][1].startswith("Too many tables"), "three rooms of one address, whoever owns them"


async def test_a_private_table_names_nobody_and_a_listed_one_its_players(start: Start, parlour: Parlour) -> None:
    house = await start()
    ann = await house.user()
    identity = await parlour.authenticate(ann["_id"])
    assert identity is not None
    for private, players in ((True, [{"site": 1}]), (False, [{"_id": identity.id, "name": "Ann", "site": 1}])):
        table = await parlour.create_table(identity, "holdem", {"private": private})
        async with house.socket() as ask:
            await ask("createOrJoinRoom", **joining(ann, table.code))
            told = (await house.get(f"/games/{table.code}"))[1]["payload"]
        assert told == {"live": True, "gameStarted": False, "players": players}


async def test_more_watchers_than_seats_do_not_stop_the_owner(start: Start, parlour: Parlour) -> None:
    house = await start()
    people = [await house.user() for _ in range(3)]
    code = people[0]["code"]
    identities = {found.id: found for p in people if (found := await parlour.authenticate(p["_id"])) is not None}
    owner = next(iter(identities.values()))
    async with house.socket() as ann, house.socket() as bob, house.socket() as cy:
        await ann("createOrJoinRoom", **joining(people[0], code))
        table = await parlour.open(code)
        await table.host(owner, "settings", {"seats": 2, "hand_delay": 0})
        await bob("createOrJoinRoom", **joining(people[1], code))
        await table.start(owner)
        assert (await cy("createOrJoinRoom", **joining(people[2], code)))[0] == "joinedRoom"
        while table.state.status() == "playing":
            holder = table.state.room.seats[table.state.rules.actors(table.state.play)[0]]
            assert holder is not None
            actions = json.loads(table.view(identities[holder.id]))["legal"]["actions"]
            await table.act(identities[holder.id], {"type": "allin" if "allin" in actions else "call"}, None)
        async with time_limit():
            while table.state.status() == "waiting":
                await ann("startGame", gameCode=code)
    assert [holder.id for holder in table.state.room.seats if holder] == list(identities)[:2]


async def test_a_revoked_secret_ends_its_sockets(start: Start, parlour: Parlour) -> None:
    house = await start()
    ann = await house.user()
    identity = await parlour.authenticate(ann["_id"])
    assert identity is not None
    async with house.socket() as ask:
        assert (await ask("createOrJoinRoom", **joining(ann, ann["code"])))[0] == "joinedRoom"
        await parlour.people.revoke_others(identity.id)
        with pytest.raises((TypeError, ConnectionError)):  # the socket is closed
            await ask("fold", userId=ann["_id"], gameCode=ann["code"])
    async with house.socket() as ask:
        assert await ask("fold", userId=ann["_id"], gameCode=ann["code"]) == ("err", "There is no such user")


async def test_an_event_that_is_none_is_told_and_nothing_breaks(start: Start) -> None:
    house = await start()
    ann = await house.user()
    async with house.socket() as ask:
        assert await ask("sudo") == ("err", "There is no event 'sudo'")
        assert await ask("createOrJoinRoom", userId={"$ne": 1}, gameCode=[]) == ("err", "There is no such user")
        assert await ask("createOrJoinRoom", userId=ann["_id"], gameCode=[]) == ("err", "A room is named by its code")
        assert (await ask("createOrJoinRoom", **joining(ann, ann["code"])))[0] == "joinedRoom"
