"""Which build this is: the release, and the commit that it was made from.

Needs the standard library alone: the build backend runs it before anything is installed.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

RELEASE = "0.1.0"
"""The release that this is, or that was last made before it."""

STAMP = Path(__file__).with_name("commit.txt")
"""What `git describe` said when this wheel or source distribution was built; a checkout has no such file."""

ARCHIVED = "$Format:%H$"  # `git archive` writes the commit here (.gitattributes)

_DESCRIBE = ("describe", "--always", "--tags", "--match=v*", "--long", "--abbrev=40", "--dirty")
_DESCRIBED = re.compile(r"(?:(?P<tag>v\S+)-(?P<commits_since>\d+)-g)?(?P<commit>[0-9a-f]{40})(?P<dirty>-dirty)?")


def describe() -> str:
    """The commit, with the tag before it and whether files were changed since; empty where nobody knows."""
    checkout = Path(__file__).parents[2]
    if (checkout / ".git").exists():
        # The owner of the folder may be another user: in a build container, or a service's checkout.
        git = ("git", "-c", f"safe.directory={checkout}", "-C", str(checkout), *_DESCRIBE)
        try:
            return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
        except (OSError, subprocess.CalledProcessError):  # no git here, or no commit yet
            return ""
    if STAMP.exists():
        return STAMP.read_text(encoding="ascii").strip()
    return "" if ARCHIVED.startswith("$") else ARCHIVED


def version_of(described: str) -> tuple[str, str | None]:
    """The version (PEP 440) and the commit that a description names.

    The release alone is the version of its tagged commit, unchanged. Everything else says which commit it is.
    """
    found = _DESCRIBED.fullmatch(described)
    if found is None:
        return f"{RELEASE}+unknown", None
    dirty = bool(found["dirty"])
    if found["tag"] == f"v{RELEASE}" and found["commits_since"] == "0" and not dirty:
        return RELEASE, found["commit"]
    return f"{RELEASE}+g{found['commit'][:7]}{'.dirty' if dirty else ''}", found["commit"]


__version__, COMMIT = version_of(describe())
