"""Gateau's games: who has registered, what is configured, the table once it is started, and the end of it.

A name belongs to one game at a time. It is free again when one player has all the chips, or the game is abandoned.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Coroutine

import msgspec
import structlog

from parlour.protocols.callbacks import Callback
from parlour.protocols.dialect import Admission
from parlour.protocols.gateau.couriers import Courier, secret_hash, sit_in
from parlour.protocols.gateau.moves import read_move
from parlour.protocols.gateau.records import LIMITS, RETURNED, Client, Config, Game, Records
from parlour.tables.errors import NotFound, Refused, Unavailable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity
from parlour.tables.room.settings import read_settings
from parlour.tables.room.words import LETTERS, LISTED_LETTERS, PRIVATE_LETTERS

logger = structlog.get_logger(__name__)

NO_SPACE = "No space to join this game"
STARTED = "Game already started!"
NOT_YOUR_TURN = "Not your turn!"
BAD_OPTION = "Bad config option!"
NOT_YOURS = "This game is not yours to configure!"

GAMES_EACH = 20
"""How many games one network address may have under way."""
UNREGISTERED_GAMES = 1000
"""How many games nobody has registered for are remembered; the oldest is forgotten first."""
PLAYERS_KNOWN = 4096
"""How many clients are remembered after their game, so that they play the next one as the same player."""
NAMES_KNOWN = 1000
"""How many names of games are remembered after a game."""
SWEEP_SECONDS = 1.0
SEND_AGAIN_SECONDS = 2.0


class Patience(msgspec.Struct, frozen=True):
    """After how many seconds a game is given up."""

    unregistered: float = 10 * 60
    """Configured, but nobody has registered."""
    unstarted: float = 30 * 60
    """Registered for, but not started."""
    deserted: float = 60
    """Started, but everybody is away."""
    unmoved: float = 10 * 60
    """Started, and clients answer, but none has tried to move, beyond twice the clock of a move."""
    last_word: float = 30
    """How long a client that does not answer has to be told that the game is over."""


class Refusal(Exception):
    """The `reason` of an error."""


class Games:
    """All games of the dialect, with a courier for each client."""

    def __init__(self, parlour: Parlour, admission: Admission, patience: Patience) -> None:
        self._parlour = parlour
        self._admission = admission
        self._patience = patience
        self._records = Records(parlour.store)
        self._games: dict[str, Game] = {}
        """By name: those that are not over."""
        self._clients: dict[str, Client] = {}
        self._by_secret: dict[str, Client] = {}
        self._players: OrderedDict[tuple[str, str], str] = OrderedDict()
        """The identities of clients that have registered since the start, by callback address and name."""
        self._couriers: dict[str, asyncio.Task[None]] = {}
        self._last_used: dict[str, float] = {}
        """When a client last asked for something in a game, by the monotonic clock; a restart counts as well."""
        self._deserted: dict[str, float] = {}
        """Since when the table of a game has stood still."""
        self._played_out: OrderedDict[str, str] = OrderedDict()
        """Names whose last game was played to its end, with the address that created it: the next costs no table."""
        self._chores: set[asyncio.Task[None]] = set()
        self._busy = asyncio.Lock()

    # Opening hours

    async def start(self) -> None:
        """Take up every game that is under way."""
        games = {game.key: game for game in await self._records.games()}
        for client in await self._records.clients():
            if client.ends and client.game not in games:
                await self._records.drop_client(client.player)
                continue
            self._clients[client.player] = client
            self._players[client.callback.url, client.name] = client.player
            self._learn_secret(client)
            try:
                if client.table:
                    await self._send_courier(client)
            except Refused as refusal:
                logger.error("a client could not be taken up", table=client.table, code=refusal.code)
        for game in games.values():
            try:
                await self._take_up(game)
            except Refused as refusal:
                logger.error("a game could not be taken up", table=game.table, code=refusal.code)
        self._chore(self._sweep())

    async def _take_up(self, game: Game) -> None:
        if game.started and not game.host:  # a table of the house, which an earlier version kept as a game
            await self._records.drop_game(game)
        elif game.over:
            self._chore(self._say_farewell(game))
        else:
            if game.started and not await self._hands_played(game):
                await self._deal(game)
            self._games[game.id] = game
            self._last_used[game.key] = _now()

    async def stop(self) -> None:
        tasks = [*self._chores, *self._couriers.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Commands

    async def configure(self, game_id: str, option: str, value: int, address: str, operator: bool) -> None:
        """Change an option, or start the game."""
        async with self._busy:
            game = await self._current(game_id)
            if game is None and await self._house_table(game_id, address) is not None:
                raise Refusal(NOT_YOURS)
            if game is None:
                game = self._create(game_id, address)
            if not (operator or address == game.owner or address in self._addresses(game)):
                raise Refusal(NOT_YOURS)
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
            if option == "max_players" and value < len(game.clients):
                raise Refusal("More players than that have registered")
            game.config = msgspec.structs.replace(game.config, **{option: value})
            await self._touch(game)

    def is_known(self, game_id: str, name: str, callback: Callback) -> bool:
        """Whether this client needs no new identity: it has registered for this game before, or played another."""
        return self._same_client(game_id, name, callback) is not None or self._played_before(name, callback) is not None

    async def register(self, game_id: str, name: str, callback: Callback, address: str) -> None:
        """Let a client into a game that has not started, sit it down at a table of the house, or welcome it back."""
        async with self._busy:
            game = await self._current(game_id)
            known = self._same_client(game_id, name, callback)
            if known is not None and known.table:
                await self._welcome_back(known)
                return
            if game is None and (table := await self._house_table(game_id, address)) is not None:
                await self._join_table(table, name, callback, address)
                return
            if game is None:
                game = self._create(game_id, address)
            await self._enter(game, name, callback, address)

    async def _enter(self, game: Game, name: str, callback: Callback, address: str) -> None:
        """Before the start: an address has one place, and may register again under another name.

        Of a game that is over it is told nothing more.
        """
        if game.started:
            raise Refusal(NO_SPACE)
        under_way = {current.key for current in self._games.values()}
        for client in list(self._clients.values()):
            if client.ends and client.callback.url == callback.url and client.game not in under_way:
                await self._call_back(client)
                await self._dismiss(client)
        for player in game.clients:
            client = self._clients[player]
            if client.callback.url == callback.url:
                await self._parlour.rename(await self._identity(player), name)
                client.name = name
                break
        else:
            if len(game.clients) >= game.config.max_players:
                raise Refusal(NO_SPACE)
            identity = await self._player(name, callback)
            client = Client(identity.id, game.key, name, callback, address=address)
            game.clients.append(identity.id)
        await self._keep_client(client)
        await self._touch(game)

    async def move(self, secret: uuid.UUID, action: str, value: int) -> None:
        """A client's move, read as the dialect reads it.

        One that comes too late is lost, but the client is there: the dialect has no other word for sitting in again.
        """
        client = self._by_secret.get(secret_hash(secret))
        if client is None:
            raise Refusal(NOT_YOUR_TURN)
        table, identity = await self._seat_of(client)
        self._admission.command(identity.id, table.id)
        if client.game in self._last_used:
            self._last_used[client.game] = _now()
        view = msgspec.json.decode(table.view(identity))
        if view["legal"] is not None:
            try:
                await table.act(identity, read_move(action, value, view["legal"]), view["turn"])
                return
            except Refused:
                pass
        await sit_in(table, identity)
        raise Refusal(NOT_YOUR_TURN)

    # Games and their names

    async def _current(self, game_id: str) -> Game | None:
        """The game that has this name now."""
        game = self._games.get(game_id)
        if game is not None and await self._is_over(game):
            await self._finish(game)
            return None
        return game

    def _create(self, game_id: str, address: str) -> Game:
        """A game that is not kept before somebody registers for it."""
        if sum(game.owner == address for game in self._games.values()) >= GAMES_EACH:
            raise Refusal(f"There are {GAMES_EACH} games from your address already")
        key = uuid.uuid4().hex
        if self._played_out.pop(game_id, None) != address:
            self._admission.new_table(key, address)
        unregistered = [game for game in self._games.values() if not game.clients]
        if len(unregistered) >= UNREGISTERED_GAMES:
            del self._games[unregistered[0].id], self._last_used[unregistered[0].key]
        game = self._games[game_id] = Game(game_id, address, Config(), key=key)
        self._last_used[key] = _now()
        return game

    async def _touch(self, game: Game) -> None:
        self._last_used[game.key] = _now()
        if game.clients:
            await self._records.keep_game(game)

    async def _house_table(self, game_id: str, address: str) -> Table | None:
        """The hold'em table with this code. Only what may be a code is looked up, and a wrong one is a guess."""
        code = game_id.upper()
        if len(code) not in (LISTED_LETTERS, PRIVATE_LETTERS) or not set(code) <= set(LETTERS):
            return None
        try:
            with self._admission.guess(address):
                table = await self._parlour.open(code, here=True)
        except NotFound:
            return None
        return table if table.state.rules.name == "holdem" else None

    def _addresses(self, game: Game) -> set[str]:
        """Those who have registered may start the game, whoever named it first."""
        return {client.address for player in game.clients if (client := self._clients.get(player)) is not None}

    def _same_client(self, game_id: str, name: str, callback: Callback) -> Client | None:
        game = self._games.get(game_id)
        key = game_id.upper() if game is None else game.key
        for client in self._clients.values():
            if client.game == key and client.name == name and client.callback.url == callback.url:
                return client
        return None

    # From the start to the end

    async def _begin(self, game: Game) -> None:
        """Lay the table, sit everybody down in order of registration, deal."""
        if len(game.clients) < 2:
            raise Refusal("At least two players must register first")
        settings = game.config.settings(f"Gateau {game.id}".strip())
        read_settings(self._parlour.games["holdem"], settings)  # refused before anything is made
        host, _ = await self._parlour.create_identity("Gateau", bot=True)
        info = await self._parlour.create_table(host, "holdem", settings)
        table = await self._parlour.open(info.code, here=True)
        for seat, player in enumerate(game.clients):
            await table.sit(await self._identity(player), seat, {}, invited=True)
            client = self._clients[player]
            client.table, client.seat = info.code, seat
            await self._keep_client(client)
        game.host, game.table = host.id, info.code
        await self._records.keep_game(game)
        for player in game.clients:
            await self._send_courier(self._clients[player])
        await self._deal(game)

    async def _deal(self, game: Game) -> None:
        table = await self._parlour.open(game.table, here=True)
        await table.start(await self._identity(game.host))

    async def _hands_played(self, game: Game) -> int:
        table = await self._parlour.open(game.table, here=True)
        return table.state.rules.round(table.state.play)

    async def _welcome_back(self, client: Client) -> None:
        """Introduce the client again, with a new secret, and deal it in."""
        table, identity = await self._seat_of(client)
        if not table.state.seats_of(identity.id) or not _stacks(table).get(client.seat):
            raise Refusal(NO_SPACE)
        await self._call_back(client)
        client.told = RETURNED
        await self._keep_client(client)
        await self._send_courier(client)

    async def _join_table(self, table: Table, name: str, callback: Callback, address: str) -> None:
        identity = await self._player(name, callback)
        try:
            await table.sit(identity, None, {})
        except Refused as refusal:
            raise Refusal(NO_SPACE if refusal.code == "full" else refusal.message) from None
        seats = table.state.seats_of(identity.id)
        if not seats:
            raise Refusal("The host of this table has to let you in")
        client = Client(identity.id, table.code, name, callback, table.code, seats[0], ends=False, address=address)
        client.since = client.told = table.seq
        await self._keep_client(client)
        await self._send_courier(client)

    async def _sweep(self) -> None:
        """End the games that are over or given up."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                async with self._busy:
                    for game in list(self._games.values()):
                        if await self._is_over(game):
                            await self._finish(game)
            except Exception as error:
                logger.error("a game could not be ended", error=type(error).__name__)

    async def _is_over(self, game: Game) -> bool:
        """Whether one player has all the chips, or nobody will play the game any more."""
        now, patience = _now(), self._patience
        unused = now - self._last_used[game.key]
        if not game.started:
            return unused > (patience.unstarted if game.clients else patience.unregistered)
        table = await self._parlour.open(game.table, here=True)
        if table.state.status() == "playing":
            self._deserted.pop(game.key, None)
            return unused > patience.unmoved + 2 * game.config.action_seconds
        if len(_stacks(table)) < 2:
            return True
        return now - self._deserted.setdefault(game.key, now) > patience.deserted

    async def _finish(self, game: Game) -> None:
        """Free the name, and let the clients know."""
        del self._games[game.id]
        game.over = True
        if game.started:
            if len(_stacks(await self._parlour.open(game.table, here=True))) < 2:
                self._played_out[game.id] = game.owner
                if len(self._played_out) > NAMES_KNOWN:
                    self._played_out.popitem(last=False)
            await self._records.keep_game(game)
            self._chore(self._say_farewell(game))
        else:
            await self._forget(game)

    async def _say_farewell(self, game: Game) -> None:
        """Clear the table. Those who can be reached are told how it ended, from the log; the others are given up."""
        try:
            await self._clear_table(game)
            couriers = [task for c in self._clients_of(game) if (task := self._couriers.get(c.player)) is not None]
            if couriers:
                _, late = await asyncio.wait(couriers, timeout=self._patience.last_word)
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
            await self._forget(game)
        except Exception as error:
            logger.error("a game could not be cleared", table=game.table, error=type(error).__name__)

    async def _clear_table(self, game: Game) -> None:
        """Of a game that was given up, whoever has the most chips stays to the last and wins."""
        table = await self._parlour.open(game.table, here=True)
        if table.state.room.closed:
            return
        stacks = _stacks(table)
        for seat in sorted(stacks, key=stacks.__getitem__)[:-1]:
            if (holder := table.state.room.seats[seat]) is not None:
                await table.leave(await self._identity(holder.id))
        await table.host(await self._identity(game.host), "close", {})

    async def _forget(self, game: Game) -> None:
        for client in self._clients_of(game):
            await self._dismiss(client)
        self._last_used.pop(game.key, None)
        self._deserted.pop(game.key, None)
        await self._records.drop_game(game)

    # Clients

    async def _player(self, name: str, callback: Callback) -> Identity:
        """Who the client is: the same player as in its last game, or a new one."""
        if (known := self._played_before(name, callback)) is not None:
            self._players.move_to_end((callback.url, name))
            if (former := self._clients.get(known)) is not None:
                await self._call_back(former)
                await self._dismiss(former)
            return await self._identity(known)
        identity, _ = await self._parlour.create_identity(name, bot=True)
        self._players[callback.url, name] = identity.id
        if len(self._players) > PLAYERS_KNOWN:
            self._players.popitem(last=False)
        return identity

    def _played_before(self, name: str, callback: Callback) -> str | None:
        """The player that the client was in a game that is over; one player plays one game at a time."""
        player = self._players.get((callback.url, name))
        client = self._clients.get(player or "")
        under_way = client is not None and (not client.ends or any(client.game == g.key for g in self._games.values()))
        return None if under_way else player

    def _clients_of(self, game: Game) -> list[Client]:
        """The clients of this game that have not gone on to the next."""
        found = (self._clients.get(player) for player in game.clients)
        return [client for client in found if client is not None and client.game == game.key]

    async def _seat_of(self, client: Client) -> tuple[Table, Identity]:
        return await self._parlour.open(client.table, here=True), await self._identity(client.player)

    async def _identity(self, player: str) -> Identity:
        identity = await self._parlour.store.identity(player)
        if identity is None:
            raise NotFound("no_such_player", "there is no such player")
        return identity

    async def _send_courier(self, client: Client) -> None:
        table, identity = await self._seat_of(client)
        courier = Courier(self._records, client, identity, table, self._learn_secret)
        task = asyncio.get_running_loop().create_task(courier.run())
        self._couriers[client.player] = task
        task.add_done_callback(lambda done: self._home(client, done))

    async def _call_back(self, client: Client) -> None:
        """Let the client's courier stop."""
        if courier := self._couriers.get(client.player):
            courier.cancel()
            await asyncio.gather(courier, return_exceptions=True)

    def _home(self, client: Client, task: asyncio.Task[None]) -> None:
        if self._couriers.get(client.player) is task:
            del self._couriers[client.player]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            logger.error("a courier stopped", error=type(error).__name__)
            self._chore(self._send_again(client))
        elif not client.ends:
            self._chore(self._dismiss(client))

    async def _send_again(self, client: Client) -> None:
        """After a fault of ours, such as a database that did not answer, the client is told the rest."""
        while True:
            await asyncio.sleep(SEND_AGAIN_SECONDS)
            if self._clients.get(client.player) is not client or client.player in self._couriers:
                return
            try:
                await self._send_courier(client)
            except Unavailable:  # the database is still away, or the table is on its way here
                continue
            return

    async def _dismiss(self, client: Client) -> None:
        """The client's game is over, or it has no seat at the table of the house any more."""
        self._clients.pop(client.player, None)
        self._by_secret.pop(client.secret_hash, None)
        await self._records.drop_client(client.player)

    def _learn_secret(self, client: Client) -> None:
        self._by_secret = {known: other for known, other in self._by_secret.items() if other is not client}
        if client.secret_hash:
            self._by_secret[client.secret_hash] = client

    async def _keep_client(self, client: Client) -> None:
        self._clients[client.player] = client
        await self._records.keep_client(client)

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _stacks(table: Table) -> dict[int, int]:
    """The chips of those who have any, what they have put in included."""
    players = msgspec.json.decode(table.view(None))["state"]["players"]
    return {p["seat"]: p["stack"] + p["contributed"] for p in players if p["stack"] + p["contributed"]}
