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


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_what_is_there(path: Path) -> None:
    """Targets of make and files that a workflow names exist, and it may write nothing to the repository."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    commands = "\n".join(step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"])
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", commands)) <= targets
    for name in re.findall(r"(?<=\s)(?:tests|requirements|deploy)/[\w./]+", commands):
        assert (ROOT / name).exists(), name


def test_the_tests_run_on_every_system_and_python_that_we_name() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]
    systems, pythons = set(), set()
    for job in jobs.values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for row in [matrix, *matrix.get("include", [])]:
            systems |= set(row["os"] if isinstance(row.get("os"), list) else [row.get("os", "")])
            pythons |= set(row["python"] if isinstance(row.get("python"), list) else [row.get("python", "")])
    assert {"ubuntu", "macos", "windows"} <= {system.split("-")[0] for system in systems}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert set(named) <= pythons


def test_every_kind_of_dependency_is_kept_up_to_date() -> None:
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert {one["package-ecosystem"] for one in updates} == {"pip", "npm", "docker", "github-actions"}
    assert all((ROOT / one["directory"].lstrip("/")).is_dir() for one in updates)
