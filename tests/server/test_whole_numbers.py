"""JSON Schema's integers: a whole number is one however it is written, in every body, frame, setting and action."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

from parlour.games.contract import Illegal
from parlour.games.registry import Listing, installed
from parlour.server.api.routing import decode
from parlour.server.api.whole_numbers import LARGEST, with_integers
from parlour.server.app import RESOURCES
from parlour.server.transport import frames
from parlour.tournaments import settings as tournament_settings

BODIES = {
    str(endpoint.body): endpoint.body for routes in RESOURCES for endpoint in routes.endpoints if endpoint.body
} | {kind.__name__: kind for kind in get_args(frames.AnyFrame)}
GAMES = [Listing(game) for game in installed()]
ACTIONS = [(game, word) for game in GAMES for word in game.action_schemas]
QUICKLY = settings(max_examples=25, database=None, deadline=None, suppress_health_check=list(HealthCheck))

NUMBERS = st.integers(-LARGEST, LARGEST) | st.floats(allow_nan=False, allow_infinity=False)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text() | st.sampled_from(["1.0", '"1.0', "\\1.0,", "[2e3]"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def written_as_floats(document: Any) -> bytes:
    """The document with each integer that has a floating-point number of its own written as that."""
    if isinstance(document, dict):
        parts = (json.dumps(name).encode() + b":" + written_as_floats(value) for name, value in document.items())
        return b"{" + b" ,".join(parts) + b"}"
    if isinstance(document, list):
        return b"[" + b", ".join(map(written_as_floats, document)) + b"]"
    if type(document) is int and abs(document) <= LARGEST:
        return b"%d.0" % document if document % 10 else b"%d.0e1" % (document // 10)
    return json.dumps(document).encode()


@settings(max_examples=100, database=None, deadline=None)
@given(DOCUMENTS)
def test_nothing_but_the_way_in_which_numbers_are_written_is_changed(document: Any) -> None:
    for raw in (written_as_floats(document), json.dumps(document).encode()):
        assert msgspec.json.decode(with_integers(raw)) == msgspec.json.decode(raw)


@settings(max_examples=300, database=None, deadline=None)
@given(st.text('[]{},:"\\01.eE+- \n').map(str.encode))
def test_what_is_not_json_does_not_become_json(raw: bytes) -> None:
    def read(data: bytes) -> Any:
        try:
            return msgspec.json.decode(data)
        except msgspec.DecodeError:
            return msgspec.DecodeError

    assert read(with_integers(raw)) == read(raw)


@pytest.mark.parametrize("raw", ["1.5", "1e-1", "9007199254740994.0", "1e400", "1.0.0", "01.0", "1.", "-", '"1.0"'])
def test_what_is_no_integer_stays_as_it_is(raw: str) -> None:
    assert with_integers(raw.encode()) == raw.encode()


@pytest.mark.parametrize("name", sorted(BODIES))
def test_every_body_and_frame_that_the_document_allows_is_read_with_its_integers_written_as_floats(name: str) -> None:
    kind = BODIES[name]

    @QUICKLY
    @given(document=documents(inlined(kind)))
    def compare(document: Any) -> None:
        written = decode(kind, json.dumps(document).encode()), decode(kind, written_as_floats(document))
        if kind is frames.Action:  # what it carries is kept as it was sent: the spaces differ
            carried = [msgspec.json.decode(frame.action) for frame in written]
            assert carried[0] == carried[1]
            written = written[0].turn, written[1].turn
        assert written[0] == written[1]

    compare()


@pytest.mark.parametrize(("game", "word"), ACTIONS, ids=[f"{game.name}-{word}" for game, word in ACTIONS])
def test_every_action_that_the_document_allows_is_read_with_its_integers_written_as_floats(
    game: Listing, word: str
) -> None:
    @QUICKLY
    @given(fields=documents(game.action_schemas[word]))
    def compare(fields: dict[str, Any]) -> None:
        action = {"type": word, **fields}
        try:
            read = game.action(json.dumps(action).encode())
        except Illegal:
            read = None
        assert read is not None, "the document allows what the game cannot read"
        frame = b'{"type":"action","id":"k","action":%b}' % written_as_floats(action)
        assert game.action(bytes(frames.decode(frame).action)) == read
        body = b'{"action":%b}' % written_as_floats(action)
        assert game.action(decode(dict[str, Any], body)["action"]) == read

    compare()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_integer_of_the_settings_is_read(game: Listing) -> None:
    @QUICKLY
    @given(flat=documents(game.settings_schema))
    def compare(flat: dict[str, Any]) -> None:
        try:
            read = game.settings(flat)
        except Illegal:  # each is allowed by itself, and they do not fit together
            assume(False)
        assert game.settings(decode(dict[str, Any], written_as_floats(flat))) == read

    compare()


async def test_over_http_and_over_the_socket(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")

    async def ask(person: Any, method: str, path: str, body: Any = None) -> Any:
        answer = await house.ask(
            method,
            f"/api/v1/{path}",
            data=None if body is None else written_as_floats(body),
            headers={"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"},
        )
        told = await answer.json()
        assert answer.status < 300, told
        return told

    chosen = {"seats": 6, "min_buy_in": 100, "max_buy_in": 1500, "hand_delay": 60, "action_seconds": 60}
    code = (await ask(ann, "POST", "tables", {"game": "holdem", "settings": chosen}))["code"]
    await ask(ann, "POST", f"tables/{code}/seats", {"seat": 2, "buy_in": 1413})
    async with ben.open_socket(f"/api/v1/tables/{code}/socket", {}) as socket:

        async def say(frame: Any) -> None:
            await socket.send_str(written_as_floats(frame).decode())
            while (told := await socket.receive_json())["type"] not in ("ack", "error"):
                pass
            assert told["type"] == "ack", told

        await say({"type": "sit", "id": "a", "seat": 4, "options": {"buy_in": 1250}})
        await ask(ann, "POST", f"tables/{code}/host/correct", {"seat": 4, "chips": -250, "reason": "a miscount"})
        await ask(ann, "POST", f"tables/{code}/start")
        for _ in range(2):
            view = await ann.table(code).view()
            spot = view["state"]["actor"] if "actor" in view["state"] else view["to_act"][0]
            frame = {"action": {"type": "raise", "amount": 20 if view["turn"] < 2 else 60}, "turn": view["turn"]}
            if spot == 4:
                await say({"type": "action", "id": f"b{view['turn']}", **frame})
            else:
                await ask(ann, "POST", f"tables/{code}/actions", frame)
    assert {row["stack"] + row["bet"] for row in (await ann.table(code).view())["state"]["players"]} == {1413, 1000}


async def test_tournaments_and_questions(house) -> None:
    ann = await house.client("Ann")

    async def ask(path: str, body: Any) -> Any:
        answer = await house.ask(
            "POST",
            f"/api/v1/{path}",
            data=written_as_floats(body),
            headers={"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"},
        )
        told = await answer.json()
        assert answer.status < 300, told
        return told

    chosen = {"stack": 2000, "levels": [[10, 10, 20, 0], [10, 20, 40, 5]], "payouts": [70, 30], "late_until": 1}
    code = (await ask("tournaments", {"game": "holdem", "name": "Friday", "format": "mtt", "settings": chosen}))["code"]
    view = await ann.tournament(code).view()
    assert (view["settings"]["stack"], view["settings"]["levels"]) == (2000, chosen["levels"])
    assert (await ask("equity", {"hands": ["AhAs", "KhKs"], "trials": 2000}))["boards"]
    read = tournament_settings.read("chess", "swiss", decode(dict[str, Any], b'{"rounds": 5.0}'))
    assert type(read.rounds) is int


def documents(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Whatever this schema allows, by schemathesis, which takes it for the body of a request."""
    schema = json.loads(json.dumps(schema).replace("#/$defs/", "#/components/schemas/"))
    components = {"schemas": schema.pop("$defs", {})}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    operation = {"requestBody": body, "responses": {"200": {"description": "OK"}}}
    document = {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/": {"post": operation}}}
    document["components"] = components
    strategy = schemathesis.openapi.from_dict(document)["/"]["POST"].as_strategy(
        generation_mode=GenerationMode.POSITIVE
    )
    return strategy.map(lambda case: with_ints(case.body))


def with_ints(document: Any) -> Any:
    """The generator writes some whole numbers as floats itself."""
    if isinstance(document, dict):
        return {name: with_ints(value) for name, value in document.items()}
    if isinstance(document, list):
        return [with_ints(value) for value in document]
    return int(document) if isinstance(document, float) and document.is_integer() else document


def inlined(kind: Any) -> dict[str, Any]:
    """The schema of a type with all that it refers to."""
    (schema,), structs = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    return {**schema, "$defs": structs}
