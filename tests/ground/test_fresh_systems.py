"""The tool that makes fresh machines: what it needs, what it passes on, and what it deletes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools/fresh.py"
specification = importlib.util.spec_from_file_location("fresh", TOOL)
assert specification
assert specification.loader
fresh = importlib.util.module_from_spec(specification)
sys.modules["fresh"] = fresh  # dataclasses look their module up
specification.loader.exec_module(fresh)


def test_an_ordinary_user_is_told_that_it_needs_root() -> None:
    """Its text is handed over, as an ordinary user may not be able to read this checkout."""
    text = TOOL.read_text(encoding="utf-8").replace("__file__", repr(str(TOOL)))
    command = ["/usr/bin/env", "python3", "-c", text]
    user = 65534 if os.geteuid() == 0 else None
    where = {"PATH": "/usr/bin:/bin"}
    ended = subprocess.run(command, user=user, cwd="/", env=where, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "make fresh needs root, for chroot and mounts: sudo make fresh\n"


def test_a_system_has_the_packages_that_the_readme_names() -> None:
    """All that `.ci/needs` may ask for, and certificates, which debootstrap leaves out."""
    needs = (ROOT / ".ci/needs").read_text(encoding="utf-8")
    asked = {line.split('"')[-2] for line in needs.replace("\\\n", "").splitlines() if ' lack "' in f" {line}"}
    assert {"python3-dev", "python3-venv", "g++", "curl"} <= asked
    assert set(fresh.PACKAGES) == asked - {"python3"} | {"git", "make", "ca-certificates"}


def test_a_tool_that_is_missing_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "debootstrap" else f"/bin/{name}")
    assert fresh.missing() == (
        "make fresh needs debootstrap: apt-get install debootstrap slirp4netns util-linux iproute2 git"
    )


def test_only_the_way_to_the_registries_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bundle = tmp_path / "certificates"
    bundle.touch()
    monkeypatch.setattr(os, "environ", {
        "PATH": "", "HOME": "/nowhere", "LANG": "de_DE.UTF-8", "SOME_SECRET": "s3cret", "PYTHONPATH": "/nowhere",
        "https_proxy": "http://proxy:3128", "PIP_INDEX_URL": "http://index/simple",
        "SSL_CERT_FILE": str(bundle), "PIP_CERT": "/nowhere",
    })  # fmt: skip
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert fresh.network_environment() == {
        "https_proxy": "http://proxy:3128",
        "PIP_INDEX_URL": "http://index/simple",
        "UV_DEFAULT_INDEX": "http://index/simple",
        "SSL_CERT_FILE": str(bundle),
    }


def test_nothing_is_deleted_while_something_is_mounted_in_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Deleting through a mount would delete what is mounted."""
    made = tmp_path / "made"
    (made / "proc").mkdir(parents=True)
    mounts = f"1 2 3:4 / / rw - ext4 /dev/x rw\n5 6 7:8 / {made}/proc rw - proc proc rw\n"
    read = Path.read_text
    monkeypatch.setattr(
        Path, "read_text", lambda path, **more: mounts if path.name == "mountinfo" else read(path, **more)
    )
    with pytest.raises(SystemExit, match=f"umount {made}/proc"):
        fresh.delete(made)
    assert (made / "proc").is_dir()
    mounts = ""
    fresh.delete(made)
    assert not made.exists()


def test_a_line_of_the_table_tells_system_user_command_result_and_times() -> None:
    runs = [fresh.Run("trixie", "ann", "serve", "failed (2)", 61.4, 30.2)]
    assert fresh.table(runs).splitlines()[1].split() == ["trixie", "ann", "make", "serve", "failed", "(2)", "61", "30"]
