"""What is new at the table, used by those who may not: the bank, the waiting list, questions, shown cards."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from parlour.client import ApiError
from parlour.tables.room.hosting import ALL_POWERS
from parlour.tables.room.requests import REQUESTS_AT_MOST
from parlour.tables.room.waiting import WAITING_AT_MOST

ODD_AMOUNTS = [0, -1, 10**13, 2**63, 2**200, 1.5, "200", True, None, [], {}]
TEXTS = ["\u202e\u202d", "\0", "x" * 121, 5, ["a"], {"a": 1}]


async def refusal(asked: Any) -> ApiError:
    with pytest.raises(ApiError) as refused:
        await asked
    assert 400 <= refused.value.status < 500, refused.value
    return refused.value


async def test_nobody_but_the_host_uses_a_power(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60)
    watcher = (await house.client("Eve")).table(hands[0].code)
    ben = (await hands[1]._client.me())["id"]
    for table in (hands[1], watcher):
        before = await hands[0].view()
        for power in ALL_POWERS:
            args = {"seat": 1, "chips": 50, "reason": "why not", "player": ben, "amount": 5}
            refused = await refusal(table.start() if power == "start" else table.host(power, **args))
            assert (refused.status, refused.code) == (403, "not_host"), power
        assert (await hands[0].view())["seq"] == before["seq"]


@pytest.mark.parametrize("chips", [-201, *(amount for amount in ODD_AMOUNTS if amount != -1)])
async def test_a_correction_by_an_odd_amount_is_refused(house, chips: Any) -> None:
    hands = await house.table("holdem", "Ann", "Ben", start=False)
    await refusal(hands[0].host("correct", seat=1, chips=chips, reason="a miscount"))
    assert [player["stack"] for player in (await hands[0].view())["state"]["players"]] == [200, 200]


@pytest.mark.parametrize("text", TEXTS)
async def test_a_correction_without_a_reason_that_can_be_read_is_refused(house, text: Any) -> None:
    hands = await house.table("holdem", "Ann", "Ben", start=False)
    await refusal(hands[0].host("correct", seat=1, chips=5, reason=text))


@pytest.mark.parametrize("amount", [amount for amount in ODD_AMOUNTS if amount is not None])
async def test_a_host_grants_no_odd_amount(house, amount: Any) -> None:
    ann = await house.client("Ann")
    mine = await ann.create_table("holdem", approve_seats=True)
    await mine.sit(0)
    ben = await house.client("Ben")
    await ben.table(mine.code).sit(1, buy_in=100)
    me = (await ben.me())["id"]
    await refusal(mine.host("approve", player=me, amount=amount))
    await mine.host("approve", player=me)
    assert (await mine.view())["state"]["players"][1]["stack"] == 100


async def test_stacks_stay_within_what_can_be_counted(house) -> None:
    """Correction upon correction: no stack gets beyond the greatest, and the chips stay whole numbers."""
    hands = await house.table("holdem", "Ann", "Ben", start=False)
    await hands[0].host("correct", seat=1, chips=10**12 - 200, reason="rich")
    assert (await refusal(hands[0].host("correct", seat=1, chips=1, reason="richer"))).code == "stack_too_big"
    ledger = await hands[0]._client.request("GET", f"/api/v1/tables/{hands[0].code}/ledger")
    assert sorted(line["brought"] for line in ledger) == [200, 10**12]


async def test_questions_are_answered_by_those_who_are_asked(house) -> None:
    """Run it twice: neither who folded nor who watches has a say, and nobody says more than there is."""
    hands = await house.table("holdem", "Ann", "Ben", "Cora", run_it=2, hand_delay=60, rabbit=True)
    watcher = (await house.client("Eve")).table(hands[0].code)
    folded: list[Any] = []
    while "run" not in (view := await hands[0].view())["state"]:
        seat = view["state"]["actor"]
        own = await hands[seat].view()
        word = "allin" if "allin" in own["legal"]["actions"] else "call"
        if not folded:
            word, folded = "fold", [hands[seat]]
        await hands[seat].act({"type": word}, own["turn"])
    asked = view["state"]["run"]["seats"]
    for table in (*folded, watcher):
        await refusal(table.act({"type": "run", "times": 2}))
    for times in (0, 4, -1, 2**70, 1.5, "2", None):
        await refusal(hands[asked[0]].act({"type": "run", "times": times}))
    for action in ({"type": "choose", "variant": "omaha", "limit": "no-limit"}, {"type": "rabbit"}, {"type": "show"}):
        await refusal(watcher.act(action))
    for seat in asked:
        await hands[seat].act({"type": "run", "times": 2})
    assert len((await hands[0].view())["state"]["boards"]) == 2


async def test_one_cannot_show_what_one_does_not_hold(house) -> None:
    """A refusal for a card of somebody else is the same as for one that nobody holds."""
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60)
    view = await hands[0].view()
    await hands[view["state"]["actor"]].act({"type": "fold"}, view["turn"])
    own = [(await table.view())["private"]["cards"] for table in hands]
    free = next(rank + suit for rank in "23456789" for suit in "cdhs" if rank + suit not in own[0] + own[1])
    answers = []
    for card in (own[1][0], free):
        refused = await refusal(hands[0].act({"type": "show", "cards": [card]}))
        answers.append((refused.status, refused.code, str(refused).replace(card, "")))
    assert answers[0] == answers[1]
    for cards in (["Zz"], ["As"] * 7, [1], [None], "As", [own[0][0], own[1][0]], [[own[0][0]]]):
        await refusal(hands[0].act({"type": "show", "cards": cards}))
    assert not any(player.get("cards") for player in (await hands[1].view())["state"]["players"] if player["seat"] == 0)


async def test_lists_of_those_who_ask_and_wait_have_an_end(house) -> None:
    ann = await house.client("Ann")
    asked = await ann.create_table("holdem", seats=2, approve_seats=True)
    full = await house.table("holdem", "Dan", "Eve", seats=2, start=False)
    people = await asyncio.gather(*(house.client(f"Guest {number}") for number in range(WAITING_AT_MOST + 1)))
    assert WAITING_AT_MOST >= REQUESTS_AT_MOST
    for person in people[:REQUESTS_AT_MOST]:
        await person.table(asked.code).sit(0)
    assert (await refusal(people[-1].table(asked.code).sit(0))).code == "crowded"
    assert (await refusal(people[0].table(asked.code).sit(0))).code == "requested"
    for person in people[:WAITING_AT_MOST]:
        await person.request("POST", f"/api/v1/tables/{full[0].code}/waiting")
    late = await refusal(people[-1].request("POST", f"/api/v1/tables/{full[0].code}/waiting"))
    assert late.code == "crowded"
    view = json.dumps(await full[0].view())
    assert len(view) < 40_000, "a view with a full waiting list stays small"
