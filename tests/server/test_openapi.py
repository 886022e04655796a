"""The OpenAPI document says what the server does: schemathesis asks it anything and believes nothing."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import schemathesis
import typer
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.patience import PATIENCE
from tests.tiers import quick_first

from parlour.cli import serve
from parlour.client import Client
from parlour.games.registry import Registry, installed
from parlour.server import Config, Limits, create_app, parse_limits
from parlour.server.access.admission import OPERATOR_HEADER
from parlour.server.api.openapi import document
from parlour.server.app import RESOURCES
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy

SECRET = "a secret of the operator"
DOCS = Path(__file__).parents[2] / "docs"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SPEC = document(RESOURCES, installed())
FRAMES_IN = {"Action", "Sit", "Wait", "Withdraw", "Leave", "Start", "Chat", "Host", "Ping"}
FRAMES_OUT = {"Welcome", "Events", "Presence", "Ack", "Error", "Pong"}
UNREFERENCED = FRAMES_IN | FRAMES_OUT
"""The frames of the socket, which no HTTP operation takes or answers."""
OPERATIONS = [
    (method.upper(), path)
    for path, methods in SPEC["paths"].items()
    for method in methods
    if not path.endswith("/socket")  # speaks WebSocket: tests/server/test_socket.py
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own, since schemathesis asks without asyncio."""
    store = SqliteStore(tmp_path_factory.mktemp("openapi") / "parlour.db")
    parlour = Parlour(store, SystemClock(), SystemEntropy(), AesSeal(bytes(32)), Registry())
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(
        create_app(parlour, Config(limits=parse_limits(["all=off"]), heartbeat=0.2, operator_secret=SECRET))
    )

    async def start() -> int:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return int(runner.addresses[0][1])

    port = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def known(url: str) -> Iterator[dict[str, str]]:
    """Somebody with a token, and a table in play and a tournament to which the questions are turned."""
    with Client(url) as ann, Client(url) as ben:
        ann.register("Ann")
        ben.register("Ben")
        table = ann.create_table("chess")
        table.sit()
        ben.table(table.code).sit()
        table.start()
        tournament = ann.create_tournament("holdem", "Friday", "mtt")
        yield {"code": table.code, "tournament": tournament.code, "token": ann.token or ""}


@pytest.mark.parametrize("examples", quick_first([4, 12]))
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_question_breaks_the_server_or_gets_an_undocumented_answer(
    url: str, known: dict[str, str], method: str, path: str, mode: GenerationMode, examples: int
) -> None:
    operation = schemathesis.openapi.from_dict(SPEC)[path][method]

    @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        if "code" in case.path_parameters and mode is GenerationMode.POSITIVE:
            case.path_parameters["code"] = known["tournament" if "/tournaments/" in path else "code"]
        if (case.query or {}).get("follow") == "1":
            case.query["follow"] = "0"  # such an answer has no end
        headers = {"Authorization": f"Bearer {known['token']}", OPERATOR_HEADER: SECRET}
        case.call_and_validate(base_url=url, headers=headers, checks=CHECKS, timeout=PATIENCE)

    try:
        ask()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "an operation that takes nothing cannot be asked wrongly"


def test_every_struct_of_the_document_is_used_and_every_reference_resolves() -> None:
    text = msgspec.json.encode(SPEC).decode()
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert names == set(SPEC["components"]["schemas"]) - UNREFERENCED


def test_every_endpoint_is_described() -> None:
    described = (DOCS / "api.md").read_text()
    for path, methods in SPEC["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], f"{method} {path} has no docstring"
            assert f"`{method.upper()} {path}`" in described, f"docs/api.md does not know {method.upper()} {path}"


def test_every_limit_is_described() -> None:
    described = (DOCS / "settings.md").read_text()
    for name in Limits.__struct_fields__:
        assert f"`{name}`" in described
        assert f"`{getattr(Limits(), name)}`" in described, f"docs/settings.md has another default for {name}"


def test_every_option_of_serve_is_described() -> None:
    described = (DOCS / "settings.md").read_text()
    command = typer.main.get_command(serve.app)
    for option in command.params:
        for flag in option.opts:
            assert f"`{flag}" in described, f"docs/settings.md does not know {flag}"
        if option.envvar:
            assert f"`{option.envvar}`" in described


async def test_the_document_and_its_page_are_served(house) -> None:
    answer = await house.ask("GET", "/openapi.json")
    assert await answer.json() == msgspec.to_builtins(SPEC)
    page = await (await house.ask("GET", "/docs")).text()
    for path in SPEC["paths"]:
        assert f"<code>{path}</code>" in page
    assert "<script" not in page
