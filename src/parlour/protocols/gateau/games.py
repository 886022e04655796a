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

from parlour.faults import traced
from parlour.protocols.callbacks import Callback
from parlour.protocols.dialect import Admission
from parlour.protocols.gateau.clients import SEND_AGAIN_SECONDS, Clients
from parlour.protocols.gateau.couriers import secret_hash, sit_in
from parlour.protocols.gateau.entries import Entries, HouseTournaments
from parlour.protocols.gateau.moves import read_move
from parlour.protocols.gateau.records import LIMITS, RETURNED, GateauClient, GateauConfig, GateauGame, GateauRecords
from parlour.tables.errors import NotFound, Refused, Unavailable, Unreadable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.room.settings import read_settings
from parlour.tables.room.words import LETTERS, LISTED_LETTERS, PRIVATE_LETTERS

logger = structlog.get_logger(__name__)

NO_SPACE = "No space to join this game"
STARTED = "Game already started!"
NOT_YOUR_TURN = "Not your turn!"
BAD_OPTION = "Bad config option!"
NOT_YOURS = "This game is not yours to configure!"
NO_ENTRY = frozenset({"full", "finished", "started", "no_late_entry", "not_open"})
"""Refusals of a tournament that the dialect has one word for."""

GAMES_EACH = 20
"""How many games one network address may have under way."""
UNREGISTERED_GAMES = 1000
"""How many games nobody has registered for are remembered; the oldest is forgotten first."""
NAMES_KNOWN = 1000
"""How many names of games are remembered after a game."""
SWEEP_SECONDS = 1.0


class GameTimeouts(msgspec.Struct, frozen=True):
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


class GateauRefusal(Exception):
    """The `reason` of an error."""


