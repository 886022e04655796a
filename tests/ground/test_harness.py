"""What the tests of everything else stand on: processes that are started, and those that do not come up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness.postgres import TEMPLATE
from harness.processes import ServerProcess, StartError, serve

ROOT = Path(__file__).parents[2]
TELL = f"""
import os
from pathlib import Path
def test_tell(postgres_server, shared_redis):
    told = postgres_server.partition("?")[2], shared_redis, os.environ["{TEMPLATE}"]
    Path(os.environ["TOLD"], os.environ["PYTEST_XDIST_WORKER"]).write_text(" ".join(told))
"""


def test_a_start_that_fails_shows_the_end_of_the_log(tmp_path: Path) -> None:
    server = ServerProcess(serve(tmp_path, "--bus", "redis://nowhere"), log=tmp_path / "log")
    with pytest.raises(StartError, match=r"ended with code 2\):\nparlour: --bus needs --database") as failed:
        server.start()
    assert failed.value.said == (tmp_path / "log").read_text()
    assert not server.running


def test_a_server_that_is_started_again_is_where_it_was_and_each_start_has_its_own_words(tmp_path: Path) -> None:
    program = (
        "import socket, sys; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1);"
        "at = len(sys.argv) - 1 - sys.argv[::-1].index('--port'); s.bind(('127.0.0.1', int(sys.argv[at + 1])));"
        "s.listen(); print(f'Parlour is open: http://127.0.0.1:{s.getsockname()[1]}', flush=True); s.accept()"
    )
    server = ServerProcess(serve(tmp_path, program=("-c", program), python=sys.executable))
    server.start()
    url = server.url
    server.freeze()
    server.kill()
    with server:
        assert server.url == url
        assert server.said() == f"Parlour is open: {url}\n"
    assert server.log() == f"Parlour is open: {url}\n" * 2


@pytest.mark.slow
def test_all_workers_share_what_was_started_before_them(tmp_path: Path) -> None:
    """Where each of them started a PostgreSQL for the first time, they raced: only one was to initialise its data."""
    (tmp_path / "test_tell.py").write_text(TELL)
    (tmp_path / "told").mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", TEMPLATE))}
    done = subprocess.run(
        [*command, "--tx", "2*popen", "--dist", "each", str(tmp_path / "test_tell.py")],
        cwd=ROOT, env={**environment, "TOLD": str(tmp_path / "told")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    told = [file.read_text() for file in (tmp_path / "told").iterdir()]
    assert len(told) == 2
    assert len(set(told)) == 1, "the same servers, and the same data folder to copy"
    for folder in (told[0].split()[0].removeprefix("host="), told[0].split()[2]):
        assert not Path(folder).exists(), "it stays when the run is over"
