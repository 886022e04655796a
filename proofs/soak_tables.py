"""Long evenings of hold'em at many tables, with everything that people do and everything that breaks; prints the count.

    python -m proofs.soak_tables [--hands 100000] [--tables 40] [--seed N] [--database URL]

At each table people join, leave, act, connect, lose their connection, let the time run out, rebuy, sit out, show, chat
and use host powers; some repeat commands, some come too late. From time to time the server stops, in order or not, and
starts again on the same data. All the while: chips are conserved, at most one seat acts, every viewer's numbering is
gapless, nobody's events or views show a card that was not for them, a replay of the log is the live state.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import (
    AnyMessage,
    Identity,
    Parlour,
    Refused,
    Subscription,
    SystemEntropy,
    Table,
    TableUpdate,
    TableWelcome,
)
from parlour.tables.records.log import Log
from parlour.tables.room.state import TableState
from parlour.tables.testing import HandClock

PEOPLE = 7
SEATS = 5
CARD = re.compile(rb'"([2-9TJQKA][cdhs])"')
KEY = bytes(32)
SETTINGS = {"seats": SEATS, "action_seconds": 20, "time_bank": 10, "hand_delay": 0, "grace": 15, "ante": 1}
HOST_POWERS = ("pause", "resume", "kick", "mute", "unmute", "approve", "refuse", "hand_over", "correct")


class Viewer:
    """Somebody who looks on: what they were sent is checked as it comes."""

    def __init__(self, identity: Identity | None) -> None:
        self.identity = identity
        self.seq = 0
        self.cards: set[bytes] = set()
        """Every card that events told them in this hand and the one before."""
        self.before: set[bytes] = set()
        self.subscription: Subscription | None = None

    def take(self, message: AnyMessage) -> None:
        if isinstance(message, TableWelcome) and not message.resumed:
            self.seq = message.seq
        if isinstance(message, TableWelcome | TableUpdate):
            for raw in message.events:
                event = msgspec.json.decode(raw)
                check(event["seq"] == self.seq + 1, "a gap or a repeat in the numbering")
                check(event["type"] != "deck", "a deck was sent")
                self.seq = event["seq"]
                if event["type"] == "hand_started":
                    self.before, self.cards = self.cards, set()
                if event["type"] == "dealt":
                    check(self.identity is not None, "somebody who watches was dealt cards")
                self.cards |= set(CARD.findall(raw))

    def look(self, table: Table) -> None:
        """A view tells no card that this viewer's events did not tell."""
        if self.subscription is None:
            return
        check(set(CARD.findall(table.view(self.identity))) <= self.cards | self.before, "a view shows a hidden card")

    async def connect(self, table: Table) -> None:
        welcomed = asyncio.Event()

        def take(message: AnyMessage) -> None:
            self.take(message)
            welcomed.set()

        self.subscription = table.subscribe(self.identity, take, since=self.seq)
        await welcomed.wait()

    def disconnect(self) -> None:
        if self.subscription is not None:
            self.subscription.close()
            self.subscription = None


