"""`parlour serve` with databases, a bus and other options that make no sense: one sentence says what is wrong."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

USAGE, FAULT = 2, 1


def serve(data: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--no-announce", "--data", str(data)]
    return subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--bus", "redis://127.0.0.1"], "--bus needs --database: nodes share a PostgreSQL database"),
        (
            ["--bus", "carrier://pigeon:s3cret@x", "--database", "postgresql://127.0.0.1/nowhere"],
            "--bus takes an address that begins with redis:// or rediss:// or unix://",
        ),
        (["--database", "mysql://ann:s3cret@x/parlour"], "--database takes an address that begins with postgresql://"),
        (["--database", "nonsense"], "--database takes an address that begins with postgresql://"),
        (["--token-days", "99999999999999"], "--token-days"),
        (["--keep-days", "99999999999999"], "--keep-days"),
        (["--public-url", "https://play.example/poker"], "--public-url names a site and no more"),
    ],
)
def test_what_makes_no_sense_is_refused(options: list[str], told: str, tmp_path: Path) -> None:
    """Before anything is opened, and without a password in the words."""
    data = tmp_path / "data"
    ended = serve(data, *options)
    assert ended.returncode == USAGE, ended.stderr
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "s3cret" not in ended.stderr
    assert not data.exists()


@pytest.mark.parametrize("option", ["--port", "--lichess-port"])
def test_an_address_that_is_taken_is_named(option: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = serve(tmp_path, "--host", "127.0.0.1", option, str(port))
    assert ended.returncode == FAULT, ended.stderr
    assert f"cannot listen on 127.0.0.1, port {port}: " in ended.stderr
    assert f"; {option} takes another" in ended.stderr
    assert '"open"' not in ended.stderr, "nobody can come in"
    assert "Traceback" not in ended.stderr


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """As in a checkout that is read-only; root may write anywhere, but not below a file."""
    (tmp_path / "file").touch()
    ended = serve(tmp_path / "file" / "data")
    assert ended.returncode == FAULT, ended.stderr
    assert f"cannot keep data in {tmp_path}/file/data: Not a directory; --data names another folder" in ended.stderr
    assert "Traceback" not in ended.stderr
