"""Keeps hidden events unreadable at rest: AES-256-GCM under a key outside the database."""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from parlour.tables.errors import Unreadable

KEY_BYTES = 32
NONCE_BYTES = 12
COUNTER_BYTES = 4
KEY_VARIABLE = "PARLOUR_KEY"


class AesSeal:
    """Seals for a place: what is moved elsewhere in the database does not open."""

    def __init__(self, key: bytes, origin: str = "the key", new_file: Path | None = None) -> None:
        """`origin` says where the key is from. `new_file`: where to write a key that was only just made."""
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key has {len(key)} bytes and should have {KEY_BYTES}")
        self.origin = origin
        self._key = key
        self._new_file = new_file
        self._cipher = AESGCM(key)
        self._nonces = _nonces()

    @property
    def fingerprint(self) -> bytes:
        return sha256(b"fingerprint of a Parlour key\0" + self._key).digest()

    @property
    def is_new(self) -> bool:
        return self._new_file is not None

    def keep(self) -> None:
        if self._new_file is None:
            return
        handle = os.open(self._new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(urlsafe_b64encode(self._key) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._new_file = None

    def seal(self, clear: bytes, place: str) -> bytes:
        nonce = next(self._nonces)
        return nonce + self._cipher.encrypt(nonce, clear, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except InvalidTag:
            raise Unreadable(
                "sealed_under_another_key",
                "this was sealed under another key than the server has, or is damaged;"
                " whoever runs the server may have the key in a backup",
            ) from None


def _nonces() -> Iterator[bytes]:
    """Never the same twice: counted up from a beginning that each process draws for itself."""
    while True:
        beginning = secrets.token_bytes(NONCE_BYTES - COUNTER_BYTES)
        for count in range(1 << 8 * COUNTER_BYTES):
            yield beginning + count.to_bytes(COUNTER_BYTES, "big")


def find_key(path: Path) -> AesSeal:
    """A seal under the key from the environment or the file. Where there is neither, under a new key, which `keep`
    writes to the file: not before it is known that nothing is sealed under an older one."""
    text, origin = os.environ.get(KEY_VARIABLE), f"the key in {KEY_VARIABLE}"
    if text is None:
        try:
            text, origin = path.read_text(), f"the key in {path}"
        except FileNotFoundError:
            return AesSeal(secrets.token_bytes(KEY_BYTES), str(path), new_file=path)
    try:
        return AesSeal(urlsafe_b64decode(text.strip()), origin)
    except ValueError as error:
        raise ValueError(f"{origin} is no key of {KEY_BYTES} bytes in URL-safe base64: {error}") from None
