"""How long each route and each event holds up everybody else: the processor time that the worst legal request takes on
the thread of the event loop. A route without a worst request here fails, and so does one that takes too long.

A route that gives way again and again while it answers, as a stream does, is judged by its longest turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import aiohttp
import chess
import pytest
from aiohttp import web
from coverage import Coverage

from parlour.games.registry import Registry
from parlour.server import Config, create_app, parse_limits
from parlour.server.access.admission import OPERATOR_HEADER
from parlour.server.app import SITE
from parlour.server.extensions import DIALECTS, employ_bots, speak_dialects
from parlour.server.site import Site
from parlour.server.transport import entry, frames
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy

LIMIT_MS = 5.0
RUNS = 7
PLIES = 400
HANDS = 60
ENTRIES = 9_900
"""Nearly as many as a tournament takes."""
ENTER_TOGETHER = 100
ENTRIES_OF_SWISS = 250
OPEN_TABLES = 200
SECRET = "a secret of the operator"


class Turns(asyncio.SelectorEventLoop):
    """An event loop that knows the processor time of all its turns, and of the longest."""

    spent = longest = 0.0

    def _run_once(self) -> None:
        began = time.thread_time()
        super()._run_once()  # type: ignore[misc]
        took = time.thread_time() - began
        self.spent += took
        self.longest = max(self.longest, took)


@dataclass
class Ask:
    """A request, once everything that has to come before it is done."""

    method: str
    path: str
    body: Any = None
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    data: bytes | dict[str, str] | None = None
    first: str = ""
    """Of an answer that goes on for ever, what to wait for: its `head`, or its first `line`, or `frame`."""


Case = Callable[["World"], Awaitable[Ask]]
WORST: dict[str, Case] = {}
IN_TURNS: set[str] = set()


def worst(*routes: str, in_turns: bool = False) -> Callable[[Case], Case]:
    def register(case: Case) -> Case:
        for route in routes:
            WORST[route] = case
        if in_turns:
            IN_TURNS.update(routes)
        return case

    return register


def get(route: str, path: str | None = None, as_whom: str = "ann", *, in_turns: bool = False) -> None:
    """The worst request of a route that only reads."""

    @worst(f"GET {route}", in_turns=in_turns)
    async def case(world: World) -> Ask:
        return Ask("GET", (path or route).format(**world.names), token=world.tokens.get(as_whom))


class World:
    """A server that holds as much as it may, and somebody who asks it."""

    def __init__(self, folder: Path) -> None:
        self.loop = Turns()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.folder = folder
        self.tokens: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.names: dict[str, Any] = {}
        self.counter = itertools.count()

    async def on_loop(self, work: Awaitable[Any]) -> Any:
        async def run() -> Any:
            return await work

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run(), self.loop))

    async def start(self) -> None:
        async def open_() -> int:
            parlour = Parlour(
                SqliteStore(self.folder / "parlour.db"), SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry()
            )
            config = Config(limits=parse_limits(["all=off"]), operator_secret=SECRET)
            app = create_app(parlour, config, extensions=[employ_bots, speak_dialects])
            self.runner = web.AppRunner(app, shutdown_timeout=1.0)
            await self.runner.setup()
            return await entry.listen(self.runner, app[SITE].admission, "127.0.0.1", 0)

        port = await self.on_loop(open_())
        self.url = f"http://127.0.0.1:{port}"
        self.site: Site = self.runner.app[SITE]
        self.parlour = self.site.parlour
        self.session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())

    async def stop(self) -> None:
        await self.session.close()
        await self.on_loop(self.runner.cleanup())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def person(self, name: str, bot: bool = False) -> str:
        identity, token = await self.on_loop(self.parlour.create_identity(name, bot=bot))
        self.tokens[name], self.ids[name] = token, identity.id
        return token

    async def ask(self, asked: Ask) -> tuple[int, Any]:
        headers = dict(asked.headers)
        if asked.token:
            headers["Authorization"] = f"Bearer {asked.token}"
        if asked.first == "frame":
            async with self.session.ws_connect(self.url + asked.path, headers=headers) as socket:
                return 101, (await socket.receive()).data
        options: dict[str, Any] = {"json": asked.body} if asked.body is not None else {"data": asked.data}
        async with self.session.request(
            asked.method, self.url + asked.path, headers=headers, allow_redirects=False, **options
        ) as answer:
            if asked.first:
                return answer.status, b"" if asked.first == "head" else await answer.content.readline()
            return answer.status, await answer.read()

    async def done(self, method: str, path: str, body: Any = None, who: str = "ann", **more: Any) -> Any:
        """The answer to a request that has to succeed."""
        status, raw = await self.ask(Ask(method, path, body, self.tokens.get(who), **more))
        assert status < 300, (method, path, status, raw[:300])
        return json.loads(raw) if raw[:1] in (b"{", b"[") else raw

    async def api(self, method: str, path: str, body: Any = None, who: str = "ann") -> Any:
        return await self.done(method, f"/api/v1{path}", {} if body is None and method != "GET" else body, who)


def a_move(board: chess.Board, chance: random.Random) -> chess.Move | None:
    """A move after which the game goes on, or None: a capture only where nothing else is to be done."""
    moves = [move for move in board.legal_moves if move.promotion is None]
    irreversible = [move for move in moves if board.is_zeroing(move)]
    quiet = [move for move in moves if not board.is_capture(move)]
    some = (irreversible if board.halfmove_clock > 60 else quiet) or moves
    for move in chance.sample(some, len(some)):
        board.push(move)
        over = board.is_game_over()
        board.pop()
        if not over:
            return move
    return None


def long_game() -> list[str]:
    """Moves at random of a game that goes on."""
    for seed in itertools.count():
        chance, board = random.Random(seed), chess.Board()
        while board.ply() < PLIES and (move := a_move(board, chance)):
            board.push(move)
        if board.ply() == PLIES and a_move(board, chance):
            return [move.uci() for move in board.move_stack]
    raise AssertionError("no end of seeds")


async def furnish(world: World) -> None:
    """Fill the server: long games, long evenings, large tournaments, a full lobby."""
    people = ["ann", *(f"player{number}" for number in range(9))]
    for name in people:
        await world.person(name)
    await world.person("gone")
    world.names |= {"epoch": world.site.epoch, "person": world.ids["player0"], "gone": world.ids["gone"]}
    # A table of ten, whose evening was long
    settings = {"seats": 10, "variant": "omaha", "hand_delay": 0, "action_seconds": 0}
    code = (await world.api("POST", "/tables", {"game": "holdem", "settings": settings}))["code"]
    world.names["poker"] = code
    for name in people:
        await world.api("POST", f"/tables/{code}/seats", {}, name)
    await world.api("POST", f"/tables/{code}/start")
    await play(world, code, people, HANDS)
    for number in range(40):
        await world.on_loop(_chat(world, code, f"{number} " + "x" * 490))
    # A game of chess of many moves
    moves = world.names["moves"] = long_game()
    code = world.names["chess"] = await chess_table(world)
    for ply, uci in enumerate(moves):
        await world.api("POST", f"/tables/{code}/actions", {"action": {"type": "move", "uci": uci}}, people[ply % 2])
    board = world.names["long"] = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    over = world.names["over"] = await chess_table(world)
    for ply, uci in enumerate(moves):
        await world.api("POST", f"/tables/{over}/actions", {"action": {"type": "move", "uci": uci}}, people[ply % 2])
    await world.api("POST", f"/tables/{over}/actions", {"action": {"type": "resign"}})
    # A lobby with as many tables as it shows, a tournament with as many entries as it takes
    hosts = [await world.person(f"host{number}") for number in range(OPEN_TABLES // 20)]
    for number in range(OPEN_TABLES):
        await world.api("POST", "/tables", {"game": "holdem"}, f"host{number % len(hosts)}")
    for game, format_, count in (("holdem", "mtt", ENTRIES), ("chess", "swiss", ENTRIES_OF_SWISS)):
        settings = {"entries_max": count + 50}
        new = {"game": game, "name": "x" * 60, "format": format_, "settings": settings}
        told = await world.api("POST", "/tournaments", new)
        world.names[format_] = told["code"]
        await world.on_loop(enter(world, told["code"], count))
    for _ in range(12):
        preset = {"name": secrets.token_hex(20), "game": "holdem", "settings": {}}
        world.names["preset"] = (await world.api("POST", "/me/presets", preset))["id"]
    for number in range(60):
        await world.done("POST", "/api/v1/suggestions", {"title": f"{number} " + "t" * 70, "suggestion": "s" * 2000})


async def _chat(world: World, code: str, text: str) -> None:
    table = await world.parlour.open(code)
    identity = await world.parlour.authenticate(world.tokens["ann"])
    with contextlib.suppress(Exception):
        await table.chat(identity, text)


async def enter(world: World, code: str, count: int) -> None:
    async def one(number: int) -> None:
        identity, _ = await world.parlour.create_identity(f"Entrant {number}", None, False, "")
        await world.site.tournaments.enter(code, identity, None)

    for start in range(0, count, ENTER_TOGETHER):  # which are committed together
        await asyncio.gather(*map(one, range(start, min(count, start + ENTER_TOGETHER))))


async def chess_table(world: World) -> str:
    """A game that Ann has begun to play with White. Others are the hosts, as nobody may be of many tables."""
    await world.person("organiser")
    new = {"game": "chess", "settings": {"minutes": 180, "increment": 60, "side": "white"}}
    code: str = (await world.api("POST", "/tables", new, "organiser"))["code"]
    for seat, name in enumerate(("ann", "player0")):
        await world.api("POST", f"/tables/{code}/seats", {"seat": seat}, name)
    await world.api("POST", f"/tables/{code}/start", None, "organiser")
    return code


async def play(world: World, code: str, people: list[str], hands: int) -> None:
    """So many hands, in which everybody folds to the big blind."""
    for _ in range(hands * (len(people) - 1)):
        await one_acts(world, code, people)


async def one_acts(world: World, code: str, people: list[str]) -> None:
    while (actor := (await world.api("GET", f"/tables/{code}"))["state"]["actor"]) is None:
        pass  # the next hand is about to be dealt
    act = {"action": {"type": "fold"}}
    await world.api("POST", f"/tables/{code}/actions", act, people[actor])


# What only reads

for route in (
    "/api/v1", "/api/v1/games", "/api/v1/me", "/api/v1/session", "/api/v1/me/presets", "/api/v1/me/privacy",
    "/api/v1/me/tables", "/api/v1/me/tokens", "/api/v1/me/statistics", "/api/v1/suggestions", "/api/v1/tables",
    "/api/v1/tournaments", "/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/chessmate/",
    "/dogker/suggestions", "/lichess/api/account", "/lichess/api/account/playing", "/lichess/api/challenge",
):  # fmt: skip
    get(route)
get("/api/v1/ladder")
get("/api/v1/ladder/matches")
get("/api/v1/me/rounds", "/api/v1/me/rounds?limit=200")
get("/api/v1/me/rounds.{suffix}", "/api/v1/me/rounds.txt", in_turns=True)
get("/api/v1/me/export", in_turns=True)
get("/api/v1/me/statistics/{game}", "/api/v1/me/statistics/holdem")
get("/api/v1/people/{person}", "/api/v1/people/{person}")
get("/api/v1/people/{person}/against/me")
get("/api/v1/people/{person}/rating", "/api/v1/people/{person}/rating?game=chess&variant=standard&speed=classical")
get("/api/v1/ratings", "/api/v1/ratings?game=chess&variant=standard&speed=classical&limit=200")
get("/api/v1/tables/{code}", "/api/v1/tables/{poker}")
get("/api/v1/tables/{code}/events", "/api/v1/tables/{poker}/events", in_turns=True)
get("/api/v1/tables/{code}/history", "/api/v1/tables/{poker}/history?limit=200")
get("/api/v1/tables/{code}/history.{suffix}", "/api/v1/tables/{poker}/history.phhs", in_turns=True)
get("/api/v1/tables/{code}/history/{number}", "/api/v1/tables/{over}/history/1")
get("/api/v1/tables/{code}/history/{number}.{suffix}", "/api/v1/tables/{over}/history/1.pgn")
get("/api/v1/tables/{code}/ledger", "/api/v1/tables/{poker}/ledger")
get("/api/v1/tables/{code}/ledger.csv", "/api/v1/tables/{poker}/ledger.csv")
get("/api/v1/tournaments/{code}", "/api/v1/tournaments/{mtt}")
get("/api/v1/tournaments/{code}/events", "/api/v1/tournaments/{mtt}/events", in_turns=True)
get("/dogker/games/{code}", "/dogker/games/{poker}")
get("/lichess/api/user/{user}", "/lichess/api/user/ann")
get("/lichess/api/users/status", "/lichess/api/users/status?ids=" + ",".join(["ann"] * 50))
get("/lichess/api/bot/online", "/lichess/api/bot/online", in_turns=True)
get("/lichess/api/bot/game/{game}/chat", "/lichess/api/bot/game/{chess}/chat")
get("/lichess/api/board/game/{game}/chat", "/lichess/api/board/game/{chess}/chat")
get("/lichess/game/export/{game}", "/lichess/game/export/{over}")
get("/{path}", "/")


@worst("GET /api/v1/tables/{code}/qr.svg")
async def picture(world: World) -> Ask:
    host = f"{'h' * 52}.local:{10_000 + next(world.counter)}"  # a link that was not drawn before
    return Ask("GET", f"/api/v1/tables/{world.names['poker']}/qr.svg", headers={"Host": host})


@worst("GET /api/v1/servers")
async def servers(world: World) -> Ask:
    return Ask("GET", "/api/v1/servers")


# Calculators

HANDS_OF_TEN = [f"{rank}s{rank}h" for rank in "23456789TJ"]


@worst("POST /api/v1/evaluate")
async def evaluate(world: World) -> Ask:
    return Ask("POST", "/api/v1/evaluate", {"cards": "As Ks Qs Js Ts 9s 8s"})


@worst("POST /api/v1/pots")
async def pots(world: World) -> Ask:
    return Ask("POST", "/api/v1/pots", {"stakes": [10**11 + seat for seat in range(10)], "folded": [0, 5]})


@worst("POST /api/v1/showdown")
async def showdown(world: World) -> Ask:
    deck = [f"{rank}{suit}" for suit in "shd" for rank in "23456789TJQKA"]
    held = ["".join(deck[2 * seat : 2 * seat + 2]) for seat in range(10)]
    body = {"board": "2c 7c Qc Kc 3c", "button": 0, "hands": held, "stakes": [1000 * seat + 1 for seat in range(10)]}
    return Ask("POST", "/api/v1/showdown", body)


@worst("POST /api/v1/equity")
async def equity(world: World) -> Ask:
    ranges = ["22+,A2s+,K2s+,Q2s+,J2s+,T2s+,A2o+,K2o+,Q2o+,J2o+,T2o+,92s+,82s+,72s+,62s+,52s+,42s+,32s"] * 9
    return Ask("POST", "/api/v1/equity", {"hands": ranges, "trials": 20_000})


@worst("POST /api/v1/import")
async def import_(world: World) -> Ask:
    hand = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [200, 200]\n'
        'actions = ["d dh p1 AsKs", "d dh p2 QdQh", "p2 cbr 200", "p1 cc", "d db 2c3c4d", "d db 5h", "d db 9s"]\n'
    )
    file = "".join(f"[{number}]\n{hand}" for number in range(1, 13_000 // (len(hand) + 5)))
    return Ask("POST", "/api/v1/import", {"text": file})


# People


@worst("POST /api/v1/identities")
async def identity(world: World) -> Ask:
    return Ask("POST", "/api/v1/identities", {"name": "n" * 32, "avatar": "a" * 32})


@worst("POST /api/v1/identities/preview")
async def look_whose(world: World) -> Ask:
    code = (await world.api("POST", "/me/transfer"))["code"]
    return Ask("POST", "/api/v1/identities/preview", {"code": code})


@worst("POST /api/v1/identities/redeem")
async def redeem(world: World) -> Ask:
    code = (await world.api("POST", "/me/transfer"))["code"]
    return Ask("POST", "/api/v1/identities/redeem", {"code": code})


@worst("PATCH /api/v1/me")
async def rename(world: World) -> Ask:
    return Ask("PATCH", "/api/v1/me", {"name": f"{next(world.counter)}".rjust(32, "n")}, world.tokens["ann"])


def post(route: str, path: str, body: Any = None, as_whom: str = "ann", method: str = "POST") -> None:
    """A request that may be made again and again, or is refused when it has been looked at."""

    @worst(f"{method} {route}")
    async def case(world: World) -> Ask:
        token = world.tokens.get(as_whom)
        return Ask(method, path.format(**world.names), {} if body is None else body, token)


post("/api/v1/me/transfer", "/api/v1/me/transfer")
post("/api/v1/me/session", "/api/v1/me/session")
post("/api/v1/me/ticket", "/api/v1/me/ticket")
post("/api/v1/me/privacy", "/api/v1/me/privacy", method="PUT")
post("/api/v1/suggestions", "/api/v1/suggestions", {"title": "t" * 80, "suggestion": "s" * 2000})
post("/api/v1/me/presets", "/api/v1/me/presets", {"name": "p" * 40, "game": "holdem", "settings": {}})
post("/api/v1/ladder/calls", "/api/v1/ladder/calls", {"game": "chess"})


@worst("DELETE /api/v1/me")
async def leave_for_good(world: World) -> Ask:
    token = await world.person("going")
    code = (await world.api("POST", "/tables", {"game": "holdem"}, "going"))["code"]
    await world.api("POST", f"/tables/{code}/seats", {}, "going")
    await world.api("POST", f"/tournaments/{world.names['swiss']}/entries", None, "going")
    return Ask("DELETE", "/api/v1/me", {"name": "going"}, token)


@worst("DELETE /api/v1/operator/people/{person}")
async def delete_somebody(world: World) -> Ask:
    await world.person("deleted")
    headers = {OPERATOR_HEADER: SECRET}
    return Ask("DELETE", f"/api/v1/operator/people/{world.ids['deleted']}", {"name": "deleted"}, headers=headers)


@worst("DELETE /api/v1/me/tokens", "DELETE /api/v1/me/tokens/{token}")
async def revoke(world: World) -> Ask:
    token = await world.person("leaving")
    for _ in range(20):
        code = (await world.api("POST", "/me/transfer", None, "leaving"))["code"]
        await world.api("POST", "/identities/redeem", {"code": code}, "")
    return Ask("DELETE", "/api/v1/me/tokens", token=token)


@worst("DELETE /api/v1/me/presets/{preset}")
async def delete_preset(world: World) -> Ask:
    presets = await world.api("GET", "/me/presets")
    return Ask("DELETE", f"/api/v1/me/presets/{presets[-1]['id']}", token=world.tokens["ann"])


# Tables


@worst("POST /api/v1/tables")
async def new_table(world: World) -> Ask:
    name = f"owner{next(world.counter)}"
    return Ask("POST", "/api/v1/tables", {"game": "holdem", "settings": {"seats": 10}}, await world.person(name))


async def fresh_table(world: World, seats: int = 10, game: str = "holdem", **settings: Any) -> tuple[str, list[str]]:
    """A table with all its seats taken but the last, and who sits there."""
    people = ["fresh0", *(f"player{number}" for number in range(seats - 2))]
    await world.person("fresh0")
    code = (await world.api("POST", "/tables", {"game": game, "settings": {"seats": seats, **settings}}, "fresh0"))[
        "code"
    ]
    for name in people:
        await world.api("POST", f"/tables/{code}/seats", {}, name)
    return code, people


@worst("POST /api/v1/tables/{code}/seats")
async def sit(world: World) -> Ask:
    code, _ = await fresh_table(world)
    return Ask("POST", f"/api/v1/tables/{code}/seats", {}, world.tokens["player8"])


@worst("DELETE /api/v1/tables/{code}/seats/me")
async def leave(world: World) -> Ask:
    code, people = await fresh_table(world)
    await world.api("POST", f"/tables/{code}/start", None, "fresh0")
    return Ask("DELETE", f"/api/v1/tables/{code}/seats/me", token=world.tokens[people[-1]])


@worst("POST /api/v1/tables/{code}/start")
async def start(world: World) -> Ask:
    code, _ = await fresh_table(world)
    return Ask("POST", f"/api/v1/tables/{code}/start", {}, world.tokens["fresh0"])


@worst("POST /api/v1/tables/{code}/waiting", "DELETE /api/v1/tables/{code}/requests/me")
async def wait(world: World) -> Ask:
    token = await world.person("waiting")
    return Ask("POST", f"/api/v1/tables/{world.names['poker']}/waiting", {}, token)


@worst("POST /api/v1/tables/{code}/host/{power}")
async def power(world: World) -> Ask:
    code, _ = await fresh_table(world)
    return Ask("POST", f"/api/v1/tables/{code}/host/add_bot", {"seat": 9}, world.tokens["fresh0"])


@worst("POST /api/v1/tables/{code}/chat")
async def chat(world: World) -> Ask:
    code, _ = await fresh_table(world)
    return Ask("POST", f"/api/v1/tables/{code}/chat", {"text": "💥" * 500}, world.tokens["fresh0"])


@worst("POST /api/v1/tables/{code}/actions")
async def all_in(world: World) -> Ask:
    """The last call of an all-in of everybody: the board is run out, the chances are computed, the pots are divided."""
    code, people = await fresh_table(world, 10, variant="omaha", limit="no-limit", action_seconds=0)
    await world.api("POST", f"/tables/{code}/start", None, "fresh0")
    for number in itertools.count():
        actor = people[(await world.api("GET", f"/tables/{code}", None, "fresh0"))["state"]["actor"]]
        legal = (await world.api("GET", f"/tables/{code}", None, actor))["legal"]
        action = {"type": "raise", "amount": legal["all_in"]} if number == 0 else {"type": "call"}
        ask = Ask("POST", f"/api/v1/tables/{code}/actions", {"action": action}, world.tokens[actor])
        if number == len(people) - 1:
            return ask
        status, raw = await world.ask(ask)
        assert status == 200, (raw, legal)
    raise AssertionError("nobody is asked")


# Tournaments


@worst("POST /api/v1/tournaments")
async def new_tournament(world: World) -> Ask:
    token = await world.person(f"organiser{next(world.counter)}")
    return Ask("POST", "/api/v1/tournaments", {"game": "holdem", "name": "x" * 60, "format": "mtt"}, token)


@worst("GET /api/v1/tournaments/{code}", in_turns=True)
async def standings(world: World) -> Ask:
    """The view is made anew, since somebody has just entered."""
    await world.person("looking")
    await world.api("POST", f"/tournaments/{world.names['mtt']}/entries", None, "looking")
    return Ask("GET", f"/api/v1/tournaments/{world.names['mtt']}", token=world.tokens["looking"])


@worst("POST /api/v1/tournaments/{code}/entries")
async def entry_of_many(world: World) -> Ask:
    token = await world.person("entering")
    return Ask("POST", f"/api/v1/tournaments/{world.names['mtt']}/entries", {}, token)


@worst("DELETE /api/v1/tournaments/{code}/entries/me")
async def withdraw(world: World) -> Ask:
    token = await world.person("withdrawing")
    await world.api("POST", f"/tournaments/{world.names['mtt']}/entries", None, "withdrawing")
    return Ask("DELETE", f"/api/v1/tournaments/{world.names['mtt']}/entries/me", token=token)


async def fresh_tournament(world: World, count: int, game: str = "chess", format_: str = "swiss") -> tuple[str, str]:
    """A tournament that can be started, and the token of its host."""
    token = await world.person("organiser")
    code = (await world.api("POST", "/tournaments", {"game": game, "name": "x", "format": format_}, "organiser"))[
        "code"
    ]
    await world.on_loop(enter(world, code, count))
    return code, token


@worst("POST /api/v1/tournaments/{code}/start")
async def start_tournament(world: World) -> Ask:
    code, token = await fresh_tournament(world, 200)
    return Ask("POST", f"/api/v1/tournaments/{code}/start", {}, token)


@worst("POST /api/v1/tournaments/{code}/host/{power}")
async def add_bots(world: World) -> Ask:
    code, token = await fresh_tournament(world, 200, "holdem", "mtt")
    return Ask("POST", f"/api/v1/tournaments/{code}/host/add_bot", {"count": 50}, token)


for word, body in (("rebuy", {}), ("add_on", {}), ("deal", {"kind": "icm", "agree": True})):
    post(f"/api/v1/tournaments/{{code}}/{word}", f"/api/v1/tournaments/{{mtt}}/{word}", body)


# The operator


def operated(route: str, path: str | None = None, method: str = "GET", *, in_turns: bool = False) -> None:
    @worst(f"{method} {route}", in_turns=in_turns)
    async def case(world: World) -> Ask:
        return Ask(method, (path or route).format(**world.names), headers={OPERATOR_HEADER: SECRET})


operated("/api/v1/operator")
operated("/api/v1/operator/server")
operated("/api/v1/operator/tournaments")
operated("/api/v1/operator/people", "/api/v1/operator/people?who=Entrant")
operated("/api/v1/operator/backup", in_turns=True)
operated("/api/v1/operator/people/{person}/tokens", "/api/v1/operator/people/{gone}/tokens", "DELETE")


@worst("DELETE /api/v1/operator/tables/{code}")
async def end_table(world: World) -> Ask:
    code, _ = await fresh_table(world)
    return Ask("DELETE", f"/api/v1/operator/tables/{code}", headers={OPERATOR_HEADER: SECRET})


@worst("DELETE /api/v1/operator/tournaments/{code}")
async def end_tournament(world: World) -> Ask:
    code, _ = await fresh_tournament(world, 200)
    return Ask("DELETE", f"/api/v1/operator/tournaments/{code}", headers={OPERATOR_HEADER: SECRET})


# Chess Mate


async def browser_of(world: World) -> dict[str, str]:
    """The header of somebody who is in the middle of a long game."""
    if "browser" not in world.names:
        told = await world.done("POST", "/chessmate/new-game")
        own = world.names["browser"] = {"browser_id": told["game"]["browser_id"]}
        for uci in world.names["moves"]:
            await world.done("GET", f"/chessmate/make-move/{uci[:2]}/{uci[2:]}", headers=own)
        board = chess.Board()
        for uci in world.names["moves"]:
            board.push_uci(uci)
        world.names["board"] = board
    found: dict[str, str] = world.names["browser"]
    return found


@worst("GET /chessmate/legal-moves/{position}")
async def legal_moves(world: World) -> Ask:
    return Ask("GET", "/chessmate/legal-moves/e2", headers=await browser_of(world))


@worst("GET /chessmate/load-game")
async def load_game(world: World) -> Ask:
    return Ask("GET", "/chessmate/load-game", headers=await browser_of(world))


@worst("GET /chessmate/make-move/{from}/{to}")
async def make_move(world: World) -> Ask:
    own = await browser_of(world)
    board: chess.Board = world.names["board"]
    move = a_move(board, random.Random(1))
    assert move is not None
    board.push(move)
    return Ask("GET", f"/chessmate/make-move/{move.uci()[:2]}/{move.uci()[2:4]}", headers=own)


post("/chessmate/new-game", "/chessmate/new-game")
for prefix in ("/chessmate", "/lichess"):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        post(f"{prefix}/{{unknown}}", f"{prefix}/x", method=method)
post("/chessmate/{any}", "/chessmate/x", method="OPTIONS")
post("/dogker/{any}", "/dogker/x", method="OPTIONS")
post("/lichess/{any}", "/lichess/x", method="OPTIONS")


# Dogker

post("/dogker/users", "/dogker/users")
post("/dogker/users/", "/dogker/users/")
post("/dogker/suggestions", "/dogker/suggestions", {"title": "t" * 80, "suggestion": "s" * 2000})
get("/dogker/socket.io/", "/dogker/socket.io/?EIO=4&transport=polling")


@worst("POST /dogker/socket.io/", in_turns=True)
async def packets(world: World) -> Ask:
    """As many packets as a body holds."""
    told = await world.done("GET", "/dogker/socket.io/?EIO=4&transport=polling")
    sid = json.loads(told[1:])["sid"]
    body = "\x1e".join(["40", *["3"] * 8000])[: 16 * 1024 - 1].rstrip("\x1e").encode()
    return Ask("POST", f"/dogker/socket.io/?EIO=4&transport=polling&sid={sid}", data=body)


# Gateau

post("/gateau/config", "/gateau/config", {"config": "max_players", "value": 4, "game_id": "race"})
post("/gateau/reg", "/gateau/reg", {"name": "n" * 200, "address": "http://192.0.2.1:9", "game_id": "race"})
post("/gateau/game", "/gateau/game", {"secret_id": "s" * 64, "action": "raise", "value": 10, "game_id": "race"})


# Lichess


Part = Callable[[World], Awaitable[tuple[str, str]]]
"""Gives the id of a game, and the end of a path."""


def lichess(route: str, part: Part, form: dict[str, str] | None = None) -> None:
    for kind in ("bot", "board"):
        for end in ("", "/") if route in ("abort", "resign", "claim-victory") else ("",):

            @worst(f"POST /lichess/api/{kind}/game/{{game}}/{route}{end}")
            async def case(world: World, kind: str = kind, end: str = end) -> Ask:
                game, rest = await part(world)
                path = f"/lichess/api/{kind}/game/{game}/{rest}{end}"
                return Ask("POST", path, token=world.tokens["ann"], data=form)


def in_new_game(word: str) -> Part:
    async def part(world: World) -> tuple[str, str]:
        return await chess_table(world), word

    return part


def in_long_game(word: str) -> Part:
    async def part(world: World) -> tuple[str, str]:
        return world.names["chess"], word

    return part


async def next_move(world: World) -> tuple[str, str]:
    """Ann's next move in the long game; her opponent answers the one before."""
    board, chance = world.names["long"], random.Random(1)
    if board.turn == chess.BLACK:
        reply = a_move(board, chance)
        assert reply is not None
        board.push(reply)
        answer = {"action": {"type": "move", "uci": reply.uci()}}
        await world.api("POST", f"/tables/{world.names['chess']}/actions", answer, "player0")
    move = a_move(board, chance)
    assert move is not None
    board.push(move)
    return world.names["chess"], f"move/{move.uci()}"


