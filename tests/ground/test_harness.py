"""What the tests of everything else stand on: processes that are started, and those that do not come up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness.processes import ServerProcess, StartError, serve


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
