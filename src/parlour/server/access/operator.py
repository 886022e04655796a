"""The operator's secret: whoever shows it may do what no guest may, wherever they ask from."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

FILE = "operator.secret"
VARIABLE = "PARLOUR_OPERATOR_SECRET"
"""In the environment, in place of the file."""
LEAST_LENGTH = 16
"""Characters of a secret that the operator chose, so that nobody guesses it."""


def read_secret(data: Path, given: str | None = None) -> str:
    """The secret that was given, or the one in the data folder; a new one, for its owner alone, where there is none."""
    if given is not None:
        if len(given) < LEAST_LENGTH:
            raise ValueError(f"the operator's secret needs at least {LEAST_LENGTH} characters")
        return given
    path = data / FILE
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_text().strip()
        if len(secret) < LEAST_LENGTH:
            raise ValueError(f"{path} holds no secret; remove the file to get a new one") from None
        return secret
    secret = secrets.token_urlsafe(32)
    with os.fdopen(handle, "w") as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    return secret