lichess("move/{move}", next_move)
lichess("abort", in_new_game("abort"))
lichess("resign", in_new_game("resign"))
lichess("claim-victory", in_new_game("claim-victory"))
lichess("draw/{answer}", in_long_game("draw/yes"))
lichess("takeback/{answer}", in_long_game("takeback/yes"))
lichess("chat", in_long_game("chat"), {"room": "player", "text": "x" * 140})


def lichess_post(route: str, path: str | None = None, data: Any = None) -> None:
    @worst(f"POST /lichess{route}")
    async def case(world: World) -> Ask:
        return Ask("POST", f"/lichess{path or route}", token=world.tokens["ann"], data=data)


lichess_post("/api/token/test", data=",".join(["t" * 40] * 390).encode())
lichess_post("/api/users", data=",".join(f"player{number % 9}" for number in range(300)).encode())
lichess_post("/api/bot/account/upgrade")
lichess_post("/api/challenge/open")
lichess_post("/api/challenge/ai", data={"level": "1"})
lichess_post("/api/challenge/{user}", "/api/challenge/player1", {"clock.limit": "300", "clock.increment": "0"})
for word in ("accept", "decline", "cancel"):
    lichess_post(f"/api/challenge/{{challenge}}/{word}", f"/api/challenge/ABCDEF/{word}")


