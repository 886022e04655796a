"""Two servers whose decks differ only in cards that somebody may not see send that person the same bytes.

Everything that can be the same is: time stands still, tokens and codes come from a counter. So whatever differs in any
answer, frame, metric or log line can only come from the hidden cards.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import aiohttp
import pytest
import structlog
from tests.tiers import quick_first

from parlour.server import Config, parse_limits
from parlour.server.extensions import speak_dialects
from parlour.tables.testing import HandClock

HOLE = {0: (2, 5), 1: (0, 3), 2: (1, 4), None: ()}
"""Where in the deck the cards of each seat lie, with three players and the button on seat 0. None watches."""
BOARD = range(6, 11)
DOGKER = "/dogker/socket.io/?EIO=3&transport=websocket"


class Rigged:
    """Chance that deals a given deck, and otherwise counts."""

    def __init__(self, deck: list[int]) -> None:
        self._deck = deck
        self._count = 0

    def shuffle(self, n: int) -> list[int]:
        return list(self._deck) if n == 52 else list(range(n))

    def token(self, size: int) -> bytes:
        self._count += 1
        return random.Random(self._count).randbytes(size)


def pair_of_decks(seed: int, viewer: int | None) -> tuple[list[int], list[int]]:
    """A deck, and another with the same cards wherever the viewer may look, and others elsewhere."""
    draw = random.Random(seed)
    deck = draw.sample(range(52), 52)
    hidden = [place for place in range(52) if place not in HOLE[viewer] and place not in BOARD]
    other = list(deck)
    for place, card in zip(hidden, draw.sample([deck[p] for p in hidden], len(hidden)), strict=True):
        other[place] = card
    return deck, other


FILES = ("/history/1.phh", "/history/1.ohh", "/history/1.txt", "/history.phhs", "/history.ohh", "/history.txt")
MINE = ("/api/v1/me/rounds", "/api/v1/me/rounds.phhs", "/api/v1/me/rounds.ohh", "/api/v1/me/rounds.txt")

EXTRAS = (
    {"type": "run", "times": 2}, {"type": "rabbit"}, {"type": "straddle"}, {"type": "bomb", "on": False},
    {"type": "choose", "variant": "omaha", "limit": "pot-limit"}, {"type": "show", "cards": ["Ac"]},
)  # fmt: skip
"""What a host's options let people ask for; most of it is refused."""
OPTIONS: dict[str, Any] = {
    "seven_deuce": 5,
    "rabbit": True,
    "run_it": 3,
    "straddle": "button",
    "bomb_ante": 2,
    "choice": "dealer",
    "games": [["holdem", "no-limit"], ["omaha", "pot-limit"]],
}


async def play_and_listen(
    serve, folder, deck: list[int], viewer: int | None, leaver: int | None = None, **options: Any
) -> tuple[list[Any], list[str]]:
    """Play a hand that ends by folding, and that somebody may leave on the flop; everything that the viewer gets to see
    of it, over a socket of Dogker's too, and the viewer's cards."""
    folder.mkdir()
    config = Config(limits=parse_limits(["all=off"]), access_log=True)
    heard: list[Any] = []
    with structlog.testing.capture_logs() as lines:
        house = await serve(config, Rigged(deck), folder, clock=HandClock(), extensions=[speak_dialects])
        names = ("Ann", "Ben", "Cora")
        tables = await house.table("holdem", *names, start=False, action_seconds=0, hand_delay=60, **options)
        code = tables[0].code
        me = await house.client("Dora") if viewer is None else tables[viewer]._client
        my = me.table(code)

        async def look() -> None:
            path = f"/api/v1/tables/{code}"
            for part in ("", "/events?since=0", "/history", "/history/1", *FILES, "/ledger", "/ledger.csv"):
                answer = await house.ask("GET", path + part, headers=me._headers())
                heard.append((part, answer.status, await answer.text()))
            people = [(await table._client.me())["id"] for table in tables]
            others = [f"/api/v1/people/{person}{part}" for person in people for part in ("", "/against/me")]
            own = ("/api/v1/tables", "/api/v1/me/statistics", "/api/v1/me/statistics/holdem", "/api/v1/me/tables")
            for path in (*own, *others, *MINE):
                answer = await house.ask("GET", path, headers=me._headers())
                heard.append((path, answer.status, await answer.text()))
            for wrong in ({"type": "raise", "amount": 10**9}, {"type": "show"}, {"type": "deck"}, {}, *EXTRAS):
                answer = await house.ask(
                    "POST", f"/api/v1/tables/{code}/actions", json={"action": wrong}, headers=me._headers()
                )
                heard.append((str(wrong), answer.status, await answer.text()))

        url = f"{house.url}/api/v1/tables/{code}/socket"
        async with (
            me.session.ws_connect(url, headers=me._headers(), max_msg_size=0) as socket,
            me.session.ws_connect(house.url + DOGKER, max_msg_size=0) as dogker,
        ):
            if viewer is not None:  # whoever has no seat would take one
                await dogker.send_str("42" + json.dumps(["createOrJoinRoom", {"userId": me.token, "gameCode": code}]))
                while not (await dogker.receive_str()).startswith('42["joinedRoom"'):
                    pass
            await tables[0].start()
            await look()
            for street in range(4):
                while (view := await tables[0].view())["state"]["board"].__len__() == (0, 3, 4, 5)[street]:
                    actor = view["state"]["actor"]
                    if actor is None:
                        break
                    legal = (await tables[actor].view())["legal"]
                    if street == 3:
                        kind = {"type": "bet", "amount": 20} if "bet" in legal["actions"] else {"type": "fold"}
                    else:
                        kind = {"type": "check" if "check" in legal["actions"] else "call"}
                    await tables[actor].act(kind, view["turn"])
                if leaver is not None and street == 0:
                    await tables[leaver].leave()
                await look()
                if viewer is not None:
                    heard.append(await newest_room(dogker))
            result = (await tables[0].view())["state"]["result"]
            assert result["reason"] == "fold"
            await socket.send_str('{"type":"action","id":"x","action":{"type":"call"}}')
            await socket.send_str('{"type":"ping"}')
            while True:
                frame = await socket.receive_str()
                heard.append(frame)
                if frame == '{"type":"pong"}':
                    break
        metrics = (await me.request("GET", "/metrics")).splitlines()
        heard += [line for line in metrics if not re.search("process_|python_|_seconds|_waiting", line)]
        private = (await my.view())["private"]
        epoch = house.parlour.store.epoch
    heard += [{key: value for key, value in line.items() if key != "ms"} for line in lines]
    return [str(one).replace(epoch, "EPOCH") for one in heard], private["cards"] if private else []


