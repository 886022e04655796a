"""The operator's page where several nodes serve together: real nodes on one PostgreSQL and one Redis."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from harness.postgres import execute
from harness.processes import ServerProcess, serve
from playwright.sync_api import Page, expect

from .looks import check_page

pytestmark = pytest.mark.slow

SIZES = ((320, 568), (360, 740), (1280, 800))


@pytest.fixture
def two_nodes(postgres_server: str, shared_redis: str, tmp_path: Path) -> Iterator[list[str]]:
    """The addresses of two nodes that serve together."""
    name = f"test_{uuid4().hex}"
    execute(postgres_server, f"CREATE SCHEMA {name}")
    options = ("--database", f"{postgres_server}&search_path={name}", "--bus", shared_redis)
    with ExitStack() as stack:
        yield [stack.enter_context(ServerProcess(serve(tmp_path, *options))).url for _ in range(2)]


def test_the_operator_sees_every_node(new_page: Callable[..., Page], two_nodes: list[str], tmp_path: Path) -> None:
    page = new_page()
    page.goto(f"{two_nodes[0]}/admin")
    page.get_by_label("Operator’s secret").fill((tmp_path / "operator.secret").read_text().strip())
    page.get_by_role("button", name="Open", exact=True).click()
    panel = page.get_by_role("region", name="Nodes (2)")
    rows = panel.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="this one")).to_have_count(1)
    expect(rows.filter(has_text="not ready")).to_have_count(0)
    expect(rows.first).to_contain_text(re.compile(r"\d\s?%"))
    check_page(page, SIZES)