def stays_open(route: str, path: str, method: str = "GET", form: dict[str, str] | None = None, *, first: str) -> None:
    @worst(f"{method} {route}")
    async def case(world: World) -> Ask:
        return Ask(method, path.format(**world.names), token=world.tokens["ann"], data=form, first=first)


stays_open("/lichess/api/stream/event", "/lichess/api/stream/event", first="head")
stays_open("/lichess/api/bot/game/stream/{game}", "/lichess/api/bot/game/stream/{chess}", first="line")
stays_open("/lichess/api/board/game/stream/{game}", "/lichess/api/board/game/stream/{chess}", first="line")
stays_open("/lichess/api/board/seek", "/lichess/api/board/seek", "POST", {"time": "15", "increment": "0"}, first="head")
# What somebody gets who comes to a table: the whole view, and every event since the first.
stays_open("/api/v1/tables/{code}/socket", "/api/v1/tables/{chess}/socket?since=0&epoch={epoch}", first="frame")

REFUSED = {
    "GET /api/v1/people/{person}/rating": "nobody has played a rated game",
    "POST /api/v1/me/presets": "all places are taken, which is found out last",
    "POST /api/v1/ladder/calls": "there is no ladder",
    "POST /api/v1/tournaments/{code}/rebuy": "nobody is out",
    "POST /api/v1/tournaments/{code}/add_on": "there is no break",
    "POST /api/v1/tournaments/{code}/deal": "no final table has been reached",
    "POST /gateau/reg": "the address cannot be called back",
    "POST /gateau/game": "nobody has this secret",
    "POST /lichess/api/challenge/open": "not served",
}
"""Routes whose worst request is one that is refused, and why none is that is carried out."""
ENDS = re.compile(r"/(unknown|\{unknown\}|claim-victory|takeback|draw|accept|decline|cancel|\{user\})")
"""Routes of dialects that are refused here: there is nothing at the address, or nobody to answer."""


