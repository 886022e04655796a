"""Each build says which commit it was made from, and a release alone has the release's bare version."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.version import RELEASE, version_of

ROOT = Path(__file__).parents[2]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("described", "version", "commit"),
    [
        (f"v{RELEASE}-0-g{COMMIT}", RELEASE, COMMIT),
        (f"v{RELEASE}-0-g{COMMIT}-dirty", f"{RELEASE}+g0123456.dirty", COMMIT),
        (f"v{RELEASE}-1-g{COMMIT}", f"{RELEASE}+g0123456", COMMIT),
        (f"v9.9.9-0-g{COMMIT}", f"{RELEASE}+g0123456", COMMIT),
        (COMMIT, f"{RELEASE}+g0123456", COMMIT),
        ("", f"{RELEASE}+unknown", None),
        ("fatal: not a repository", f"{RELEASE}+unknown", None),
    ],
)
def test_the_bare_version_belongs_to_the_unchanged_tagged_commit(
    described: str, version: str, commit: str | None
) -> None:
    assert version_of(described) == (version, commit)


class Tree:
    """A tree of source files that holds the module of the version and nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.module = root / "src/parlour/version.py"
        self.module.parent.mkdir(parents=True)
        shutil.copy(ROOT / "src/parlour/version.py", self.module)
        shutil.copy(ROOT / ".gitattributes", root)

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        command = ["git", "-C", str(self.root), *who, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=own).stdout.strip()

    def commit(self) -> str:
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "first")
        return self.git("rev-parse", "HEAD")

    @property
    def version(self) -> str:
        return version_in(self.module)


def version_in(module: Path) -> str:
    code = "import runpy, sys; found = runpy.run_path(sys.argv[1]); print(found['__version__'], found['COMMIT'])"
    return subprocess.run(
        [sys.executable, "-I", "-c", code, str(module)], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_a_checkout_says_at_what_commit_it_stands(tree: Tree) -> None:
    commit = tree.commit()
    assert tree.version == f"{RELEASE}+g{commit[:7]} {commit}"
    tree.git("tag", f"v{RELEASE}")
    assert tree.version == f"{RELEASE} {commit}"
    with tree.module.open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert tree.version == f"{RELEASE}+g{commit[:7]}.dirty {commit}"


def test_a_checkout_passes_over_what_an_earlier_build_left(tree: Tree) -> None:
    commit = tree.commit()
    tree.module.with_name("commit.txt").write_text(COMMIT)
    assert tree.version.endswith(commit)


def test_a_tree_without_history_says_what_it_was_built_from_or_that_nobody_knows(tree: Tree) -> None:
    assert tree.version == f"{RELEASE}+unknown None"
    tree.module.with_name("commit.txt").write_text(f"v{RELEASE}-0-g{COMMIT}\n")
    assert tree.version == f"{RELEASE} {COMMIT}"


def test_an_archive_of_a_commit_names_it(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> None:
    commit = tree.commit()
    archive, unpacked = tree.root / "all.zip", tmp_path_factory.mktemp("unpacked")
    tree.git("archive", "--output", str(archive), "HEAD")
    shutil.unpack_archive(archive, unpacked)
    assert version_in(unpacked / "src/parlour/version.py") == f"{RELEASE}+g{commit[:7]} {commit}"
