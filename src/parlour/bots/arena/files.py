"""Files that the caller names: what is wrong with one is told before anything is played."""

from __future__ import annotations

from pathlib import Path
from typing import IO


def to_write(path: str | Path) -> IO[str]:
    """A file for what is played. `ValueError` where it cannot be written."""
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None


def text_of(path: str | Path, errors: str = "strict") -> str:
    """What stands in a file. `ValueError` where it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8", errors=errors)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ValueError(f"{path} cannot be read: {why}") from None