def routes(app: web.Application) -> Iterator[str]:
    """Every method and path that an application serves. To answer HEAD takes no more than to answer GET."""
    for route in app.router.routes():
        assert route.resource is not None
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") if route.method == "*" else (route.method,):
            if method != "HEAD":
                yield f"{method} {route.resource.canonical}"


async def routes_spend(world: World) -> dict[str, list[float]]:
    """The milliseconds that the worst request to each route took, in every run."""
    spent: dict[str, list[float]] = {}
    for route, case in WORST.items():
        took = spent[route] = []
        for _ in range(RUNS):
            asked = await case(world)
            before, world.loop.longest = world.loop.spent, 0.0
            status, raw = await world.ask(asked)
            await world.on_loop(asyncio.sleep(0))
            took.append(1000 * (world.loop.longest if route in IN_TURNS else world.loop.spent - before))
        assert status < 400 or route in REFUSED or ENDS.search(route), (route, status, raw[:200])
    return spent


# Frames and events

AS_FRAME: dict[type, tuple[Case, Callable[[Any], dict[str, Any]]]] = {
    frames.Action: (all_in, lambda body: {"action": body["action"]}),
    frames.Sit: (sit, lambda body: {}),
    frames.Wait: (wait, lambda body: {}),
    frames.Withdraw: (wait, lambda body: {}),
    frames.Leave: (leave, lambda body: {}),
    frames.Start: (start, lambda body: {}),
    frames.Chat: (chat, lambda body: body),
    frames.Host: (power, lambda body: {"power": "add_bot", "args": body}),
    frames.Ping: (chat, lambda body: {}),
}
"""Each frame, as the worst request that asks for the same."""