async def newest_room(dogker: aiohttp.ClientWebSocketResponse) -> str:
    """The room as Dogker tells it after all that has happened. How many it tells on the way is a matter of time."""
    await dogker.send_str('42["no such event",{}]')
    room = ""
    while not (frame := await dogker.receive_str()).startswith('42["err"'):
        room = frame if frame.startswith('42["updatedRoom"') else room
    return room


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
async def test_nor_does_it_when_somebody_leaves_the_hand(serve, tmp_path, viewer: int | None) -> None:
    deck, other = pair_of_decks(4, viewer)
    leaver = 2 if viewer is None else (viewer + 1) % 3
    heard, cards = await play_and_listen(serve, tmp_path / "one", deck, viewer, leaver)
    heard_too, cards_too = await play_and_listen(serve, tmp_path / "two", other, viewer, leaver)
    assert cards == cards_too
    assert heard == heard_too


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("seed", quick_first([1, 2, 3]))
async def test_what_somebody_may_not_know_changes_no_byte_for_them(
    serve, tmp_path, seed: int, viewer: int | None
) -> None:
    deck, other = pair_of_decks(seed, viewer)
    assert deck != other
    heard, cards = await play_and_listen(serve, tmp_path / "one", deck, viewer)
    heard_too, cards_too = await play_and_listen(serve, tmp_path / "two", other, viewer)
    assert cards == cards_too, "the pair is made so that the viewer's own cards are the same"
    assert len(heard) > 50
    assert heard == heard_too


@pytest.mark.parametrize("viewer", [0, 2, None])
async def test_nobody_knows_of_a_seven_deuce_that_won_and_was_not_shown(serve, tmp_path, viewer: int | None) -> None:
    """With every option of the host, whoever bets on the river, seat 1, holds 7-2 in one hand and not in the other."""
    deck, _ = pair_of_decks(7, viewer)
    hidden = [place for place in range(52) if place not in HOLE[viewer] and place not in BOARD]
    seven = next(place for place in hidden if deck[place] // 4 == 5)
    deuce = next(place for place in hidden if deck[place] // 4 == 0)
    for place, found in zip(HOLE[1], (seven, deuce), strict=True):
        deck[place], deck[found] = deck[found], deck[place]
    assert {deck[place] // 4 for place in HOLE[1]} == {0, 5}
    other = list(deck)
    spare = [place for place in hidden if deck[place] // 4 not in (0, 5)][:2]
    for place, found in zip(HOLE[1], spare, strict=True):
        other[place], other[found] = deck[found], deck[place]
    heard, cards = await play_and_listen(serve, tmp_path / "one", deck, viewer, **OPTIONS)
    heard_too, cards_too = await play_and_listen(serve, tmp_path / "two", other, viewer, **OPTIONS)
    assert cards == cards_too
    assert heard == heard_too


async def test_the_comparison_can_fail(serve, tmp_path) -> None:
    """Somebody whose own cards differ does hear something else."""
    deck, other = pair_of_decks(1, 0)
    heard, cards = await play_and_listen(serve, tmp_path / "one", deck, 1)
    heard_too, cards_too = await play_and_listen(serve, tmp_path / "two", other, 1)
    assert cards != cards_too
    assert heard != heard_too
