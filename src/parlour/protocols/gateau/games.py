"""Gateau's games: who has registered, what is configured, and the table once it is started."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import msgspec
import structlog

from parlour.protocols.callbacks import Callback
from parlour.protocols.gateau.couriers import SHELF as CLIENTS
from parlour.protocols.gateau.couriers import Client, Courier, secret_hash, sit_in
from parlour.protocols.gateau.moves import read_move
from parlour.tables.errors import NotFound, Refused
from parlour.tables.ports import Identity
from parlour.tables.service import Parlour
from parlour.tables.table import Table

logger = structlog.get_logger(__name__)

GAMES = "gateau-games"
NO_SPACE = "No space to join this game"
STARTED = "Game already started!"
NOT_YOUR_TURN = "Not your turn!"
BAD_OPTION = "Bad config option!"

LIMITS = {
    "starting_stack": (2, 10**9),
    "max_players": (2, 10),
    "small_blind": (1, 10**9),
    "big_blind": (1, 10**9),
    "ante": (0, 10**9),
    "action_seconds": (1, 3600),
    "level_minutes": (0, 1440),
}
"""What can be configured before the start, and within which limits."""
LEVELS = 20
GAMES_EACH = 20
"""How many games one network address may have under way."""


class Refusal(Exception):
    """The `reason` of an error."""


class Config(msgspec.Struct):
    starting_stack: int = 200
    max_players: int = 10
    small_blind: int = 1
    big_blind: int = 2
    ante: int = 0
    action_seconds: int = 30
    level_minutes: int = 0
    """The blinds double every so many minutes; 0 for blinds that stay."""

    def settings(self, name: str) -> dict[str, Any]:
        """The table's settings."""
        stack = self.starting_stack
        levels = [
            [self.level_minutes, self.small_blind << n, self.big_blind << n, self.ante << n] for n in range(LEVELS)
        ]
        return {
            "name": name[:40],
            "seats": self.max_players,
            "small_blind": self.small_blind,
            "big_blind": self.big_blind,
            "ante": self.ante,
            "min_buy_in": stack,
            "max_buy_in": stack,
            "buy_in": stack,
            "rebuy": False,
            "action_seconds": self.action_seconds,
            "time_bank": 0,
            "hand_delay": 0,
            "grace": 0,
            "levels": levels if self.level_minutes else [],
        }


class Game(msgspec.Struct):
    """A game as it is kept. Before the start it is a list of names; from then on it is a table."""

    id: str
    owner: str
    """The network address that created it, which may configure it."""
    config: Config
    host: str = ""
    """The identity in whose name the table is kept; empty where the table is somebody else's."""
    table: str = ""
    over: bool = False
    clients: list[str] = []

    @property
    def started(self) -> bool:
        return bool(self.table)


