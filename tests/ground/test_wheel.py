"""The built wheel and the source distribution, in a bare environment, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import parlour
from parlour.version import COMMIT

pytestmark = pytest.mark.slow  # it compiles the native core

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
    assert {"parlour/server/static/index.html", "parlour/server/static/third-party.txt"} <= set(names)


def test_the_wheel_has_the_card_core_and_the_network_as_two_modules_and_no_soak(wheel: Path) -> None:
    compiled = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]
    assert sorted(name.split(".")[0] for name in compiled) == ["parlour/_core", "parlour/_net"]


def test_the_wheel_is_named_after_its_commit(wheel: Path) -> None:
    assert wheel.name.split("-")[1] == parlour.__version__
    with zipfile.ZipFile(wheel) as files:
        stamp = files.read("parlour/commit.txt").decode()
    assert COMMIT is not None
    assert COMMIT in stamp
    assert not (ROOT / "src/parlour/commit.txt").exists(), "the checkout would keep the commit of this build"


def test_a_source_distribution_carries_what_a_wheel_needs(tmp_path: Path) -> None:
    """The web app and the commit: a wheel is made of it without Node, and has the same version."""
    code = "import sys, build_backend\nprint(build_backend.build_sdist(sys.argv[1]))"
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, 'tools')\n{code}", tmp_path]
    name = _run(*command, cwd=ROOT).splitlines()[-1]
    assert name == f"parlour-{parlour.__version__}.tar.gz"
    with tarfile.open(tmp_path / name) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert (unpacked / "src/parlour/server/static/index.html").exists()
    assert (unpacked / "web/package-lock.json").exists()
    pip = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path]
    _run(*pip, unpacked, cwd=tmp_path)
    assert [path.name.split("-")[1] for path in tmp_path.glob("*.whl")] == [parlour.__version__]


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
    assert _run(command, "--version", cwd=tmp_path) == f"parlour {parlour.__version__} ({COMMIT})\n"
    assert "serve" in _run(command, "--help", cwd=tmp_path)
    assert "Royal Flush" in _run(command, "eval", "As Ks Qs Js Ts 2d 3c", cwd=tmp_path)
    assert "81.065 %" in _run(command, "equity", "AhAs", "KdKc", cwd=tmp_path)
    assert "side pot 1" in _run(command, "pots", "25", "50", "100", cwd=tmp_path)
    assert "Flush" in _run(command, "showdown", "8c7h:5", "AdAs:5", "--board", "Ac Kc Jc 5c Th", cwd=tmp_path)
    assert len(_run(command, "bench", "--signature", cwd=tmp_path)) == 17


@pytest.mark.parametrize("words", [["serve"], ["servers"], ["admin", "secret"]], ids=" ".join)
def test_a_command_that_needs_more_says_how_to_install_it(
    words: list[str], wheel: Path, bare: Path, tmp_path: Path
) -> None:
    done = subprocess.run([bare / "parlour", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"parlour: 'parlour {words[0]}' needs more than the library (")
    assert done.stderr.endswith(f": pip install '{wheel}[server]'\n")
    assert done.stderr.count("\n") == 1


def test_the_client_says_how_to_install_it(wheel: Path, bare: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [bare / "python", "-c", "import parlour.client"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].endswith(f"pip install '{wheel}[client]'")
