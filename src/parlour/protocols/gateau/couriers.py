"""One courier for each client: carries the table's events to the client's address, in order, from the log.

A courier waits for nobody but its own client. What the client has received is a durable number, so that a courier that
starts again after a restart goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus

import aiohttp
import msgspec
import structlog
from aiohttp.abc import AbstractStreamWriter

from parlour.protocols.callbacks import session_for
from parlour.protocols.gateau.records import RETURNED, GateauClient, GateauRecords
from parlour.protocols.gateau.translate import Push, Translator
from parlour.tables.errors import Moved, Refused, Unavailable
from parlour.tables.live.audience import Subscription
from parlour.tables.live.messages import AnyMessage, TableUpdate
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

logger = structlog.get_logger(__name__)

BATCH = 200
BACK_OFF = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds between tries; the last one stays."""
TRIES_BEFORE_LOST = 3
"""After so many failures in a row the client counts as disconnected, as a person without a connection would."""
SAVE_EVERY = 0.5
"""Seconds between two writes of the cursor: after a crash a client may be told again what it was told just before."""
OWN_AGAIN = 0.05
"""Seconds between two looks at whether this node may go on."""


def secret_hash(secret: uuid.UUID) -> str:
    return sha256(secret.bytes).hexdigest()


class OwnedPush(aiohttp.JsonPayload):
    """A push that is not sent once another process may work for the table. That is asked in the step that writes it:
    the process may be frozen between any two others, and go on when another has long told the client more."""

    def __init__(self, push: Push, table: Table) -> None:
        super().__init__(push)
        self._table = table

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        self._table.check_owned()
        await super().write_with_length(writer, content_length)