async def frames_spend(world: World) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {}
    for kind, (case, translate) in AS_FRAME.items():
        took = spent[kind.__name__] = []
        for _ in range(RUNS):
            asked = await case(world)
            frame = {"type": kind.__name__.lower(), **translate(asked.body)}
            if kind is not frames.Ping:
                frame["id"] = "1"
            path = asked.path[: asked.path.index("/", len("/api/v1/tables/"))]
            headers = {"Authorization": f"Bearer {asked.token}"}
            async with world.session.ws_connect(f"{world.url}{path}/socket", headers=headers) as socket:
                await socket.receive()
                before = world.loop.spent
                await socket.send_str(json.dumps(frame, ensure_ascii=False))
                while (await socket.receive_json())["type"] not in ("ack", "error", "pong"):
                    pass
                await world.on_loop(asyncio.sleep(0))
                took.append(1000 * (world.loop.spent - before))
    return spent


DOGKER = ("createOrJoinRoom", "setPlayerSite", "startGame", "bet", "fold")
"""Dogker's events, in an order in which each of them is carried out."""


async def events_of_dogker_spend(world: World) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {name: [] for name in DOGKER}
    for _ in range(RUNS):
        users = [(await world.done("POST", "/dogker/users", {}))["payload"] for _ in range(10)]
        async with contextlib.AsyncExitStack() as stack:
            address = world.url + "/dogker/socket.io/?EIO=3&transport=websocket"
            sockets = [await stack.enter_async_context(world.session.ws_connect(address)) for _ in users]
            for number, (user, socket) in enumerate(zip(users, sockets, strict=True)):
                own = {"userId": user["_id"], "gameCode": users[0]["code"]}
                spent["createOrJoinRoom"].append(
                    await event_spends(world, socket, "createOrJoinRoom", {**own, "username": "n" * 32})
                )
                seat = {**own, "numberSite": number + 1}
                spent["setPlayerSite"].append(await event_spends(world, socket, "setPlayerSite", seat))
            for name, more in (("startGame", {}), ("bet", {"amount": 10}), ("fold", {})):
                for user, socket in zip(users, sockets, strict=True):
                    own = {"userId": user["_id"], "gameCode": users[0]["code"], **more}
                    spent[name].append(await event_spends(world, socket, name, own))
    return spent


