"""Identities, names, codes, quotas, the lobby."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.tables import BadRequest, NotFound, SystemEntropy, TooMany
from parlour.tables.live.service import TABLES_EACH
from parlour.tables.room.words import LETTERS, clean, new_code, read_code, read_name


async def test_a_token_is_known_again_and_kept_nowhere(parlour, evening, new_store):
    ada, token = await parlour.create_identity("Ada", "🦊")
    assert len(token) >= 43, "256 bits"
    assert await parlour.authenticate(token) == ada
    assert await parlour.authenticate(token + "x") is None
    await evening.close()
    parlour = await evening.open()
    assert await parlour.authenticate(token) == ada
    tokens = await parlour.store._ask("SELECT * FROM tokens")
    assert token not in str(tokens)


async def test_a_name_can_change_and_is_cleaned(parlour):
    ada, token = await parlour.create_identity("  A\u202ed\x00a\n")
    assert ada.name == "Ada"
    ida = await parlour.rename(ada, name="Ida")
    assert (ida.name, ida.avatar) == ("Ida", None)
    assert await parlour.authenticate(token) == ida
    assert (await parlour.rename(ida, avatar="♞")).avatar == "♞"
    for bad in ("", " \u200b ", 7, None):
        with pytest.raises(BadRequest):
            await parlour.create_identity(bad)


async def test_a_person_can_become_a_bot_and_stays_one(parlour, evening):
    ada, token = await parlour.create_identity("Ada")
    bot = await parlour.people.become_bot(ada)
    assert bot.bot
    assert await parlour.authenticate(token) == bot
    await evening.close()
    parlour = await evening.open()
    assert await parlour.authenticate(token) == bot


async def test_an_identity_moves_to_another_device_once_and_in_time(parlour, evening):
    ada, first = await parlour.create_identity("Ada")
    code = await parlour.transfer(ada)
    moved, second = await parlour.redeem(code)
    assert moved == ada
    assert second != first
    assert await parlour.authenticate(first) == await parlour.authenticate(second) == ada
    with pytest.raises(NotFound):
        await parlour.redeem(code)
    late = await parlour.transfer(ada)
    evening.clock.time += 10 * 60 * 1000 + 1
    with pytest.raises(NotFound):
        await parlour.redeem(late)


async def test_private_tables_are_found_by_their_code_alone(parlour, people):
    listed = await parlour.create_table(people[0], "highcard", {"name": "open house"})
    private = await parlour.create_table(people[0], "highcard", {"private": True})
    assert [info.code for info in await parlour.lobby()] == [listed.code]
    assert len(listed.code) >= 6
    assert len(private.code) * math.log2(len(LETTERS)) >= 40
    spoken = f"{private.code[:3]}-{private.code[3:]}".lower()
    assert (await parlour.open(spoken)).code == private.code
    assert {info.code for info in await parlour.tables_of(people[0])} == {listed.code, private.code}
    assert await parlour.tables_of(people[1]) == []
    table = await parlour.open(private.code)
    await table.sit(people[1], None, {})
    assert [info.code for info in await parlour.tables_of(people[1])] == [private.code], "not only after a while"
    with pytest.raises(NotFound):
        await parlour.open("NOSUCHCODE")


async def test_the_lobby_is_up_to_date(parlour, people, new_table):
    table = await new_table(sitting=2)
    (info,) = await parlour.lobby()
    assert (info.code, info.players, info.status, info.title) == (table.code, 2, "playing", "High Card")


async def test_there_is_a_limit_to_the_tables_of_one_host(parlour, people):
    for _ in range(TABLES_EACH):
        info = await parlour.create_table(people[0], "highcard", {})
    with pytest.raises(TooMany):
        await parlour.create_table(people[0], "highcard", {})
    await parlour.create_table(people[1], "highcard", {})
    await (await parlour.open(info.code)).host(people[0], "close", {})
    await parlour.create_table(people[0], "highcard", {})


async def test_bad_settings_make_no_table(parlour, people):
    for bad in ({"seats": 1}, {"colour": 1}, {"spectator_delay": 601}, {"name": "x" * 41}, {"private": "yes"}):
        with pytest.raises(BadRequest):
            await parlour.create_table(people[0], "highcard", bad)
    with pytest.raises(NotFound):
        await parlour.create_table(people[0], "whist", {})
    assert await parlour.lobby() == []


async def test_statistics_and_records_can_be_thrown_away_and_derived_again(parlour, people, new_table, evening):
    ada, bo, _ = people
    table = await new_table()
    for _ in range(3):
        turn = table.state.play.turn
        await table.act(ada, {"type": "stay"}, turn)
        await table.act(bo, {"type": "stay"}, turn + 1)
        await evening.pass_time(parlour, 1_000)
    before = [await parlour.statistics(ada), await table.history(), await table.ledger()]
    assert before[0]["highcard"]["rounds"] == 3
    assert len(before[1]) == 3
    assert await parlour.archive.rebuild() == (1, [])
    assert [await parlour.statistics(ada), await table.history(), await table.ledger()] == before


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u034f", "\ufe00", "\u0301", "\u200d", " \u3164\u3164 \ufe0f"],
)
def test_a_name_of_invisible_characters_is_refused(name):
    with pytest.raises(BadRequest, match="visible"):
        read_name(name)


@given(st.text(), st.integers(1, 40))
def test_cleaned_text_is_one_short_visible_line(text, limit):
    line = clean(text, limit)
    assert len(line) <= limit
    assert line == line.strip()
    assert clean(line, limit) == line
    assert not set(line) & set("\n\r\t\x00\u202e\u2066\u200b")


def test_an_emoji_of_several_parts_stays_whole():
    assert clean("👩\u200d🚀", 8) == "👩\u200d🚀"
    assert clean("Z" + "\u0301" * 50, 20).count("\u0301") <= 3


def test_codes_have_no_letters_that_look_alike():
    entropy = SystemEntropy()
    codes = {new_code(entropy, private=True) for _ in range(200)}
    assert len(codes) == 200
    assert not set("".join(codes)) & set("IOL01")
    assert read_code(" abc-def ") == "ABCDEF"


def test_shuffles_are_permutations_and_every_place_is_equally_likely():
    entropy = SystemEntropy()
    counts = [[0] * 4 for _ in range(4)]
    for _ in range(4000):
        for place, card in enumerate(entropy.shuffle(4)):
            counts[place][card] += 1
    assert sorted(entropy.shuffle(52)) == list(range(52))
    chi = sum((count - 1000) ** 2 / 1000 for row in counts for count in row)
    assert chi < 45, "9 degrees of freedom: one in a million"
