"""Hold'em and chess on a real table and a real store: what the rules settle late still reaches the right people."""

import msgspec
import pytest

from parlour.games.cards import parse_cards
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour
from parlour.tables.errors import Against
from parlour.tables.testing import HandClock, SeededEntropy

ACES_FIRST = [int(card) for card in parse_cards("Ac 2c 2d Ad 3d 3h As Kd 9h 8h 7c")]


@pytest.fixture
async def parlour(tmp_path):
    chance = SeededEntropy()
    parlour = Parlour(SqliteStore(tmp_path / "parlour.db"), HandClock(), chance, AesSeal(bytes(32)), Registry())
    parlour.chance = chance
    await parlour.start()
    yield parlour
    await parlour.stop()


@pytest.fixture
async def people(parlour):
    return [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo", "Cy")]


def view(table, person=None):
    return msgspec.json.decode(table.view(person))


async def open_table(parlour, people, game, **settings):
    info = await parlour.create_table(people[0], game, settings)
    return await parlour.open(info.code)


async def play(table, people, *words):
    for word in words:
        (person,) = [person for person in people if view(table, person)["legal"] is not None]
        await table.act(person, {"type": word}, view(table)["turn"])


async def test_the_ledger_credits_one_who_left_all_in_with_what_the_hand_brought(parlour, people):
    table = await open_table(parlour, people, "holdem", seats=3)
    for person, chips in zip(people, (40, 100, 100), strict=True):
        await table.sit(person, None, {"buy_in": chips})
    parlour.chance.stacked = [
        [2, 0, 1],
        ACES_FIRST + [card for card in range(52) if card not in ACES_FIRST],
    ]
    await table.start(people[0])
    await play(table, people, "call", "allin", "call")
    await table.leave(people[0])
    await play(table, people, "call", *["check"] * 6)
    lines = {line.name: (line.brought, line.taken) for line in await table.ledger()}
    assert lines == {"Ada": (40, 120), "Bo": (100, 0), "Cy": (100, 0)}


async def bet_and_wait(parlour, people):
    """A table of three on the flop, where seat 0 has bet 30 into 6 and seat 1 thinks."""
    table = await open_table(parlour, people, "holdem", seats=4, hand_delay=60)
    for person in people:
        await table.sit(person, None, {"buy_in": 100})
    parlour.chance.stacked = [[2, 0, 1, 3]]
    await table.start(people[0])
    await play(table, people, "call", "call", "check")
    await table.act(people[0], {"type": "bet", "amount": 30}, view(table)["turn"])
    return table


async def leave(table, people):
    await table.leave(people[0])


async def kick(table, people):
    await table.host(people[0], "hand_over", {"player": people[1].id})
    await table.host(people[1], "kick", {"seat": 0})


@pytest.mark.parametrize("go", [leave, kick])
async def test_a_bet_stays_in_the_pot_however_its_player_goes(parlour, people, go):
    table = await bet_and_wait(parlour, people)
    await go(table, people)
    await play(table, people, "call", "fold")
    lines = {line.name: (line.brought, line.taken) for line in await table.ledger()}
    assert lines["Ada"] == (100, 68)
    stacks = {row["seat"]: row["stack"] for row in view(table)["state"]["players"]}
    assert stacks == {1: 134, 2: 98}


async def test_closing_the_table_leaves_a_bet_to_those_who_go_last(parlour, people):
    table = await bet_and_wait(parlour, people)
    await table.host(people[0], "close", {})
    lines = {line.name: (line.brought, line.taken) for line in await table.ledger()}
    assert sum(taken for _, taken in lines.values()) == 300
    assert lines["Ada"] == (100, 104), "nobody called"


async def test_a_seat_with_a_hand_of_one_who_left_is_not_given_away(parlour, people):
    table = await bet_and_wait(parlour, people)
    await table.leave(people[0])
    newcomer, _ = await parlour.create_identity("Di")
    await table.sit(newcomer, None, {})
    assert view(table)["seats"][3]["player"]["name"] == "Di"


async def test_the_table_knows_who_returns(parlour, people):
    table = await open_table(parlour, people, "holdem", seats=4)
    for person in people:
        await table.sit(person, None, {"buy_in": 100})
    parlour.chance.stacked = [[0, 1, 2, 3]]
    await table.start(people[0])
    await play(table, people, "fold", "fold")
    await table.leave(people[0])
    assert view(table)["state"]["departed"][people[0].id]["chips"] == 100
    with pytest.raises(Against) as refusal:
        await table.sit(people[0], None, {"buy_in": 40})
    assert refusal.value.code == "short_return"
    await table.sit(people[0], None, {})
    assert [row["stack"] for row in view(table)["state"]["players"]] == [200, 99, 101]


async def test_a_finished_hand_is_exported_with_the_readers_own_cards(parlour, people):
    table = await open_table(parlour, people, "holdem", seats=2)
    for person in people[:2]:
        await table.sit(person, None, {})
    await table.start(people[0])
    await play(table, people, "fold")
    for person in people[:2]:
        assert "".join(view(table, person)["private"]["cards"]) in await table.export(1, "phh", person)
    assert (await table.export(1, "phh", people[2])).count("????") == 2


async def test_one_person_plays_both_sides_on_one_screen(parlour, people):
    table = await open_table(parlour, people, "chess", same_screen=True, untimed=True)
    await table.sit(people[0], None, {})
    await table.sit(people[0], None, {})
    await table.start(people[0])
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        await table.act(people[0], {"type": "move", "uci": uci}, view(table)["turn"])
    assert view(table)["state"]["result"] == {"winner": "black", "reason": "checkmate"}
    assert "Qh4# 0-1" in await table.export(1, "pgn", people[0])