class Courier:
    """Carries events to one client until the game is over.

    It also sees to it that a client that answers is dealt in: in a game of Gateau's own one that only moved too late is
    sat in again at once, and anywhere one whose pushes failed when it answers again.
    """

    def __init__(
        self,
        records: GateauRecords,
        client: GateauClient,
        identity: Identity,
        table: Table,
        on_secret: Callable[[GateauClient], None],
    ) -> None:
        self._records = records
        self.client = client
        self._identity = identity
        self._table = table
        self._on_secret = on_secret
        self._wake = asyncio.Event()
        self._saved = client.told
        self._unsaved_since: float | None = None
        """When the client was first told something that is not saved yet, by the loop's clock."""
        self._subscription: Subscription | None = None
        self._failures = 0
        self._unanswered = False
        """Whether a push is on its way, so that nobody knows whether the client is there."""
        self._ignorant = False
        """Whether the client made nothing of its own turn: it was started anew and has not registered again."""
        self._sat_out = False
        """Whether the client is to be sat in with its next answer."""
        self._sitting_in: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        translator = await self._take_up()
        self._subscribe()
        try:
            async with session_for(self.client.callback) as session:
                while not translator.over:
                    self._wake.clear()
                    await self._carry(session, translator)
                    if self.client.told < self._table.seq or translator.over:
                        continue
                    if translator.question is None:
                        await self._save_and_wait()
                    elif await self._try(session, translator.question, own_turn=True):
                        translator.question = None
        finally:
            self._unsubscribe()
            for task in self._sitting_in:
                task.cancel()
            with suppress(Unavailable):  # another node may have gone on, and saved a greater number
                self._table.check_owned()
                await self._save()

    async def _carry(self, session: aiohttp.ClientSession, translator: Translator) -> None:
        """Tell the client what has happened since."""
        for raw in await self._table.events(self._identity, self.client.told, limit=BATCH):
            event = msgspec.json.decode(raw)
            for push in translator.read(event):
                while not await self._try(session, push):
                    pass
            self.client.told = event["seq"]
            if self._save_in() <= 0:
                await self._own()
                await self._save()

    async def _take_up(self) -> Translator:
        """The translator as it was when the client was last told something.

        Only a hash of the secret is kept. Until the client has been told it, a new one is made at every start. One that
        has come back knows nothing any more: it is told the hand that is being played from its beginning.
        """
        client, secret = self.client, uuid.uuid4()
        upto = None if client.told == RETURNED else client.told
        events = [msgspec.json.decode(raw) for raw in await self._table.events(self._identity, 0, upto)]
        if client.told == RETURNED:
            hands = [event["seq"] for event in events if event["type"] == "hand_started"]
            client.told = client.since = hands[-1] - 1 if hands else 0
            self._sat_out = True
        translator = Translator(client.seat, str(secret), client.since, client.ends, bool(client.tournament))
        for event in events:
            if event["seq"] <= client.told:
                translator.read(event)
        if not translator.introduced:
            client.secret_hash = secret_hash(secret)
            self._on_secret(client)
            await self._save(force=True)
        return translator

    # At the table

    def _woken(self, message: AnyMessage) -> None:
        self._wake.set()
        if self.client.ends and isinstance(message, TableUpdate) and any(map(self._sits_me_out, message.events)):
            if self._unanswered or self._ignorant:
                self._sat_out = True
            else:
                task = asyncio.get_running_loop().create_task(sit_in(self._table, self._identity))
                self._sitting_in.add(task)
                task.add_done_callback(self._sitting_in.discard)

    def _sits_me_out(self, raw: bytes) -> bool:
        if b'"sat_out"' not in raw:
            return False
        event = msgspec.json.decode(raw)
        return bool(event["type"] == "sat_out" and event["seat"] == self.client.seat)

    def _subscribe(self) -> None:
        if self._subscription is None:
            self._subscription = self._table.subscribe(self._identity, self._woken)

    def _unsubscribe(self) -> None:
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    # At the client

    async def _save_and_wait(self) -> None:
        try:
            async with asyncio.timeout(self._save_in()):  # asyncio.wait_for may lose a cancellation
                await self._wake.wait()
        except TimeoutError:
            await self._own()
            await self._save()
            await self._wake.wait()

    def _save_in(self) -> float:
        """Seconds until what the client was told has to be saved, however busy the game is."""
        if self._unsaved_since is None:
            self._unsaved_since = asyncio.get_running_loop().time()
        return self._unsaved_since + SAVE_EVERY - asyncio.get_running_loop().time()

    async def _save(self, force: bool = False) -> None:
        self._unsaved_since = None
        if force or self.client.told != self._saved:
            self._saved = self.client.told
            await self._records.keep_client(self.client)

    async def _own(self) -> None:
        """Wait while another node may have taken over, and so tell the client; `Moved` once it is known that one has.

        Otherwise a process that was frozen would, as it wakes up, tell what another has told long ago.
        """
        while True:
            try:
                self._table.check_owned()
                return
            except Moved:
                raise
            except Unavailable:
                await asyncio.sleep(OWN_AGAIN)

    async def _try(self, session: aiohttp.ClientSession, push: Push, own_turn: bool = False) -> bool:
        """Post once; whether the client has answered, whatever it answers. After a failure some time has passed."""
        await self._own()
        self._unanswered = True
        status = await self._post(session, push)
        if status is None:
            self._failures += 1
            if self._failures == TRIES_BEFORE_LOST:
                self._unsubscribe()
            await asyncio.sleep(BACK_OFF[min(self._failures, len(BACK_OFF)) - 1])
            return False
        self._sat_out = self._sat_out or self._failures > 0
        self._failures, self._unanswered = 0, False
        self._subscribe()
        if own_turn:
            self._ignorant = status >= HTTPStatus.BAD_REQUEST
        if self._sat_out and not self._ignorant:
            self._sat_out = False
            await sit_in(self._table, self._identity)
        return True

    async def _post(self, session: aiohttp.ClientSession, push: Push) -> int | None:
        try:
            url = self.client.callback.url + "/player"
            body = OwnedPush(push, self._table)
            async with session.post(url, data=body, allow_redirects=False) as answer:
                return answer.status
        except (aiohttp.ClientError, TimeoutError, OSError):
            return None


async def sit_in(table: Table, identity: Identity) -> None:
    """The client has shown that it is there: let it play on, if the clock made it sit out."""
    view = msgspec.json.decode(table.view(identity))
    if view["you"] and "sit_in" in view["you"]["options"]:
        try:
            await table.act(identity, {"type": "sit_in"}, None)
        except Refused as refusal:
            logger.info("a client could not sit in", code=refusal.code)