class Evening:
    """One table and its people, over all restarts."""

    def __init__(self, code: str, people: list[Identity], seed: int) -> None:
        self.code = code
        self.people = people
        self.viewers = [Viewer(identity) for identity in [*people, None]]
        self.choose = random.Random(seed)
        self.keys = 0
        self.seq = 0
        """What was acknowledged before the last restart."""
        self.replayed: TableState | None = None
        self.chips = 0

    async def enter(self, parlour: Parlour) -> None:
        self.parlour = parlour
        self.table = await parlour.open(self.code)
        for viewer in self.viewers:
            await viewer.connect(self.table)

    async def play(self, hands: int) -> None:
        """Go on until so many more hands are over."""
        goal = self.table.state.room.round + hands
        while self.table.state.room.round < goal:
            try:
                await self.step()
            except Refused as refusal:
                check(400 <= refusal.status < 500, "a refusal without a fitting status")
            self.check()

    async def step(self) -> None:
        table, choose = self.table, self.choose
        state = table.state
        actors = state.rules.actors(state.play)
        who = choose.choice(self.people)
        self.keys += 1
        key = f"k{self.keys}"
        chance = choose.random()
        if chance < 0.82 and actors and state.room.paused_at is None:
            await self.act(actors[0], key)
        elif chance < 0.86:
            option = choose.choice(["sit_out", "sit_in", "rebuy", "show", "muck", "post", "fold", "raise"])
            await table.act(who, {"type": option}, None, key)
        elif chance < 0.90:
            seat = choose.choice([None, *range(SEATS)])
            await table.sit(who, seat, {"buy_in": choose.choice([40, 200, 400, 7])}, key)
        elif chance < 0.91:
            await (table.wait(who, key) if choose.random() < 0.3 else table.leave(who, key))
        elif chance < 0.92:
            await table.chat(who, "well played", key)
        elif chance < 0.94:
            viewer = choose.choice(self.viewers)
            if viewer.subscription is None:
                await viewer.connect(table)
            else:
                viewer.disconnect()
        elif chance < 0.945:
            host = next(person for person in self.people if person.id == state.room.host)
            args = {
                "seat": choose.randrange(SEATS),
                "player": who.id,
                "chips": choose.choice([50, -30]),
                "reason": "so",
            }
            await table.host(host, choose.choice(HOST_POWERS), args, key)
        else:
            await self.wait()

    async def act(self, seat: int, key: str) -> None:
        table, choose = self.table, self.choose
        state = table.state
        holder = state.room.seats[seat]
        legal = state.rules.legal(state.play, seat)
        if holder is None or legal is None:  # somebody who left all-in; the clock goes on
            return await self.wait()
        person = next(person for person in self.people if person.id == holder.id)
        kind = choose.choice([*legal["actions"], "call", "check", "call", "check"])
        action = {"type": kind}
        if kind in ("bet", "raise") and "min" in legal:
            action["amount"] = choose.choice([legal["min"], legal["max"], legal["min"] + 3])
        turn = state.rules.turn(state.play)
        answer = await table.act(person, action, turn, key)
        if choose.random() < 0.1:
            check(await table.act(person, action, turn, key) == answer, "a repeat got another answer")
        return None

    async def wait(self) -> None:
        """Let time pass; where nobody can act, help the table on."""
        table, choose = self.table, self.choose
        state = table.state
        host = next(person for person in self.people if person.id == state.room.host)
        if state.room.paused_at is not None:
            await table.host(host, "resume", {})
        for asking in list(state.room.requests):
            if choose.random() < 0.5:
                await table.host(host, "approve", {"player": asking})
        clock: Any = self.parlour.clock
        clock.time += choose.choice([50, 1_000, 31_000])
        await self.parlour.tick()
        if not state.rules.actors(state.play) and state.room.paused_at is None and table.due is None:
            for person in self.people:
                for action in ("rebuy", "sit_in"):
                    if state.seats_of(person.id):
                        try:
                            await table.act(person, {"type": action}, None)
                        except Refused:
                            continue
            seated = [holder for holder in state.room.seats if holder is not None]
            if len(seated) < 3:
                await table.sit(choose.choice(self.people), None, {}, invited=True)
            elif state.status() == "waiting":
                await table.start(host)

    def check(self) -> None:
        state = self.table.state
        check(len(state.rules.actors(state.play)) <= 1, "two seats act at once")
        public = state.rules.public(state.play)
        check(all(player["stack"] >= 0 for player in public["players"]), "a stack below zero")
        if self.choose.random() < 0.2:
            self.choose.choice(self.viewers).look(self.table)

    async def check_log(self) -> None:
        """Replay what the log has gained into a state that follows the log alone; compare it with the live table."""
        table = self.table
        if self.replayed is None:
            self.replayed = TableState(table.log.listing)
        state = self.replayed
        rows = await self.parlour.store.rows(table.id, state.room.seq)
        check([row.seq for row in rows] == list(range(state.room.seq + 1, table.seq + 1)), "a gap in the log")
        for written in Log(table.id, table.log.listing, AesSeal(KEY)).read(rows):
            row, event = written.row, written.event
            check(row.at >= state.room.at, "the clock of the log went back")
            # One card may come up in a ciphertext by chance, once in some hundred thousand hands; two do not.
            open_cards = [] if row.readers is None else CARD.findall(row.body)
            check(len(open_cards) < 2, "hidden cards lie open in the database")
            clear = msgspec.json.encode(event)
            check(row.readers is None or clear not in row.body, "a hidden event lies open in the database")
            stake = state.rules.stakes(event)
            self.chips += stake[1] if stake else 0
            state.apply(event, row.at, row.actor, row.key)
            if event.ends_round:
                check(in_play(state) == self.chips, f"chips were {self.chips} and are {in_play(state)}")
        check(in_play(state) == self.chips, f"chips were {self.chips} and are {in_play(state)}")
        check(state.freeze() == table.state.freeze(), "a replay of the log is not the live state")
        for viewer in self.viewers:
            if viewer.subscription is not None:
                check(viewer.seq == table.seq, "a viewer missed something")
        lines = await table.ledger()
        check(sum(line.brought - line.taken for line in lines) == self.chips, "the ledger does not fit the log")