class Games:
    """All games of the dialect, with a courier for each client."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._games: dict[str, Game] = {}
        self._clients: dict[str, Client] = {}
        self._by_secret: dict[str, Client] = {}
        self._couriers: dict[str, asyncio.Task[None]] = {}
        self._busy = asyncio.Lock()

    # Opening hours

    async def start(self) -> None:
        """Take up every game that is under way."""
        store = self._parlour.store
        for _, raw in await store.documents(GAMES):
            game = msgspec.json.decode(raw, type=Game)
            if not game.over:
                self._games[game.id] = game
        for _, raw in await store.documents(CLIENTS):
            client = msgspec.json.decode(raw, type=Client)
            if client.game in self._games:
                self._clients[client.player] = client
                self._learn_secret(client)
                if client.table:
                    await self._send_courier(client)

    async def stop(self) -> None:
        tasks = list(self._couriers.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Commands

    async def configure(self, game_id: str, option: str, value: int, address: str, operator: bool) -> None:
        """Change an option, or start the game."""
        async with self._busy:
            game = await self._game(game_id, address)
            if not (operator or address == game.owner):
                raise Refusal("This game is not yours to configure!")
            if option != "start" and option not in LIMITS:
                raise Refusal(BAD_OPTION)
            if game.started:
                raise Refusal(STARTED)
            if option == "start":
                await self._begin(game)
                return
            least, most = LIMITS[option]
            if not least <= value <= most:
                raise Refusal(f"The value of {option} must be from {least} to {most}")
            changed = msgspec.structs.replace(game.config, **{option: value})
            if option == "max_players" and value < len(game.clients):
                raise Refusal("More players than that have registered")
            game.config = changed
            await self._keep(game)

    async def register(self, game_id: str, name: str, callback: Callback, address: str) -> None:
        """Let a client into a game that has not started, or sit it down at a table that is open to all."""
        async with self._busy:
            game = await self._game(game_id, address)
            if not game.host and game.started:
                await self._join_table(game, name, callback)
                return
            if game.started or len(game.clients) >= game.config.max_players:
                raise Refusal(NO_SPACE)
            identity, _ = await self._parlour.create_identity(name, bot=True)
            client = Client(identity.id, game.id, identity.name, callback)
            game.clients.append(identity.id)
            await self._keep_client(client)
            await self._keep(game)

    async def move(self, secret: uuid.UUID, action: str, value: int) -> None:
        """A client's move, read as the dialect reads it.

        One that comes too late is lost, but the client is there: the dialect has no other word for sitting in again.
        """
        client = self._by_secret.get(secret_hash(secret))
        if client is None:
            raise Refusal(NOT_YOUR_TURN)
        table, identity = await self._seat_of(client)
        view = msgspec.json.decode(table.view(identity))
        if view["legal"] is not None:
            try:
                await table.act(identity, read_move(action, value, view["legal"]), view["turn"])
                return
            except Refused:
                pass
        await sit_in(table, identity)
        raise Refusal(NOT_YOUR_TURN)

    # Inside

    async def _game(self, game_id: str, address: str) -> Game:
        """The game with this id: one of ours, a table of the house with this code, or a new one."""
        game = self._games.get(game_id)
        if game is not None and not game.over:
            return game
        if sum(game.owner == address for game in self._games.values() if not game.over) >= GAMES_EACH:
            raise Refusal(f"There are {GAMES_EACH} games from your address already")
        game = Game(game_id, address, Config())
        try:
            table = await self._parlour.open(game_id)
        except Refused:
            pass
        else:
            if table.state.rules.name == "holdem":
                game.table, game.owner = table.code, ""
        self._games[game_id] = game
        await self._keep(game)
        return game

    async def _begin(self, game: Game) -> None:
        """Lay the table, sit everybody down in order of registration, deal."""
        if len(game.clients) < 2:
            raise Refusal("At least two players must register first")
        host, _ = await self._parlour.create_identity("Gateau", bot=True)
        info = await self._parlour.create_table(host, "holdem", game.config.settings(f"Gateau {game.id}".strip()))
        table = await self._parlour.open(info.code)
        for seat, player in enumerate(game.clients):
            identity = await self._identity(player)
            await table.sit(identity, seat, {}, invited=True)
            client = self._clients[player]
            client.table, client.seat = info.code, seat
            await self._keep_client(client)
        game.host, game.table = host.id, info.code
        await self._keep(game)
        for player in game.clients:
            await self._send_courier(self._clients[player])
        await table.start(host)

    async def _join_table(self, game: Game, name: str, callback: Callback) -> None:
        table = await self._parlour.open(game.table)
        identity, _ = await self._parlour.create_identity(name, bot=True)
        try:
            await table.sit(identity, None, {})
        except Refused as refusal:
            raise Refusal(NO_SPACE if refusal.code == "full" else refusal.message) from None
        seats = table.state.seats_of(identity.id)
        if not seats:
            raise Refusal("The host of this table has to let you in")
        client = Client(identity.id, game.id, identity.name, callback, table.code, seats[0], ends=False)
        client.since = client.told = table.seq
        game.clients.append(identity.id)
        await self._keep_client(client)
        await self._keep(game)
        await self._send_courier(client)

    async def _seat_of(self, client: Client) -> tuple[Table, Identity]:
        return await self._parlour.open(client.table), await self._identity(client.player)

    async def _identity(self, player: str) -> Identity:
        identity = await self._parlour.store.identity(player)
        if identity is None:
            raise NotFound("no_such_player", "there is no such player")
        return identity

    async def _send_courier(self, client: Client) -> None:
        table, identity = await self._seat_of(client)
        courier = Courier(self._parlour.store, client, identity, table, self._learn_secret, self._over)
        task = asyncio.get_running_loop().create_task(courier.run())
        self._couriers[client.player] = task
        task.add_done_callback(lambda done: self._home(client.player, done))

    def _home(self, player: str, task: asyncio.Task[None]) -> None:
        self._couriers.pop(player, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a courier stopped", error=type(error).__name__)

    def _learn_secret(self, client: Client) -> None:
        self._by_secret = {h: c for h, c in self._by_secret.items() if c.player != client.player}
        if client.secret_hash:
            self._by_secret[client.secret_hash] = client

    async def _over(self, client: Client) -> None:
        """A client has been told that the game is over; when all have been, the table is cleared."""
        game = self._games.get(client.game)
        if game is None or game.over:
            return
        game.clients.remove(client.player)
        self._clients.pop(client.player, None)
        await self._parlour.store.drop(CLIENTS, client.player)
        if not game.clients:
            game.over = True
            table = await self._parlour.open(game.table)
            await table.host(await self._identity(game.host), "close", {})
            await self._parlour.store.drop(GAMES, game.id)
            return
        await self._keep(game)

    async def _keep(self, game: Game) -> None:
        await self._parlour.store.keep(GAMES, game.id, msgspec.json.encode(game))

    async def _keep_client(self, client: Client) -> None:
        self._clients[client.player] = client
        await self._parlour.store.keep(CLIENTS, client.player, msgspec.json.encode(client))
