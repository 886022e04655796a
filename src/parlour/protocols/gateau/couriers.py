"""One courier for each client: carries the table's events to the client's address, in order, from the log.

A courier waits for nobody but its own client. What the client has received is a durable number, so that a courier that
starts again after a restart goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from hashlib import sha256

import aiohttp
import msgspec
import structlog

from parlour.protocols.callbacks import Callback, session_for
from parlour.protocols.gateau.translate import Push, Translator
from parlour.tables.errors import Refused
from parlour.tables.ports import Identity, Store
from parlour.tables.table import Table
from parlour.tables.viewers import PresenceChange, Subscription, Update

logger = structlog.get_logger(__name__)

SHELF = "gateau-players"
BATCH = 200
BACK_OFF = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds between tries; the last one stays."""
TRIES_BEFORE_LOST = 3
"""After so many failures in a row the client counts as disconnected, as a person without a connection would."""
SAVE_EVERY = 0.5
"""Seconds between two writes of the cursor: after a crash a client may be told again what it was told just before."""


class Client(msgspec.Struct):
    """A registered client, as it is kept."""

    player: str
    game: str
    name: str
    callback: Callback
    table: str = ""
    seat: int = -1
    """Where the client sits, once the game has started."""
    secret_hash: str = ""
    ends: bool = True
    """Whether the game ends when one player has all the chips."""
    since: int = 0
    """The table's number when the client sat down."""
    told: int = 0
    """The number up to which the client has been told everything."""


def secret_hash(secret: uuid.UUID) -> str:
    return sha256(secret.bytes).hexdigest()


class Courier:
    """Carries events to one client until the game is over."""

    def __init__(
        self,
        store: Store,
        client: Client,
        identity: Identity,
        table: Table,
        on_secret: Callable[[Client], None],
        on_over: Callable[[Client], Awaitable[None]],
    ) -> None:
        self._store = store
        self.client = client
        self._identity = identity
        self._table = table
        self._on_over = on_over
        self._on_secret = on_secret
        self._wake = asyncio.Event()
        self._saved = client.told
        self._subscription: Subscription | None = None

    async def run(self) -> None:
        translator = await self._take_up()
        self._subscribe()
        try:
            async with session_for(self.client.callback) as session:
                while not translator.over:
                    self._wake.clear()
                    events = await self._table.events(self._identity, self.client.told, limit=BATCH)
                    for raw in events:
                        event = msgspec.json.decode(raw)
                        for push in translator.read(event):
                            await self._deliver(session, push)
                        self.client.told = event["seq"]
                    if not events:
                        await self._save_and_wait()
            await self._on_over(self.client)
        finally:
            self._unsubscribe()
            await self._save()

    async def _take_up(self) -> Translator:
        """The translator as it was when the client was last told something.

        Only a hash of the secret is kept. Until the client has been told it, a new one is made at every start.
        """
        client, secret = self.client, uuid.uuid4()
        translator = Translator(client.seat, str(secret), client.since, client.ends)
        for raw in await self._table.events(self._identity, 0, client.told):
            translator.read(msgspec.json.decode(raw))
        if not translator.introduced:
            client.secret_hash = secret_hash(secret)
            self._on_secret(client)
            await self._save(force=True)
        return translator

    def _woken(self, message: Update | PresenceChange) -> None:
        self._wake.set()

    def _subscribe(self) -> None:
        if self._subscription is None:
            self._subscription = self._table.subscribe(self._identity, self._woken)

    def _unsubscribe(self) -> None:
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    async def _save_and_wait(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), SAVE_EVERY)
        except TimeoutError:
            await self._save()
            await self._wake.wait()

    async def _save(self, force: bool = False) -> None:
        if force or self.client.told != self._saved:
            self._saved = self.client.told
            await self._store.keep(SHELF, self.client.player, msgspec.json.encode(self.client))

    async def _deliver(self, session: aiohttp.ClientSession, push: Push) -> None:
        """Post until the client has answered, whatever it answers."""
        failures = 0
        while not await self._post(session, push):
            failures += 1
            if failures == TRIES_BEFORE_LOST:
                self._unsubscribe()
            await asyncio.sleep(BACK_OFF[min(failures, len(BACK_OFF)) - 1])
        if failures >= TRIES_BEFORE_LOST:
            self._subscribe()
            await sit_in(self._table, self._identity)

    async def _post(self, session: aiohttp.ClientSession, push: Push) -> bool:
        try:
            async with session.post(self.client.callback.url + "/player", json=push, allow_redirects=False):
                return True
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False


async def sit_in(table: Table, identity: Identity) -> None:
    """The client has shown that it is there: let it play on, if the clock made it sit out."""
    view = msgspec.json.decode(table.view(identity))
    if view["you"] and "sit_in" in view["you"]["options"]:
        try:
            await table.act(identity, {"type": "sit_in"}, None)
        except Refused as refusal:
            logger.info("a client could not sit in", code=refusal.code)
