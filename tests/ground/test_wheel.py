"""The built wheel, in a bare environment, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import parlour

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SMOKE = Path(__file__).with_name("wheel_smoke.py")


def _run(*command: str | Path, cwd: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=clean, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with the tools of this environment."""
    out = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-build-isolation", "--no-deps", "--wheel-dir", str(out)]
    _run(*pip, str(ROOT), cwd=ROOT)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_types_and_licence_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"parlour/py.typed", "parlour/_core.pyi", "parlour/_net.pyi", "parlour/__init__.py"} <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "native/", "benchmarks/", "proofs/", "fuzz/"))]
    assert "parlour/games/testing.py" in names, "authors of games test with it: docs/adding-a-game.md"
    assert not [name for name in names if name.startswith("parlour/tables/") and "testing" in name]
    if (ROOT / "web/package.json").exists():
        assert "parlour/server/static/index.html" in names, "the web app is not in the wheel"


def test_the_wheel_has_the_card_core_and_the_network_as_two_modules_and_no_soak(wheel: Path) -> None:
    compiled = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]
    assert sorted(name.split(".")[0] for name in compiled) == ["parlour/_core", "parlour/_net"]


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with the wheel and what it asks for, without extras."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home / "env", with_pip=True)
    programs = home / "env" / ("Scripts" if os.name == "nt" else "bin")
    _run(programs / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check", wheel, cwd=home)
    return programs


def test_the_library_needs_numpy_and_nothing_else(bare: Path, tmp_path: Path) -> None:
    code = "from importlib.metadata import distributions\nprint(*{found.name.lower() for found in distributions()})"
    assert set(_run(bare / "python", "-c", code, cwd=tmp_path).split()) - {"pip", "setuptools"} == {"numpy", "parlour"}


def test_the_wheel_works_in_a_bare_environment(bare: Path, tmp_path: Path) -> None:
    assert f"parlour {parlour.__version__}" in _run(bare / "python", "-I", SMOKE, cwd=tmp_path)
    command = bare / "parlour"
    assert _run(command, "--version", cwd=tmp_path) == f"parlour {parlour.__version__}\n"
    assert "serve" in _run(command, "--help", cwd=tmp_path)
    assert "Royal Flush" in _run(command, "eval", "As Ks Qs Js Ts 2d 3c", cwd=tmp_path)
    assert "81.065 %" in _run(command, "equity", "AhAs", "KdKc", cwd=tmp_path)
    assert "side pot 1" in _run(command, "pots", "25", "50", "100", cwd=tmp_path)
    assert "Flush" in _run(command, "showdown", "8c7h:5", "AdAs:5", "--board", "Ac Kc Jc 5c Th", cwd=tmp_path)
    assert len(_run(command, "bench", "--signature", cwd=tmp_path)) == 17


@pytest.mark.parametrize("words", [["serve"], ["servers"], ["admin", "secret"]], ids=" ".join)
def test_a_command_that_needs_more_names_the_extra(words: list[str], bare: Path, tmp_path: Path) -> None:
    done = subprocess.run([bare / "parlour", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"parlour: 'parlour {words[0]}' needs more than the library (")
    assert done.stderr.endswith(": pip install 'parlour[server]'\n")
    assert done.stderr.count("\n") == 1


def test_the_client_names_its_extra(bare: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [bare / "python", "-c", "import parlour.client"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].endswith("pip install 'parlour[client]'")
