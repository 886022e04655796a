"""What a stranger needs is there, and nothing that belongs to one machine."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import parlour
from parlour.version import RELEASE

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:  # an unpacked source archive
        return [path for folder in ("src", "native", "tests", "docs") for path in (ROOT / folder).rglob("*.*")]
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_the_version_is_said_once_in_each_place() -> None:
    assert parlour.__version__.partition("+")[0] == RELEASE
    assert f"## {RELEASE}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_continuous_integration_runs_the_tests() -> None:
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", sorted(path.name for path in (ROOT / "requirements").glob("*.txt")))
def test_locks_have_hashes_and_no_index_addresses(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    assert not re.search(r"https?://|--index-url|--find-links", text)
    pinned = re.findall(r"^[a-z0-9][\w.\-\[\]]*==.*\\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)) > 0


def test_every_dependency_is_locked() -> None:
    locked = set(re.findall(r"^([a-z0-9\-]+)(?:\[.*?\])?==", (ROOT / "requirements/dev.txt").read_text(), re.MULTILINE))
    groups = PROJECT["dependency-groups"]
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *groups["test"], *groups["build"], *groups["node"]]
    wanted += [line for extra in extras.values() for line in extra]
    assert {re.split(r"[\s\[<>=!~;]", line)[0].lower().replace("_", "-") for line in wanted} <= locked


def test_serving_uses_the_versions_that_are_tested() -> None:
    locks = {lock: (ROOT / f"requirements/{lock}.txt").read_text() for lock in ("dev", "serve", "build", "node")}
    pins = {lock: set(re.findall(r"^[a-z0-9].*?==[^ ]*", text, re.MULTILINE)) for lock, text in locks.items()}
    assert all(pins.values())
    assert pins["serve"] | pins["build"] | pins["node"] <= pins["dev"]


def test_source_files_have_one_responsibility() -> None:
    """Six hundred lines are more than one concept takes; what a program wrote is nobody's to read."""
    product = [path for path in _tracked() if path.suffix in {".py", ".cpp", ".hpp", ".ts", ".tsx", ".css"}]
    long = {
        str(path.relative_to(ROOT)): len(lines)
        for path in product
        if "tests" not in path.relative_to(ROOT).parts
        and len(lines := path.read_text(encoding="utf-8").splitlines()) > 600
        and not lines[0].startswith("// Made by ")
    }
    assert not long


def test_nothing_names_a_place_on_one_machine() -> None:
    home = re.compile(r"(?<![\w.])/(?:home|Users|work|root)/\w")
    named = [
        str(path.relative_to(ROOT))
        for path in _tracked()
        if path != Path(__file__)
        and path.suffix in {".py", ".md", ".toml", ".yml", ".yaml", ".txt", ".cpp", ".hpp", ".ts", ".tsx", ".json", ""}
        and home.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not named


def test_every_kind_of_dependency_is_kept_up_to_date() -> None:
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert {one["package-ecosystem"] for one in updates} == {"pip", "npm", "docker", "docker-compose", "github-actions"}
    assert all((ROOT / one["directory"].lstrip("/")).is_dir() for one in updates)
