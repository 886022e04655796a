"""How two people come to a table of each contestant, and how its game is started."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Any, Protocol

from benchmarks.server.load.handshake import BINARY, PONG, Link

AT_ONCE = 50
MURMUR_EVERY = 2.0
"""Seconds between two signs of life, besides the time that it takes to give them for everybody."""
TABLES_OF_A_PERSON = 10
"""A person hosts few tables, so every tenth table has new people."""
SETTINGS = {
    "seats": 2, "small_blind": 1, "big_blind": 2, "min_buy_in": 2, "max_buy_in": 10**9, "buy_in": 10**9,
    "action_seconds": 0, "hand_delay": 0, "private": True,
}  # fmt: skip

Pair = tuple[Link, Link]


def post(url: str, body: object = None, headers: Mapping[str, str] | None = None) -> Any:
    fields = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(body or {}).encode(), fields)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


class Contestant(Protocol):
    """A server that people come to. The messages are those of its own client, byte for byte."""

    def join(self, table: int) -> Pair:
        """Bring two people to a table of that number."""

    def start(self, table: int) -> None:
        """Start its game, when all tables are taken."""


class Parlour:
    def __init__(self, urls: str, tables: int, pool: ThreadPoolExecutor, view: int) -> None:
        """`urls`: of one node, or of several with commas between: the players of a table go to different ones."""
        self._urls = [f"{url}/api/v1" for url in urls.split(",")]
        self._url = self._urls[0]
        self._view = view
        self._codes = [""] * tables
        self._people = list(pool.map(self._register, range(0, tables, TABLES_OF_A_PERSON)))

    def _register(self, table: int) -> list[dict[str, str]]:
        tokens = [post(f"{self._url}/identities", {"name": f"{name} {table}"})["token"] for name in ("Ann", "Ben")]
        return [{"Authorization": f"Bearer {token}"} for token in tokens]

    def join(self, table: int) -> Pair:
        ann, ben = self._people[table // TABLES_OF_A_PERSON]
        url = self._urls[table % len(self._urls)]
        self._codes[table] = post(f"{url}/tables", {"game": "holdem", "settings": SETTINGS}, ann)["code"]
        return self._sit(table, 0, ann), self._sit(table, 1, ben)

    def _sit(self, table: int, seat: int, headers: Mapping[str, str]) -> Link:
        url = self._urls[(table + seat) % len(self._urls)]
        link = Link(f"{url}/tables/{self._codes[table]}/socket?view={self._view}", headers)
        link.until(b'{"type":"welcome"')
        link.send(f'{{"type":"sit","id":"s{seat}","seat":{seat}}}'.encode())
        link.until(b'{"type":"ack"')
        return link

    def start(self, table: int) -> None:
        host, _ = self._people[table // TABLES_OF_A_PERSON]
        post(f"{self._url}/tables/{self._codes[table]}/start", headers=host)


class Boardgame:
    def __init__(self, url: str) -> None:
        self._url = f"{url}/socket.io/?EIO=4&transport=websocket"

    def join(self, table: int) -> Pair:
        return self._enter(table, 0), self._enter(table, 1)

    def _enter(self, table: int, seat: int) -> Link:
        link = Link(self._url)
        link.until(b'0{"sid"')
        link.send(b"40/betting,")
        link.until(b'40/betting,{"sid"')
        # A match that nobody knows is made when the first player asks for it. The answer tells whose turn it is: it is
        # left for those who play.
        link.send(f'42/betting,["sync","m{table}","{seat}",null,2]'.encode())
        link.until_something()
        return link

    def start(self, table: int) -> None:
        """A match is there to be played."""


class Colyseus:
    JOIN_ROOM = b"\n"

    def __init__(self, url: str) -> None:
        self._url = url

    def join(self, table: int) -> Pair:
        room, ann = self._enter("create/betting")
        _, ben = self._enter(f"joinById/{room}")
        return ann, ben

    def _enter(self, way: str) -> tuple[str, Link]:
        seat = post(f"{self._url}/matchmake/{way}")
        link = Link(f"{self._url}/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}")
        link.until(self.JOIN_ROOM)
        link.send(self.JOIN_ROOM, BINARY)
        return seat["roomId"], link

    def start(self, table: int) -> None:
        """A room is there to be played in."""


@contextmanager
def kept_alive(links: list[Link]) -> Iterator[None]:
    """Let those who have come, and those who are still added to the list, show that they are there: until thousands
    have come and their games are started takes longer than a server waits for a sign of life. Pings cannot be answered
    meanwhile, since they come among the messages that are left for those who play; so nobody waits to be asked."""
    over = threading.Event()

    def murmur() -> None:
        while not over.wait(MURMUR_EVERY):
            for link in links.copy():
                link.send(b"", PONG)

    murmuring = threading.Thread(target=murmur)
    murmuring.start()
    try:
        yield
    finally:
        over.set()
        murmuring.join()


def seated(kind: str, url: str, tables: int) -> list[Link]:
    """People at so many tables whose games have started, table by table."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        contestant: Contestant
        if kind == "boardgame":
            contestant = Boardgame(url)
        elif kind == "colyseus":
            contestant = Colyseus(url)
        else:
            contestant = Parlour(url, tables, pool, view=int(kind == "parlour"))
        links: list[Link] = []
        with kept_alive(links) if isinstance(contestant, Parlour) else nullcontext():
            for pair in pool.map(contestant.join, range(tables)):
                links += pair
            list(pool.map(contestant.start, range(tables)))
    return links
