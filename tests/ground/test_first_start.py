"""What `make serve` says while it builds, and that serving installs no test dependency."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools/first_start.py"

# Says a step, and the next one only when it is told to: the test has time to look at the page in between.
BUILD = "print('native core: <compiling>', flush=True); input(); print('native core: ready'); raise SystemExit(%d)"


def _start(code: int, port: int) -> subprocess.Popen[str]:
    command = [sys.executable, TOOL, "--host", "127.0.0.1", "--port", str(port), "--", sys.executable, "-c"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, BUILD % code], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def _page(url: str, path: str = "/") -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url + path, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as fault:
        return fault.code, fault.read().decode()


def test_a_page_shows_the_steps_while_parlour_is_built() -> None:
    with _start(0, 0) as build:
        assert build.stdout
        found = re.search(r"http://localhost:(\d+)", build.stdout.readline())
        assert found, "the terminal names no address"
        assert "native core: <compiling>" in build.stdout.readline()
        url = f"http://127.0.0.1:{found[1]}"
        status, page = _page(url)
        assert status == 503
        assert "Parlour is being built" in page
        assert "<li>native core: &lt;compiling&gt;</li>" in page
        assert _page(url, "/readyz")[0] == 503, "the page would take itself for the server"
        rest = build.communicate("\n", timeout=60)[0]
    assert "native core: ready" in rest
    assert build.returncode == 0
    with socket.socket() as server:  # the port is free for the server
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", int(found[1])))


def test_a_failed_build_fails_the_start() -> None:
    with _start(3, 0) as build:
        build.communicate("\n", timeout=60)
    assert build.returncode == 3


def test_a_port_that_is_taken_ends_the_start_before_anything_is_built() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, _start(0, taken.getsockname()[1]) as build:
        port = taken.getsockname()[1]
        out, err = build.communicate("\n", timeout=60)
    assert build.returncode == 1
    assert "native core" not in out
    assert err == f"port {port} is taken by another program: choose another one, as in 'make serve PORT={port + 1}'\n"


def test_a_locale_without_umlauts_stops_no_build() -> None:
    """A compiler quotes with signs that ASCII lacks."""
    plain = {**os.environ, "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    said = "import sys; sys.stdout.buffer.write(b'error: \\xe2\\x80\\x98int\\xe2\\x80\\x99\\n')"
    command = [sys.executable, TOOL, "--host", "127.0.0.1", "--port", "0", "--", sys.executable, "-c", said]
    ended = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "error: ?int?" in ended.stdout


def test_serving_installs_nothing_that_only_tests_need() -> None:
    plan = subprocess.run(
        ["make", "--dry-run", "--always-make", "built"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "requirements/serve.txt" in plan
    assert "requirements/dev.txt" not in plan


def test_the_machines_own_node_is_used_only_if_it_is_new_enough(tmp_path: Path) -> None:
    for name in ("npm", "node"):
        (tmp_path / name).write_text("#!/bin/sh\nexit ${NODE_IS_OLD:-0}\n")
        (tmp_path / name).chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert subprocess.run([ROOT / ".ci/node"], env=path, check=False).returncode == 0
    assert subprocess.run([ROOT / ".ci/node"], env={**path, "NODE_IS_OLD": "1"}, check=False).returncode == 1
