"""Every error is problem details with the right status, whoever notices it."""

from __future__ import annotations

import aiohttp
import pytest

from parlour.tables.errors import Unavailable
from parlour.tables.ownership import Sole

CASES = [
    ("GET", "/api/v1/nothing", None, 404, "not_found"),
    ("POST", "/api/v1/nothing", b"{}", 404, None),
    ("GET", "/assets/nothing.js", None, 404, None),
    ("GET", "/../../etc/passwd", None, None, None),
    ("GET", "/%2e%2e/%2e%2e/etc/passwd", None, None, None),
    ("DELETE", "/api/v1/tables", None, 405, "method_not_allowed"),
    ("PUT", "/healthz", b"{}", 405, None),
    ("POST", "/api/v1/identities", b" ", 400, "malformed_json"),
    ("POST", "/api/v1/identities", b"{", 400, "malformed_json"),
    ("POST", "/api/v1/identities", b"\xff", 400, None),
    ("POST", "/api/v1/identities", b"[]", 422, "invalid"),
    ("POST", "/api/v1/identities", b'{"name": 1}', 422, "invalid"),
    ("POST", "/api/v1/identities", b'{"name": ""}', 422, "invalid"),
    ("POST", "/api/v1/identities", b'{"name": "\\u200b"}', 400, "bad_name"),
    ("POST", "/api/v1/identities", b'{"name": "Ann", "admin": true}', 422, "invalid"),
    ("POST", "/api/v1/identities", b'{"name": "' + b"x" * 20_000 + b'"}', 413, "too_large"),
    ("POST", "/api/v1/tables", b'{"game": "chess"}', 401, "not_authenticated"),
    ("GET", "/api/v1/tables/ZZZZZZ", None, 404, "no_such_table"),
    ("GET", "/api/v1/tables/%00", None, 404, None),
    ("GET", "/api/v1/tables/ZZZZZZ/events?since=-1", None, 400, "bad_query"),
    ("GET", "/api/v1/tables/ZZZZZZ/events?since=x", None, 400, "bad_query"),
    ("GET", "/api/v1/tables/ZZZZZZ/events?since=1&since=2", None, 400, "bad_query"),
    ("GET", "/api/v1/tables/ZZZZZZ/events?sinc=1", None, 400, "bad_query"),
    ("POST", "/api/v1/evaluate", b'{"cards": "As Ks"}', 422, "bad_hand"),
    ("POST", "/api/v1/evaluate", b'{"cards": "As Ks Qs Js Xx"}', 422, "bad_cards"),
    ("POST", "/api/v1/evaluate", b'{"cards": "As Ks Qs Js As"}', 422, "card_twice"),
    ("POST", "/api/v1/equity", b'{"hands": ["zz", "AhQd"]}', 422, "bad_range"),
    ("POST", "/api/v1/equity", b'{"hands": ["AhKh", "AhQd"]}', 422, "card_twice"),
    ("POST", "/api/v1/equity", b'{"hands": ["AhKh", "QQ"], "board": "2c2d2h", "dead": "2c"}', 422, "card_twice"),
    ("POST", "/api/v1/equity", b'{"hands": ["AhKh", "QQ"], "board": "2c2d"}', 422, "bad_board"),
    ("POST", "/api/v1/equity", b'{"hands": ["AA", "AA", "AA"]}', 422, "impossible_deal"),
    ("POST", "/api/v1/equity", b'{"hands": ["AA", "AhAd"], "board": "AcAs2d"}', 422, "impossible_deal"),
    (
        "POST",
        "/api/v1/showdown",
        b'{"board": "2c3d4h5s", "hands": ["AhKh", "QdQs"], "stakes": [1, 1]}',
        422,
        "board_incomplete",
    ),
    (
        "POST",
        "/api/v1/showdown",
        b'{"board": "2c3d4h5s9s", "hands": ["Ah", "QdQs"], "stakes": [1, 1]}',
        422,
        "bad_hand",
    ),
    ("POST", "/api/v1/pots", b'{"stakes": [5, 5], "folded": [0, 1]}', 422, "everybody_folded"),
    ("POST", "/api/v1/pots", b'{"stakes": [1,1,1,1,1,1,1,1,1,1,1]}', 422, "too_many_players"),
    ("POST", "/api/v1/pots", b'{"stakes": [-1]}', 422, None),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), CASES)
async def test_errors_are_problem_details(
    house, method: str, path: str, body: bytes | None, status: int | None, code
) -> None:
    headers = {"Content-Type": "application/json"} if body is not None else {}
    async with (
        aiohttp.ClientSession(house.url) as session,
        session.request(method, path, data=body, headers=headers) as answer,
    ):
        if status is None:  # not a file of the app: the app itself, which has nothing of the machine's in it
            assert "root:x:" not in await answer.text()
            return
        assert answer.status == status
        assert answer.content_type == "application/problem+json"
        problem = await answer.json()
        assert set(problem) == {"type", "title", "status", "detail", "code"}
        assert problem["status"] == status
        assert code in (None, problem["code"])
        if status == 405:
            assert answer.headers["Allow"]


async def test_a_body_without_a_length_is_limited_too(house) -> None:
    async def endless():
        for _ in range(100):
            yield b" " * 1024

    answer = await house.ask("POST", "/api/v1/identities", data=endless(), headers={"Content-Type": "application/json"})
    assert answer.status == 413
    assert answer.content_type == "application/problem+json"


async def test_a_fault_of_the_server_tells_nothing_of_itself(house, monkeypatch) -> None:
    async def break_down(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(house.parlour, "lobby", break_down)
    async with aiohttp.ClientSession(house.url) as session, session.get("/api/v1/tables") as answer:
        assert answer.status == 500
        problem = await answer.json()
    assert problem["code"] == "internal"
    assert "secret" not in str(problem)


async def test_a_bad_key_is_refused(house) -> None:
    ann = await house.client("Ann")
    table = await ann.create_table("chess")
    for key in ("x" * 65, "a b", "", "clé"):
        headers = {**ann._headers(), "Idempotency-Key": key}
        answer = await house.ask("POST", f"/api/v1/tables/{table.code}/seats", json={}, headers=headers)
        assert (answer.status, (await answer.json())["code"]) == (400, "bad_key"), key


async def test_a_server_that_may_not_write_to_its_tables_is_not_ready(house):
    """Such as one that does not know whether another has taken them over."""

    class Unsure(Sole):
        def may_append(self):
            raise Unavailable("owner_unsure", "the database does not answer", 1)

    house.parlour.ownership = Unsure()
    answer = await house.ask("GET", "/readyz")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    assert (await answer.json(content_type=None))["code"] == "owner_unsure"