class GateauGames:
    """All games of the dialect, with a courier for each client."""

    def __init__(
        self,
        parlour: Parlour,
        admission: Admission,
        patience: GameTimeouts,
        tournaments: HouseTournaments | None = None,
    ) -> None:
        self._parlour = parlour
        self._admission = admission
        self._patience = patience
        self._records = GateauRecords(parlour.store)
        self._games: dict[str, GateauGame] = {}
        """By name: those that are not over."""
        self._last_used: dict[str, float] = {}
        """When a client last asked for something in a game, by the monotonic clock; a restart counts as well."""
        self._deserted: dict[str, float] = {}
        """Since when the table of a game has stood still."""
        self._played_out: OrderedDict[str, str] = OrderedDict()
        """Names whose last game was played to its end, with the address that created it: the next costs no table."""
        self._chores: set[asyncio.Task[None]] = set()
        self._busy = asyncio.Lock()
        self._clients = Clients(parlour, self._records, self._is_under_way, self._on_home, self._chore)
        self._entries = Entries(tournaments, parlour, self._clients, self._chore) if tournaments else None

    # Opening hours

    async def start(self) -> None:
        """Take up every game that is under way."""
        games = {game.key: game for game in await self._records.games()}
        for client in await self._records.clients():
            if client.ends and client.game not in games:
                await self._records.drop_client(client.player)
                continue
            self._clients.take_up(client)
            try:
                if client.table and not client.tournament:
                    await self._clients.send_courier(client)
            except Unavailable:  # the database is away, or the table is on its way here
                self._chore(self._clients.send_again(client))
            except Refused as refusal:
                logger.error("a client could not be taken up", table=client.table, code=refusal.code)
        for game in games.values():
            try:
                await self._take_up(game)
            except Refused as refusal:
                logger.error("a game could not be taken up", table=game.table, code=refusal.code)
        for client in self._clients.by_player.values():
            if client.tournament and self._entries is not None:
                self._entries.follow(client.tournament)
        self._chore(self._sweep())

    async def _take_up(self, game: GateauGame) -> None:
        if game.started and not game.host:  # a table of the house, which an earlier version kept as a game
            await self._records.drop_game(game)
        elif game.over:
            self._chore(self._say_farewell(game))
        else:
            self._games[game.id] = game
            self._last_used[game.key] = _now()
            if game.started:
                await self._deal_first(game)

    async def _deal_first(self, game: GateauGame) -> None:
        """Deal where a crash came between the start of a game and its first hand."""
        try:
            if not await self._hands_played(game):
                await self._deal(game)
        except Unavailable:  # as for a client
            self._chore(self._deal_later(game))

    async def _deal_later(self, game: GateauGame) -> None:
        await asyncio.sleep(SEND_AGAIN_SECONDS)
        try:
            if self._is_under_way(game.key):
                await self._deal_first(game)
        except Refused as refusal:
            logger.error("a game could not be taken up", table=game.table, code=refusal.code)

    async def stop(self) -> None:
        """End every task, those too that others of them begin as they end: by then another node may be at work, and a
        courier sent again would take the table away from it."""
        self._clients.stopped = True
        while tasks := [*self._chores, *self._clients.couriers.values()]:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)  # for what follows from their end

    # Commands

    async def configure(self, game_id: str, option: str, value: int, address: str, operator: bool) -> None:
        """Change an option, or start the game."""
        async with self._busy:
            game = await self._current(game_id)
            if game is None and await self._of_the_house(game_id, address) is not None:
                raise GateauRefusal(NOT_YOURS)
            if game is None:
                game = self._create(game_id, address)
            if not (operator or address == game.owner or address in self._addresses(game)):
                raise GateauRefusal(NOT_YOURS)
            if option != "start" and option not in LIMITS:
                raise GateauRefusal(BAD_OPTION)
            if game.started:
                raise GateauRefusal(STARTED)
            if option == "start":
                await self._begin(game)
                return
            least, most = LIMITS[option]
            if not least <= value <= most:
                raise GateauRefusal(f"The value of {option} must be from {least} to {most}")
            if option == "max_players" and value < len(game.clients):
                raise GateauRefusal("More players than that have registered")
            game.config = msgspec.structs.replace(game.config, **{option: value})
            await self._touch(game)

    def is_known(self, game_id: str, name: str, callback: Callback) -> bool:
        """Whether this client needs no new identity: it has registered for this game before, or played another."""
        return (
            self._same_client(game_id, name, callback) is not None
            or self._clients.played_before(name, callback) is not None
        )

    async def register(self, game_id: str, name: str, callback: Callback, address: str) -> None:
        """Let a client into a game that has not started, sit it down at a table of the house, or welcome it back."""
        async with self._busy:
            game = await self._current(game_id)
            known = self._same_client(game_id, name, callback)
            if known is not None and known.tournament and self._entries is not None:
                await self._entries.welcome_back(known)
                return
            if known is not None and known.table:
                await self._welcome_back(known)
                return
            if game is None and (table := await self._of_the_house(game_id, address)) is not None:
                if table.state.rules.directs:
                    await self._enter_tournament(table.code, name, callback, address)
                else:
                    await self._join_table(table, name, callback, address)
                return
            if game is None:
                game = self._create(game_id, address)
            await self._enter(game, name, callback, address)

    async def _enter(self, game: GateauGame, name: str, callback: Callback, address: str) -> None:
        """Before the start: an address has one place, and may register again under another name.

        Of a game that is over it is told nothing more.
        """
        if game.started:
            raise GateauRefusal(NO_SPACE)
        under_way = {current.key for current in self._games.values()}
        for client in list(self._clients.by_player.values()):
            if client.ends and client.callback.url == callback.url and client.game not in under_way:
                await self._clients.call_back(client)
                await self._clients.dismiss(client)
        for player in game.clients:
            client = self._clients.by_player[player]
            if client.callback.url == callback.url:
                await self._parlour.rename(await self._clients.identity(player), name)
                client.name = name
                break
        else:
            if len(game.clients) >= game.config.max_players:
                raise GateauRefusal(NO_SPACE)
            identity = await self._clients.player(name, callback)
            client = GateauClient(identity.id, game.key, name, callback, address=address)
            game.clients.append(identity.id)
        await self._clients.keep(client)
        await self._touch(game)

    async def move(self, secret: uuid.UUID, action: str, value: int) -> None:
        """A client's move, read as the dialect reads it.

        One that comes too late is lost, but the client is there: the dialect has no other word for sitting in again.
        """
        client = self._clients.by_secret.get(secret_hash(secret))
        if client is None or not client.table:
            raise GateauRefusal(NOT_YOUR_TURN)
        table, identity = await self._clients.seat_of(client)
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
        raise GateauRefusal(NOT_YOUR_TURN)

    # Games and their names

    async def _current(self, game_id: str) -> GateauGame | None:
        """The game that has this name now."""
        game = self._games.get(game_id)
        if game is not None and await self._is_over(game):
            await self._finish(game)
            return None
        return game

    def _create(self, game_id: str, address: str) -> GateauGame:
        """A game that is not kept before somebody registers for it."""
        if sum(game.owner == address for game in self._games.values()) >= GAMES_EACH:
            raise GateauRefusal(f"There are {GAMES_EACH} games from your address already")
        key = uuid.uuid4().hex
        if self._played_out.pop(game_id, None) != address:
            self._admission.new_table(key, address)
        unregistered = [game for game in self._games.values() if not game.clients]
        if len(unregistered) >= UNREGISTERED_GAMES:
            del self._games[unregistered[0].id], self._last_used[unregistered[0].key]
        game = self._games[game_id] = GateauGame(game_id, address, GateauConfig(), key=key)
        self._last_used[key] = _now()
        return game

    async def _touch(self, game: GateauGame) -> None:
        self._last_used[game.key] = _now()
        if game.clients:
            await self._records.keep_game(game)

    async def _of_the_house(self, game_id: str, address: str) -> Table | None:
        """The hold'em table or tournament with this code. Only what may be a code is looked up, and a wrong one is a
        guess."""
        code = game_id.upper()
        if len(code) not in (LISTED_LETTERS, PRIVATE_LETTERS) or not set(code) <= set(LETTERS):
            return None
        try:
            with self._admission.guess(address):
                table = await self._parlour.open(code, here=True)
        except NotFound:
            return None
        if table.state.rules.directs:
            return table if self._entries is not None and await self._entries.is_holdem(code) else None
        return table if table.state.rules.name == "holdem" else None

    def _addresses(self, game: GateauGame) -> set[str]:
        """Those who have registered may start the game, whoever named it first."""
        return {
            client.address for player in game.clients if (client := self._clients.by_player.get(player)) is not None
        }

    def _same_client(self, game_id: str, name: str, callback: Callback) -> GateauClient | None:
        game = self._games.get(game_id)
        key = game_id.upper() if game is None else game.key
        for client in self._clients.by_player.values():
            if client.game == key and client.name == name and client.callback.url == callback.url:
                return client
        return None

    # From the start to the end

    async def _begin(self, game: GateauGame) -> None:
        """Lay the table, sit everybody down in order of registration, deal."""
        if len(game.clients) < 2:
            raise GateauRefusal("At least two players must register first")
        settings = game.config.settings(f"Gateau {game.id}".strip())
        read_settings(self._parlour.games["holdem"], settings)  # refused before anything is made
        host, _ = await self._parlour.create_identity("Gateau", bot=True)
        info = await self._parlour.create_table(host, "holdem", settings)
        table = await self._parlour.open(info.code, here=True)
        for seat, player in enumerate(game.clients):
            await table.sit(await self._clients.identity(player), seat, {}, invited=True)
            client = self._clients.by_player[player]
            client.table, client.seat = info.code, seat
            await self._clients.keep(client)
        game.host, game.table = host.id, info.code
        await self._records.keep_game(game)
        for player in game.clients:
            await self._clients.send_courier(self._clients.by_player[player])
        await self._deal(game)

    async def _deal(self, game: GateauGame) -> None:
        table = await self._parlour.open(game.table, here=True)
        await table.start(await self._clients.identity(game.host))

    async def _hands_played(self, game: GateauGame) -> int:
        table = await self._parlour.open(game.table, here=True)
        return table.state.rules.round(table.state.play)

    async def _welcome_back(self, client: GateauClient) -> None:
        """Introduce the client again, with a new secret, and deal it in."""
        table, identity = await self._clients.seat_of(client)
        if not table.state.seats_of(identity.id) or not _stacks(table).get(client.seat):
            raise GateauRefusal(NO_SPACE)
        await self._clients.call_back(client)
        client.told = RETURNED
        await self._clients.keep(client)
        await self._clients.send_courier(client)

    async def _join_table(self, table: Table, name: str, callback: Callback, address: str) -> None:
        identity = await self._clients.player(name, callback)
        try:
            await table.sit(identity, None, {})
        except Refused as refusal:
            raise GateauRefusal(NO_SPACE if refusal.code == "full" else refusal.message) from None
        seats = table.state.seats_of(identity.id)
        if not seats:
            raise GateauRefusal("The host of this table has to let you in")
        client = GateauClient(
            identity.id, table.code, name, callback, table.code, seats[0], ends=False, address=address
        )
        client.since = client.told = table.seq
        await self._clients.keep(client)
        await self._clients.send_courier(client)

    async def _enter_tournament(self, code: str, name: str, callback: Callback, address: str) -> None:
        assert self._entries is not None
        try:
            await self._entries.enter(code, name, callback, address)
        except Refused as refusal:
            raise GateauRefusal(NO_SPACE if refusal.code in NO_ENTRY else refusal.message) from None

    async def _sweep(self) -> None:
        """End the games that are over or given up."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            async with self._busy:
                for game in list(self._games.values()):
                    try:
                        if await self._is_over(game):
                            await self._finish(game)
                    except Unreadable:
                        pass  # until an operator repairs the table, which was told of there
                    except Exception as error:
                        logger.error("a game could not be ended", **traced(error))

    async def _is_over(self, game: GateauGame) -> bool:
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

    async def _finish(self, game: GateauGame) -> None:
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

    async def _say_farewell(self, game: GateauGame) -> None:
        """Clear the table. Those who can be reached are told how it ended, from the log; the others are given up."""
        try:
            await self._clear_table(game)
            couriers = [
                task for c in self._clients_of(game) if (task := self._clients.couriers.get(c.player)) is not None
            ]
            if couriers:
                _, late = await asyncio.wait(couriers, timeout=self._patience.last_word)
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
            await self._forget(game)
        except Exception as error:
            logger.error("a game could not be cleared", table=game.table, **traced(error))

    async def _clear_table(self, game: GateauGame) -> None:
        """Of a game that was given up, whoever has the most chips stays to the last and wins."""
        table = await self._parlour.open(game.table, here=True)
        if table.state.room.closed:
            return
        stacks = _stacks(table)
        for seat in sorted(stacks, key=stacks.__getitem__)[:-1]:
            if (holder := table.state.room.seats[seat]) is not None:
                await table.leave(await self._clients.identity(holder.id))
        await table.host(await self._clients.identity(game.host), "close", {})

    async def _forget(self, game: GateauGame) -> None:
        for client in self._clients_of(game):
            await self._clients.dismiss(client)
        self._last_used.pop(game.key, None)
        self._deserted.pop(game.key, None)
        await self._records.drop_game(game)

    def _is_under_way(self, key: str) -> bool:
        return any(key == game.key for game in self._games.values())

    def _on_home(self, client: GateauClient) -> None:
        """A client has been told all that there is to tell at its table."""
        if client.tournament and self._entries is not None:
            self._entries.left(client)
        elif not client.ends:
            self._chore(self._clients.dismiss(client))

    def _clients_of(self, game: GateauGame) -> list[GateauClient]:
        """The clients of this game that have not gone on to the next."""
        found = (self._clients.by_player.get(player) for player in game.clients)
        return [client for client in found if client is not None and client.game == game.key]

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        if self._clients.stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _stacks(table: Table) -> dict[int, int]:
    """The chips of those who have any, what they have put in included."""
    players = msgspec.json.decode(table.view(None))["state"]["players"]
    return {p["seat"]: p["stack"] + p["contributed"] for p in players if p["stack"] + p["contributed"]}