async def event_spends(
    world: World, socket: aiohttp.ClientWebSocketResponse, name: str, payload: dict[str, Any]
) -> float:
    """The time of one event. Packets are dealt with in order: the answer to a ping comes when it is done."""
    before, mark = world.loop.spent, f"{next(world.counter)}"
    await socket.send_str("42" + json.dumps([name, payload]))
    await socket.send_str("2" + mark)
    while (await socket.receive()).data != "3" + mark:
        pass
    await world.on_loop(asyncio.sleep(0))
    return 1000 * (world.loop.spent - before)


async def test_the_worst_request_of_everything_is_known(serve) -> None:
    app = (await serve(extensions=[employ_bots, speak_dialects])).runner.app
    found = set(routes(app))
    assert found - WORST.keys() == set(), "no worst request is known"
    assert WORST.keys() - found == set(), "there is no such route"
    assert set(AS_FRAME) == set(get_args(frames.AnyFrame)), "no worst frame is known"
    lounge = app[DIALECTS]["dogker"]._transport._listener
    assert set(lounge._handlers) == set(DOGKER), "no worst event is known"


@pytest.mark.slow  # ten thousand entries, four hundred moves and many hands take half a minute to bring about
async def test_nothing_holds_the_event_loop_up(tmp_path: Path) -> None:
    if measuring := Coverage.current():  # which costs half as much again
        measuring.stop()
    world = World(tmp_path)
    await world.start()
    try:
        await furnish(world)
        spent = await routes_spend(world) | await frames_spend(world) | await events_of_dogker_spend(world)
    finally:
        await world.stop()
        if measuring:
            measuring.start()
    # The least of the runs: what other processes add, by the caches that they take, is no cost of the request.
    slow = {what: took for what, took in spent.items() if min(took) > LIMIT_MS}
    assert not slow, f"more than {LIMIT_MS:g} ms on the event loop"
