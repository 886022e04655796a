"""The list of what a release contains names every locked package, with its hashes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow  # it installs the tool that writes the list


@pytest.fixture(scope="module")
def lists() -> dict[str, dict[str, Any]]:
    subprocess.run(["make", "--silent", "sbom"], cwd=ROOT, check=True)
    return {name: json.loads((ROOT / f"dist/parlour-{name}.cdx.json").read_text()) for name in ("python", "web")}


def test_it_names_what_the_server_is_installed_with(lists: dict[str, dict[str, Any]]) -> None:
    locked = re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements/serve.txt").read_text(), re.MULTILINE)
    parts = lists["python"]["components"]
    assert {(part["name"], part["version"]) for part in parts} == set(locked)
    assert all(place["hashes"] for part in parts for place in part["externalReferences"])


def test_it_names_what_is_in_the_pages(lists: dict[str, dict[str, Any]]) -> None:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    locked = {
        (path.removeprefix("node_modules/"), entry["version"])
        for path, entry in packages.items()
        if path and not entry.get("dev") and not entry.get("optional")
    }
    assert {(part["name"], part["version"]) for part in lists["web"]["components"]} == locked
