"""Two evenings that differ only in what somebody may not know send that somebody the same bytes.

An evening of hold'em is played from a script that does not look at cards. Then it is played again with other decks: the
cards that the viewer has no right to know (what was never dealt, what others folded, the deck behind the board) are
mixed among themselves. Every byte that reaches the viewer is compared: events, views, answers, refusals, the lobby, the
history and its notation, statistics.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.poker.holdem.events import Acted, Dealt, DeckShuffled, HandEnded, Shown, StreetDealt
from parlour.games.poker.holdem.state import CARD_TEXT
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, Refused
from parlour.tables.live.messages import TableUpdate, TableWelcome
from parlour.tables.records.log import Log
from parlour.tables.testing import HandClock, SeededEntropy

PLAYERS = 4
VIEWERS = (0, 3, None)
"""Two players and somebody who watches."""


class Decks(SeededEntropy):
    """Chance from a seed, but decks as given."""

    def __init__(self, seed, decks):
        super().__init__(seed)
        self.decks = list(decks)

    def shuffle(self, n):
        order = super().shuffle(n)
        return self.decks.pop(0) if n == 52 and self.decks else order


async def evening(folder, seed, steps, decks=()):
    """Play; what each viewer was sent, and the log."""
    clock = HandClock()
    store = SqliteStore(folder / "parlour.db")
    parlour = Parlour(store, clock, Decks(seed, decks), AesSeal(bytes(32)), Registry())
    await parlour.start()
    store._epoch = "epoch"
    people = [(await parlour.create_identity(f"p{n}"))[0] for n in range(PLAYERS + 1)]
    info = await parlour.create_table(people[0], "holdem", {"seats": PLAYERS, "action_seconds": 20, "time_bank": 0})
    table = await parlour.open(info.code)
    sent = {viewer: [] for viewer in VIEWERS}
    identities = {viewer: None if viewer is None else people[viewer] for viewer in VIEWERS}

    def take(viewer, message):
        if isinstance(message, TableUpdate):
            sent[viewer] += message.events
            sent[viewer] += (table.view(identities[viewer]), b"".join(message.patch))
        elif isinstance(message, TableWelcome):
            sent[viewer].append(message.view)
        else:
            sent[viewer].append(repr(message))

    for viewer, identity in identities.items():
        table.subscribe(identity, lambda message, viewer=viewer: take(viewer, message), views=True)
    for person in people[:PLAYERS]:
        await table.sit(person, None, {})
    await table.start(people[0])
    choose = random.Random(seed)
    state = table.state
    for _ in range(steps):
        while table.due is not None and table.due <= clock.time:
            await parlour.tick()
        actors = state.rules.actors(state.play)
        kind = choose.random()
        try:
            if kind < 0.05 or not actors:
                clock.time += 21_000
                await parlour.tick()
            elif kind < 0.15:
                who = choose.randrange(PLAYERS + 1)
                action = choose.choice(["show", "muck", "sit_out", "sit_in", "rebuy", "fold", "check"])
                answer = await table.act(people[who], {"type": action}, None)
                for viewer in VIEWERS:
                    sent[viewer].append(answer)
            else:
                seat = actors[0]
                legal = state.rules.legal(state.play, seat)
                bold = choose.random() < 0.1
                action = choose.choice(
                    [*legal["actions"], "call", "check"] if bold else ["call", "check", "raise", "bet"]
                )
                amount = legal.get("max") if bold else legal.get("min")
                wanted = {"type": action, **({"amount": amount} if action in ("bet", "raise") else {})}
                await table.act(people[seat], wanted, state.rules.turn(state.play))
        except Refused as refusal:
            for viewer in VIEWERS:
                sent[viewer].append((refusal.code, str(refusal)))
    for viewer, identity in identities.items():
        sent[viewer].append(msgspec.json.encode(await parlour.lobby()))
        sent[viewer] += await table.events(identity, 0)
        for record in await table.history():
            sent[viewer].append(await table.round(record.number, identity))
            for suffix in state.rules.export_formats:
                sent[viewer].append(await table.export(record.number, suffix, identity))
        sent[viewer].append(msgspec.json.encode(await table.ledger()))
    log = Log(table.id, table.log.listing, AesSeal(bytes(32))).read(await store.rows(table.id, 0))
    await parlour.stop()
    return sent, [entry.event for entry in log]


def other_decks(log, viewer, chance):
    """The decks of an evening, with the cards that this viewer may not know, and that decide nothing, mixed."""
    decks, hands = [], []
    for event in log:
        if isinstance(event, DeckShuffled):
            hands.append({"deck": event.cards, "known": set(), "holes": {}, "folded": set(), "ended": None})
        elif hands:
            hand = hands[-1]
            if isinstance(event, Dealt):
                hand["holes"][event.seat] = event.cards
            elif isinstance(event, Shown | StreetDealt):
                hand["known"].update(event.cards)
            elif isinstance(event, Acted) and event.action == "fold":
                hand["folded"].add(event.seat)
            elif isinstance(event, HandEnded):
                hand["ended"] = event.reason
    for hand in hands:
        known = set(hand["known"])
        for seat, cards in hand["holes"].items():
            decides = hand["ended"] == "showdown" and seat not in hand["folded"]
            if seat == viewer or decides:
                known.update(cards)
        places = [place for place, card in enumerate(hand["deck"]) if CARD_TEXT[card] not in known]
        cards = [hand["deck"][place] for place in places]
        chance.shuffle(cards)
        deck = list(hand["deck"])
        for place, card in zip(places, cards, strict=True):
            deck[place] = card
        decks.append(deck)
    return decks


@pytest.mark.parametrize("viewer", VIEWERS)
@settings(max_examples=6, derandomize=True, database=None)
@given(seed=st.integers(0, 2**32))
def test_what_a_viewer_may_not_know_changes_no_byte_for_them(viewer, seed):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        first, log = asyncio.run(evening(Path(one), seed, 60))
        decks = other_decks(log, viewer, random.Random(seed + 1))
        second, other_log = asyncio.run(evening(Path(two), seed, 60, decks))
    dealt = [event for event in log if isinstance(event, DeckShuffled)]
    assert dealt
    assert dealt != [event for event in other_log if isinstance(event, DeckShuffled)], "the decks do differ"
    assert first[viewer] == second[viewer]
