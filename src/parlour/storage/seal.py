"""Keeps hidden events unreadable at rest: AES-256-GCM under a key outside the database."""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12
COUNTER_BYTES = 4
KEY_VARIABLE = "PARLOUR_KEY"


class AesSeal:
    """Seals for a place: what is moved elsewhere in the database does not open."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key has {len(key)} bytes and should have {KEY_BYTES}")
        self._cipher = AESGCM(key)
        self._nonces = _nonces()

    def seal(self, clear: bytes, place: str) -> bytes:
        nonce = next(self._nonces)
        return nonce + self._cipher.encrypt(nonce, clear, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except InvalidTag:
            raise ValueError("sealed under another key, for another place, or damaged") from None


def _nonces() -> Iterator[bytes]:
    """Never the same twice: counted up from a beginning that each process draws for itself."""
    while True:
        beginning = secrets.token_bytes(NONCE_BYTES - COUNTER_BYTES)
        for count in range(1 << 8 * COUNTER_BYTES):
            yield beginning + count.to_bytes(COUNTER_BYTES, "big")


def read_key(path: Path) -> bytes:
    """The key from the environment or the file; a new file, for its owner alone, where there is neither."""
    text = os.environ.get(KEY_VARIABLE)
    if text is None:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            text = path.read_text()
        else:
            text = urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()
            with os.fdopen(handle, "w") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
    try:
        return urlsafe_b64decode(text.strip())
    except ValueError:
        raise ValueError(f"the key is not base64: look at {KEY_VARIABLE} or {path}") from None
