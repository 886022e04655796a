"""Hints how to install what is missing work where they are read, and one module writes them all."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.installation import command_for

ROOT = Path(__file__).parents[2]
EDITABLE = {"editable": True}


class Installed:
    """A distribution whose installer wrote down where it came from, or did not."""

    def __init__(self, origin: dict[str, Any] | None) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'parlour[client]'"),
        ({"url": "file:///srv/clone", "dir_info": {}}, "pip install '/srv/clone[client]'"),
        ({"url": "file:///srv/clone", "dir_info": EDITABLE}, "pip install --editable '/srv/clone[client]'"),
        ({"url": "file:///srv/my%20clone", "dir_info": {}}, "pip install '/srv/my clone[client]'"),
        (
            {"url": "file:///tmp/parlour-0.1.0-cp312-abi3-linux_x86_64.whl", "archive_info": {}},
            "pip install '/tmp/parlour-0.1.0-cp312-abi3-linux_x86_64.whl[client]'",
        ),
        (
            {"url": "https://example.org/parlour-0.1.0.tar.gz", "archive_info": {}},
            "pip install 'parlour[client] @ https://example.org/parlour-0.1.0.tar.gz'",
        ),
        (
            {"url": "https://example.org/parlour.git", "vcs_info": {"vcs": "git", "commit_id": "0123456"}},
            "pip install 'parlour[client] @ git+https://example.org/parlour.git'",
        ),
    ],
    ids=["index", "folder", "editable", "folder with a space", "wheel", "archive", "repository"],
)
def test_a_hint_installs_from_where_this_came_from(
    origin: dict[str, Any] | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: Installed(origin))
    assert command_for("client") == command


def test_in_the_environment_of_make_the_hint_is_make(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = {"url": "file:///srv/clone", "dir_info": EDITABLE}
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: Installed(origin))
    monkeypatch.setattr(sys, "prefix", "/srv/clone/.venv")
    assert command_for("train") == "make -C /srv/clone env"


def test_nobody_else_writes_such_a_hint() -> None:
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "web/src").rglob("*.ts*")]
    said = [str(path.relative_to(ROOT)) for path in files if re.search(r"pip3? install", path.read_text("utf-8"))]
    assert said == ["src/parlour/installation.py"]


def test_the_docs_install_from_a_clone() -> None:
    """Nothing is published: no page may name a package index's `parlour`."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*")]
    named = {
        page.name: found
        for page in pages
        if (found := re.findall(r"pip3? install[^`\n]*?[ '\"]parlour\b(?![/.-])|\bparlour\[", page.read_text("utf-8")))
    }
    assert named == {}


def test_who_has_run_make_serve_is_told_of_its_command() -> None:
    for name in ("README.md", "docs/bots.md", "Makefile"):
        assert re.search(r"(\.venv/bin|\$\(BIN\))/parlour bot|\.venv/bin/parlour` is there", (ROOT / name).read_text())
