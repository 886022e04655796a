"""A table as a Dogker room: the dialect's worked cases, in its own words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from parlour.games.poker.hands import evaluate
from parlour.protocols.dogker.rooms import RANKS, room
from parlour.protocols.dogker.words import HAND_RANKS, HIDDEN_CARD
from parlour.tables.ports import Identity
from parlour.tables.service import Parlour
from parlour.tables.table import Table


async def lay(parlour: Parlour, stacks: list[int]) -> tuple[Table, list[Identity]]:
    """A table with these stacks in order of the seats, started."""
    people = [(await parlour.create_identity(f"P{n}"))[0] for n in range(len(stacks))]
    settings = {"seats": len(stacks), "min_buy_in": 2, "max_buy_in": 5000, "buy_in": 100, "hand_delay": 60}
    info = await parlour.create_table(people[0], "holdem", settings)
    table = await parlour.open(info.code)
    for seat, (person, stack) in enumerate(zip(people, stacks, strict=True)):
        await table.sit(person, seat, {"buy_in": stack})
    await table.start(people[0])
    return table, people


def view_of(table: Table, person: Identity) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.json.decode(table.view(person))
    return view


async def act(table: Table, people: list[Identity], kind: str) -> int:
    """Whoever's turn it is does this; the seat."""
    seat: int = view_of(table, people[0])["state"]["actor"]
    await table.act(people[seat], {"type": kind}, view_of(table, people[seat])["turn"])
    return seat


async def test_all_in_100_1000_1000_makes_two_pots(parlour: Parlour) -> None:
    table, people = await lay(parlour, [100, 1000, 1000])
    for _ in range(3):
        legal = view_of(table, people[view_of(table, people[0])["state"]["actor"]])["legal"]
        await act(table, people, "allin" if "allin" in legal["actions"] else "call")
    seen = room(view_of(table, people[0]), "my-secret")
    ids = ["my-secret", people[1].id, people[2].id]
    assert seen["sidePots"] == {
        "1": {"amount": 300, "playersId": ids},
        "2": {"amount": 1800, "playersId": ids[1:]},
    }
    assert sum(player["chips"] for player in seen["players"]) == 2100
    assert all(player["showingCards"] for player in seen["players"])
    best = min(player["handRankValue"] for player in seen["players"])
    assert all(player["winner"] for player in seen["players"] if player["handRankValue"] == best)


async def test_all_others_folded_and_the_winner_shows_nothing(parlour: Parlour) -> None:
    table, people = await lay(parlour, [200, 200, 200])
    folded = [await act(table, people, "fold") for _ in range(2)]
    winner = next(seat for seat in range(3) if seat not in folded)
    for seat, person in enumerate(people):
        players = room(view_of(table, person), "secret")["players"]
        assert [player["winner"] for player in players] == [n == winner for n in range(3)]
        assert not any(player["showingCards"] for player in players)
        assert all(players[n]["cards"] == [] for n in folded), "cards of a folded player are never shown"
        if seat != winner:
            assert players[winner]["cards"] == [HIDDEN_CARD] * 2
            assert players[winner]["handRank"] is None


async def test_a_spectator_sees_only_placeholders(parlour: Parlour) -> None:
    table, _ = await lay(parlour, [200, 200])
    stranger, _ = await parlour.create_identity("Eve")
    seen = room(view_of(table, stranger), "secret")
    assert [player["cards"] for player in seen["players"]] == [[HIDDEN_CARD] * 2] * 2
    assert seen["options"] == []


@pytest.mark.parametrize(
    ("cards", "number"),
    [
        ("As Ks Qs Js Ts", 0),
        ("9s Ks Qs Js Ts", 1),
        ("As Ah Ad Ac Ts", 2),
        ("As Ah Ad Kc Ks", 3),
        ("As 2s 3s 9s Ks", 4),
        ("2c 3c 4c 5c Ah", 5),
        ("As Ah Ad 2c 3s", 6),
        ("As Ah 2d 2c 3s", 7),
        ("As Ah 2d 4c 3s", 8),
        ("As Kh 2d 4c 3s", 9),
    ],
)
def test_ranks_run_from_royal_flush_0_to_high_card_9(cards: str, number: int) -> None:
    rank = evaluate(cards)
    assert HAND_RANKS[rank.category] == number
    assert 1 <= RANKS - rank.rank <= 7462