def in_play(state: TableState) -> int:
    public = state.rules.public(state.play)
    return int(sum(player["stack"] for player in public["players"]) + public["pot"])


def check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


async def soak(options: argparse.Namespace, folder: Path) -> None:
    clock = HandClock()
    choose = random.Random(options.seed)

    def new_store() -> Any:
        if options.database:
            from parlour.storage.postgres import PostgresStore

            return PostgresStore(options.database)
        return SqliteStore(folder / "parlour.db")

    evenings: list[Evening] = []
    began = time.monotonic()
    restarts = played = 0
    while played < options.hands:
        store = new_store()
        parlour = Parlour(store, clock, SystemEntropy(), AesSeal(KEY), Registry())
        await parlour.start()
        if not evenings:
            evenings = [await open_table(parlour, choose.getrandbits(32)) for _ in range(options.tables)]
        for evening in evenings:
            await evening.enter(parlour)
            check(evening.table.seq >= evening.seq, "something acknowledged was lost")
        share = max(1, min(50, (options.hands - played) // options.tables))
        await asyncio.gather(*(evening.play(share) for evening in evenings))
        for evening in evenings:
            await evening.check_log()
            evening.seq = evening.table.seq
            for viewer in evening.viewers:
                viewer.subscription = None
        if choose.random() < 0.5:
            await parlour.stop()
        else:  # as if killed: nothing is put in order
            parlour._clockwork.timers.stop()
            if parlour._beating is not None:
                parlour._beating.cancel()
            await store.close()
        clock.time += choose.choice([0, 700, 90_000])
        restarts += 1
        played = sum(hands_of(evening) for evening in evenings)
        print(f"{played:>9,} hands, {restarts} restarts, {time.monotonic() - began:,.0f} s", flush=True)
    events = sum(evening.table.seq for evening in evenings)
    print(f"{played:,} hands at {options.tables} tables, {events:,} events, {restarts} restarts: every check held")


def hands_of(evening: Evening) -> int:
    return evening.table.state.room.round


async def open_table(parlour: Parlour, seed: int) -> Evening:
    people = [(await parlour.create_identity(f"p{number}"))[0] for number in range(PEOPLE)]
    choose = random.Random(seed)
    settings = {**SETTINGS, "approve_seats": choose.random() < 0.3, "private": choose.random() < 0.5}
    info = await parlour.create_table(people[0], "holdem", settings)
    table = await parlour.open(info.code)
    for person in people[:3]:
        await table.sit(person, None, {}, invited=True)
    await table.start(people[0])
    return Evening(info.code, people, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--database")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(soak(options, Path(folder)))


if __name__ == "__main__":
    main()
