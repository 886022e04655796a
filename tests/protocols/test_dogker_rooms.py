"""A table as a Dogker room: the dialect's worked cases, in its own words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from parlour.games.poker.hands import evaluate
from parlour.protocols.dogker.lounge import Rooms
from parlour.protocols.dogker.rooms import RANKS, room
from parlour.protocols.dogker.users import DogkerUser, UserRecord
from parlour.protocols.dogker.words import HAND_RANKS, HIDDEN_CARD
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity


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


async def test_names_that_look_alike_are_told_apart(parlour: Parlour) -> None:
    people = [(await parlour.create_identity(name))[0] for name in ("Ann", "Аnn", "Cy")]  # the second is Cyrillic
    table = await parlour.open((await parlour.create_table(people[0], "holdem", {"seats": 3})).code)
    for seat, person in enumerate(people):
        await table.sit(person, seat, {"buy_in": 100})
    seen = room(view_of(table, people[2]), "my-secret")
    assert [player["name"] for player in seen["players"]] == ["Ann", "Аnn (2)", "Cy"]


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


async def test_the_round_stays_until_the_next_deal(parlour: Parlour) -> None:
    table, people = await lay(parlour, [200, 200])
    before = await parlour.create_identity("Eve")
    assert room(view_of(table, before[0]), "secret")["round"] == "preflop"
    await act(table, people, "call")
    await act(table, people, "check")
    await act(table, people, "fold")
    for person in people:
        seen = room(view_of(table, person), "secret")
        assert (seen["round"], seen["roundIndex"], len(seen["hand"])) == ("flop", 1, 3)
        assert all(isinstance(player["cards"], list) for player in seen["players"])


async def test_before_the_first_deal_there_is_no_round(parlour: Parlour) -> None:
    host, _ = await parlour.create_identity("Ann")
    table = await parlour.open((await parlour.create_table(host, "holdem", {})).code)
    seen = room(view_of(table, host), "secret")
    assert (seen["round"], seen["gameStarted"], seen["players"], seen["options"]) == (None, False, [], [])


async def test_who_may_not_watch_sees_an_empty_room(parlour: Parlour) -> None:
    host, _ = await parlour.create_identity("Ann")
    stranger, _ = await parlour.create_identity("Eve")
    table = await parlour.open((await parlour.create_table(host, "holdem", {"spectators": False})).code)
    await table.sit(host, 0, {})
    seen = room(view_of(table, stranger), "secret")
    assert (seen["round"], seen["players"], seen["hand"]) == (None, [], [])


async def test_a_short_big_blind_does_not_make_the_call_cheaper(parlour: Parlour) -> None:
    """The front end's default, `actualMaxBet − betAmount`, is a call even where nobody has bet the whole price."""
    table, people = await lay(parlour, [200, 200, 200])
    view = view_of(table, people[view_of(table, people[0])["state"]["actor"]])
    view["legal"] |= {"bet": 0, "call": 2}
    for row in view["state"]["players"]:
        row["bet"] = min(row["bet"], 1)  # as if the big blind were all-in for one chip
    seen = room(view, "secret")
    assert seen["actualMaxBet"] - next(p["betAmount"] for p in seen["players"] if p["turn"]) == 2


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


async def test_a_room_is_written_once_for_all_sockets_of_a_user(parlour: Parlour) -> None:
    table, people = await lay(parlour, [200, 200])
    rooms = Rooms()
    ann, bob = (DogkerUser(f"secret-{person.id}", person, UserRecord("X")) for person in people)
    first = rooms.of(table, ann)
    assert rooms.of(table, ann) is first
    assert rooms.of(table, bob) != first, "each sees their own cards"
    await act(table, people, "fold")
    assert msgspec.json.decode(rooms.of(table, ann)) == room(view_of(table, people[0]), ann.secret)
