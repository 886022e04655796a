"""Idempotency keys: a repeat gets the first answer, however late; the same key for another command is refused."""

from __future__ import annotations

import pytest

from parlour.tables import NotAllowed, Stale
from parlour.tables.errors import KeyReused
from parlour.tables.room.repeats import KEPT, PEOPLE_KEPT, add, command, find, sign


async def test_a_repeat_gets_the_first_answer_and_does_nothing(new_table, people, evening, parlour):
    ada, bo, _ = people
    table = await new_table()
    first = await table.act(ada, {"type": "stay"}, 1, "k")
    assert await table.act(ada, b'{ "type" : "stay" }', 1, "k") == first, "however it is written"
    assert table.seq == first
    with pytest.raises(Stale):
        await table.act(bo, {"type": "stay"}, 1, "k")
    await evening.close()
    table = await (await evening.open()).open(table.code)
    assert await table.act(ada, {"type": "stay"}, 1, "k") == first
    assert table.seq == first


async def test_a_repeat_is_known_as_late_as_is_promised(new_table, people, evening, parlour):
    """After as many commands as are kept, a restart from a snapshot included."""
    ada, bo, _ = people
    table = await new_table(seconds=0)
    first = await table.act(ada, {"type": "stay"}, 1, "first")
    await table.act(bo, {"type": "stay"}, 2)
    for number in range(KEPT - 1):
        await table.act(ada, {"type": "rebuy", "chips": 1}, None, f"{number}")
    await parlour.archive.catch_up(table)
    await evening.close()
    table = await (await evening.open()).open(table.code)
    before = table.seq
    assert await table.act(ada, {"type": "stay"}, 1, "first") == first
    assert await table.act(ada, {"type": "rebuy", "chips": 1}, None, "0") <= before
    assert table.seq == before
    await table.act(ada, {"type": "rebuy", "chips": 1}, None, "one more")
    with pytest.raises(Stale):
        await table.act(ada, {"type": "stay"}, 1, "first")
    assert len(table.state.room.answered[ada.id]) == 22 * KEPT


async def test_a_key_for_another_command_is_refused(new_table, people, evening, parlour):
    ada, bo, _ = people
    table = await new_table()
    await table.act(ada, {"type": "stay"}, 1, "k")
    others = [
        lambda table: table.act(ada, {"type": "fold"}, 1, "k"),
        lambda table: table.act(ada, {"type": "stay"}, 3, "k"),
        lambda table: table.sit(ada, None, {}, "k"),
        lambda table: table.leave(ada, "k"),
        lambda table: table.start(ada, "k"),
        lambda table: table.chat(ada, "stay", "k"),
        lambda table: table.host(ada, "pause", {}, "k"),
        lambda table: table.host(ada, "close", {}, "k"),
        lambda table: table.host(ada, "add_bot", {}, "k"),
    ]
    for _ in range(2):
        before = table.state.freeze()
        for other in others:
            with pytest.raises(KeyReused) as error:
                await other(table)
            assert (error.value.code, error.value.status) == ("key_reused", 422)
        assert table.state.freeze() == before, "nobody got up and nothing else happened"
        await table.act(bo, {"type": "stay"}, None, "k")  # keys are each person's own
        await evening.close()
        table = await (await evening.open()).open(table.code)
        bo = people[1] if table.state.play.order[:1] == [1] else ada
        if bo is ada:
            break


@pytest.mark.parametrize("late", [False, True])
async def test_seats_chat_and_host_powers_are_repeated_safely_too(new_table, people, evening, parlour, late):
    ada, _, cy = people
    table = await new_table()

    def everything(table):
        return [
            lambda: table.sit(cy, 2, {"buy_in": 7}, "sit"),
            lambda: table.chat(cy, "hello", "chat"),
            lambda: table.leave(cy, "leave"),
            lambda: table.host(ada, "pause", {}, "pause"),
            lambda: table.host(ada, "settings", {"name": "Friday"}, "settings"),
            lambda: table.host(ada, "close", {}, "close"),
        ]

    answers = [await do() for do in everything(table)]
    assert sorted(set(answers)) == answers
    if late:
        await evening.close()
        table = await (await evening.open()).open(table.code)
    before = table.state.freeze()
    assert [await do() for do in everything(table)] == answers
    assert table.state.freeze() == before
    with pytest.raises(NotAllowed):
        await table.leave(cy, "another")


async def test_nobodys_repeat_is_forgotten_for_what_others_do(new_table, people, parlour):
    ada, bo, _ = people
    table = await new_table()
    first = await table.act(ada, {"type": "stay"}, 1, "k")
    for number in range(PEOPLE_KEPT + 12):
        stranger, _ = await parlour.create_identity(f"Stranger {number}")
        await table.chat(stranger, "hello", "k")
    for number in range(KEPT):
        await table.act(bo, {"type": "stay" if number == 0 else "rebuy"}, None, f"{number}")
    assert await table.act(ada, {"type": "stay"}, 1, "k") == first
    assert len(table.state.room.answered) == PEOPLE_KEPT


def test_keys_of_logs_without_checksums_are_known():
    answers = add(b"", "old", 7)
    assert find(answers, sign("old", command("start"))) == 7
    assert find(answers, sign("new", command("start"))) is None


def test_a_key_is_not_found_across_the_bounds_of_two_others():
    answers = b""
    for number in range(2 * KEPT):
        answers = add(answers, sign(f"{number}", b"x"), number)
    shifted = answers[3:] + bytes(3)
    for number in range(KEPT):
        assert find(answers, sign(f"{number}", b"x")) is None
        assert find(answers, sign(f"{KEPT + number}", b"x")) == KEPT + number
        assert find(shifted, sign(f"{KEPT + number}", b"x")) is None
        with pytest.raises(KeyReused):
            find(answers, sign(f"{KEPT + number}", b"y"))
