"""Gateau's clients: who each of them is, its secret, and the courier that tells it what happens at its table."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine

import structlog

from parlour.faults import traced
from parlour.protocols.callbacks import Callback
from parlour.protocols.gateau.couriers import Courier
from parlour.protocols.gateau.records import GateauClient, GateauRecords
from parlour.tables.errors import Moved, NotFound, Refused, Unavailable, Unreadable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

logger = structlog.get_logger(__name__)

PLAYERS_KNOWN = 4096
"""How many clients are remembered after their game, so that they play the next one as the same player."""
SEND_AGAIN_SECONDS = 2.0


class Clients:
    """All clients that play or have registered to."""

    def __init__(
        self,
        parlour: Parlour,
        records: GateauRecords,
        is_under_way: Callable[[str], bool],
        on_home: Callable[[GateauClient], None],
        chore: Callable[[Coroutine[None, None, None]], None],
    ) -> None:
        self._parlour = parlour
        self._records = records
        self._is_under_way = is_under_way
        """Whether the game with this key is being played or waited for."""
        self._on_home = on_home
        """Told when a courier has told its client all that there is to tell."""
        self._chore = chore
        self.by_player: dict[str, GateauClient] = {}
        self.by_secret: dict[str, GateauClient] = {}
        self.couriers: dict[str, asyncio.Task[None]] = {}
        """By player."""
        self.stopped = False
        """Whether the dialect runs here no longer: another node may have taken over."""
        self._players: OrderedDict[tuple[str, str], str] = OrderedDict()
        """The identities of clients that have registered since the start, by callback address and name."""

    def take_up(self, client: GateauClient) -> None:
        """Know a client again that was kept."""
        self.by_player[client.player] = client
        self._players[client.callback.url, client.name] = client.player
        self.learn_secret(client)

    async def player(self, name: str, callback: Callback) -> Identity:
        """Who the client is: the same player as in its last game, or a new one."""
        if (known := self.played_before(name, callback)) is not None:
            self._players.move_to_end((callback.url, name))
            if (former := self.by_player.get(known)) is not None:
                await self.call_back(former)
                await self.dismiss(former)
            return await self.identity(known)
        identity, _ = await self._parlour.create_identity(name, bot=True)
        self._players[callback.url, name] = identity.id
        if len(self._players) > PLAYERS_KNOWN:
            self._players.popitem(last=False)
        return identity

    def played_before(self, name: str, callback: Callback) -> str | None:
        """The player that the client was in a game that is over; one player plays one game at a time."""
        player = self._players.get((callback.url, name))
        client = self.by_player.get(player or "")
        under_way = client is not None and (not client.ends or self._is_under_way(client.game))
        return None if under_way else player

    async def identity(self, player: str) -> Identity:
        identity = await self._parlour.store.identity(player)
        if identity is None:
            raise NotFound("no_such_player", "there is no such player")
        return identity

    async def seat_of(self, client: GateauClient) -> tuple[Table, Identity]:
        self._check_at_work()
        seat = await self._parlour.open(client.table, here=True), await self.identity(client.player)
        self._check_at_work()
        return seat

    def _check_at_work(self) -> None:
        """`Moved` where the table is another node's by now, which must not be taken from it."""
        if self.stopped:
            raise Moved()

    async def keep(self, client: GateauClient) -> None:
        self.by_player[client.player] = client
        await self._records.keep_client(client)

    async def dismiss(self, client: GateauClient) -> None:
        """The client's game is over, or it has no seat at the table of the house any more."""
        self.by_player.pop(client.player, None)
        self.by_secret.pop(client.secret_hash, None)
        await self._records.drop_client(client.player)

    def learn_secret(self, client: GateauClient) -> None:
        self.by_secret = {known: other for known, other in self.by_secret.items() if other is not client}
        if client.secret_hash:
            self.by_secret[client.secret_hash] = client

    # Couriers

    async def send_courier(self, client: GateauClient) -> None:
        table, identity = await self.seat_of(client)
        courier = Courier(self._records, client, identity, table, self.learn_secret)
        task = asyncio.get_running_loop().create_task(courier.run())
        self.couriers[client.player] = task
        task.add_done_callback(lambda done: self._home(client, done))

    async def call_back(self, client: GateauClient) -> None:
        """Let the client's courier stop."""
        if courier := self.couriers.get(client.player):
            courier.cancel()
            await asyncio.gather(courier, return_exceptions=True)

    def _home(self, client: GateauClient, task: asyncio.Task[None]) -> None:
        if self.couriers.get(client.player) is task:
            del self.couriers[client.player]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            if not isinstance(error, Moved | Unreadable):  # then another node has gone on, or the next try tells
                logger.error("a courier stopped", **traced(error))
            self._chore(self.send_again(client))
        else:
            self._on_home(client)

    async def send_again(self, client: GateauClient) -> None:
        """After a fault of ours, such as a database that did not answer, the client is told the rest."""
        while True:
            await asyncio.sleep(SEND_AGAIN_SECONDS)
            if self.by_player.get(client.player) is not client or client.player in self.couriers:
                return
            try:
                await self.send_courier(client)
            except Unavailable:  # the database is still away, or the table is on its way here
                continue
            except Refused as refusal:  # such as a table that is closed off
                logger.error("a courier could not be sent again", table=client.table, code=refusal.code)
            return
