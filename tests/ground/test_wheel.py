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
    assert {"parlour/py.typed", "parlour/_core.pyi", "parlour/__init__.py"} <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    assert any(name.startswith("parlour/_core.") and name.endswith((".so", ".pyd")) for name in names)
    assert not [name for name in names if name.startswith(("tests/", "native/", "benchmarks/", "proofs/", "fuzz/"))]
    if (ROOT / "web/package.json").exists():
        assert "parlour/server/static/index.html" in names, "the web app is not in the wheel"


def test_the_wheel_works_in_a_bare_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    _run(*pip, wheel, cwd=tmp_path)
    assert f"parlour {parlour.__version__}" in _run(python, "-I", SMOKE, cwd=tmp_path)
    command = python.with_name("parlour")
    assert _run(command, "--version", cwd=tmp_path) == f"parlour {parlour.__version__}\n"
    assert "Royal Flush" in _run(command, "eval", "As Ks Qs Js Ts 2d 3c", cwd=tmp_path)
