"""A wait in vain says what it waited for, and what was there instead."""

from __future__ import annotations

import asyncio
import re

import pytest
from tests import patience
from tests.patience import time_limit, until, until_found, wait_until


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.01)


async def message(waiting: object) -> str:
    with pytest.raises(AssertionError) as failed:
        await waiting  # type: ignore[misc]
    return str(failed.value).split(" s for ")[1]


@pytest.mark.usefixtures("short")
async def test_a_condition_is_told_as_it_is_written_with_what_it_compares() -> None:
    seen, last = {"numbers": [1, 2]}, 7
    told = await message(until(lambda: seen["numbers"][-1] == last > 5 and not seen.get("over")))
    assert told.splitlines() == [
        "`seen['numbers'][-1] == last > 5 and (not seen.get('over'))`",
        "  seen['numbers'][-1] = 2",
        "  last = 7",
        "  seen.get('over') = None",
    ]
    told = await message(until(lambda: all(number > 1 for number in seen["numbers"])))
    assert told.splitlines()[1] == "  [number > 1 for number in seen['numbers']] = [False, True]"


@pytest.mark.usefixtures("short")
async def test_a_question_is_told_by_its_name_with_the_last_answer() -> None:
    wanted = 3

    async def enough() -> bool:
        """Whether they are all here."""
        return wanted < 3

    told = await message(until_found(enough))
    assert told.splitlines() == ["enough: Whether they are all here.", "  the last answer = False", "  wanted = 3"]


@pytest.mark.usefixtures("short")
async def test_what_is_awaited_by_name_may_tell_what_came_instead() -> None:
    came = ["hello"]

    async def farewell() -> None:
        async with time_limit("a farewell", lambda: came):
            await asyncio.Event().wait()

    assert await message(farewell()) == "a farewell\n  saw ['hello']"


@pytest.mark.usefixtures("short")
async def test_what_is_awaited_without_words_is_told_by_its_line_and_its_variables() -> None:
    async def guest(name: str) -> None:
        await asyncio.Event().wait()

    async def party() -> None:
        async with time_limit():
            await guest("Ann")

    told = await message(party())
    assert re.fullmatch(r"`await asyncio\.Event\(\)\.wait\(\)` \(test_patience\.py:\d+\)\n  name = 'Ann'", told), told


@pytest.mark.usefixtures("short")
def test_a_wait_without_a_loop_tells_the_same() -> None:
    came: list[int] = []
    with pytest.raises(AssertionError, match=r"(?s)for `len\(came\) > 1`\n  len\(came\) = 0$"):
        wait_until(lambda: len(came) > 1)


async def test_what_came_is_given_and_an_end_of_time_within_stays_what_it_is() -> None:
    assert await until(lambda: [1]) == [1]
    with pytest.raises(TimeoutError, match="the server"):
        async with time_limit("an answer"):
            raise TimeoutError("the server's")
