"""Idempotency keys over HTTP and over the socket: the same everywhere, for every kind of command."""

from __future__ import annotations

from typing import Any

import pytest
from tests.patience import time_limit

from parlour.client import ApiError


async def test_over_http_a_key_is_good_for_one_command(house) -> None:
    ann, ben = await house.table("chess", "Ann", "Ben", side="white")
    code = ann.code

    async def ask(person: Any, method: str, path: str, body: Any = None) -> int:
        answer = await person._client.request(method, f"/api/v1/tables/{code}/{path}", body, key="k")
        seq: int = answer["seq"]
        return seq

    move = {"action": {"type": "move", "uci": "e2e4"}, "turn": (await ann.view())["turn"]}
    first = await ask(ann, "POST", "actions", move)
    assert await ask(ann, "POST", "actions", move) == first
    for method, path, body in [
        ("POST", "actions", move | {"action": {"type": "move", "uci": "d2d4"}}),
        ("POST", "actions", move | {"turn": move["turn"] + 2}),
        ("POST", "seats", {}),
        ("DELETE", "seats/me", None),
        ("POST", "start", None),
        ("POST", "chat", {"text": "e2e4"}),
        ("POST", "host/pause", {}),
        ("POST", "host/close", {}),
        ("POST", "host/add_bot", {}),
    ]:
        with pytest.raises(ApiError) as refusal:
            await ask(ann, method, path, body)
        assert (refusal.value.status, refusal.value.code) == (422, "key_reused")
    assert (await ann.view())["seq"] == first, "nothing else has happened"
    assert await ask(ben, "POST", "chat", {"text": "hello"}) == first + 1, "somebody else's key is another one"


async def test_over_the_socket_as_over_http(house) -> None:
    """Also where the first command came by the other way."""
    ann, _ = await house.table("chess", "Ann", "Ben", side="white")
    turn = (await ann.view())["turn"]
    action = {"type": "move", "uci": "e2e4"}
    first = await ann._client.request(
        "POST", f"/api/v1/tables/{ann.code}/actions", {"action": action, "turn": turn}, key="k"
    )
    async with ann._client.open_socket(f"/api/v1/tables/{ann.code}/socket", {}) as socket:

        async def say(**frame: Any) -> dict[str, Any]:
            await socket.send_json(frame)
            async with time_limit():
                while True:
                    told: dict[str, Any] = await socket.receive_json()
                    if told["type"] in ("ack", "error"):
                        return told

        again = await say(type="action", id="k", turn=turn, action=action)
        assert again == {"type": "ack", "id": "k", "seq": first["seq"]}
        for frame in (
            {"type": "action", "turn": turn, "action": {"type": "move", "uci": "d2d4"}},
            {"type": "sit"},
            {"type": "leave"},
            {"type": "start"},
            {"type": "chat", "text": "hello"},
            {"type": "host", "power": "pause"},
        ):
            told = await say(id="k", **frame)
            assert (told["type"], told["id"], told["problem"]["code"]) == ("error", "k", "key_reused")
    assert (await ann.view())["seq"] == first["seq"]
