"""Keeps hidden events unreadable at rest: AES-256-GCM under a key outside the database."""

from __future__ import annotations

import os
import secrets
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from parlour.storage.lock import KEY_PLACE, give_to_owner, lock
from parlour.tables.errors import Unreadable

KEY_BYTES = 32
NONCE_BYTES = 12
COUNTER_BYTES = 4
KEY_VARIABLE = "PARLOUR_KEY"
MARK = b"\xffK"
ID_BYTES = 4
"""Of the fingerprint of a key: with several keys, what is sealed begins with the mark and the id of its key."""
HEAD_BYTES = len(MARK) + ID_BYTES


class AesSeal:
    """Seals for a place: what is moved elsewhere in the database does not open. There may be several keys: the first
    one seals, and each opens what was sealed under it."""

    def __init__(
        self, key: bytes, origin: str = "the key", new_file: Path | None = None, older: Sequence[bytes] = ()
    ) -> None:
        """`origin` says where the key is from. `new_file`: where to write a key that was only just made. `older`: keys
        that only open."""
        self.origin = origin
        self._new_file = new_file
        self._nonces = _nonces()
        self._file: Path | None = None
        self._seen: tuple[int, ...] = ()
        self._take((key, *older))

    @classmethod
    def of_file(cls, path: Path) -> AesSeal:
        """Under the keys of a file, which is read again when it has changed."""
        seen, origin = _signs(path), f"the key in {path}"
        key, *older = _read(path.read_text(), origin)
        seal = cls(key, origin, older=older)
        seal._file, seal._seen = path, seen
        return seal

    def _take(self, keys: Sequence[bytes]) -> None:
        for key in keys:
            if len(key) != KEY_BYTES:
                raise ValueError(f"the key has {len(key)} bytes and should have {KEY_BYTES}")
        self._key = keys[0]
        self._ciphers = {_fingerprint(key): AESGCM(key) for key in keys}
        self._by_id = {fingerprint[:ID_BYTES]: cipher for fingerprint, cipher in self._ciphers.items()}
        self._cipher = self._ciphers[self.fingerprint]
        self._head = MARK + self.fingerprint[:ID_BYTES] if len(self._ciphers) > 1 else b""

    @property
    def fingerprint(self) -> bytes:
        return _fingerprint(self._key)

    @property
    def fingerprints(self) -> Collection[bytes]:
        return self._ciphers.keys()

    @property
    def is_new(self) -> bool:
        return self._new_file is not None

    def keep(self) -> None:
        if self._new_file is None:
            return
        handle = os.open(self._new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(_text([self._key]))
            file.flush()
            os.fsync(file.fileno())
        self._file, self._seen = self._new_file, _signs(self._new_file)
        self._new_file = None

    def refresh(self) -> bool:
        if self._file is None:
            return False
        try:
            seen = _signs(self._file)
            if seen == self._seen:
                return False
            keys = _read(self._file.read_text(), self.origin)
        except (OSError, ValueError):
            return False  # it is being written, or was taken away: what was read at the start is the key still
        self._seen = seen
        if _fingerprint(keys[0]) == self.fingerprint or self._key not in keys:
            return False
        self._take(keys)
        return True

    def seal(self, clear: bytes, place: str) -> bytes:
        nonce = next(self._nonces)
        return self._head + nonce + self._cipher.encrypt(nonce, clear, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        if sealed[: len(MARK)] == MARK:
            cipher = self._by_id.get(sealed[len(MARK) : HEAD_BYTES])
            if cipher is not None:
                with suppress(InvalidTag):
                    return _opened(cipher, sealed[HEAD_BYTES:], place)
        for cipher in self._ciphers.values():  # as long as there was but one key, nothing says which one
            with suppress(InvalidTag):
                return _opened(cipher, sealed, place)
        raise Unreadable(
            "sealed_under_another_key",
            "this was sealed under another key than the server has, or is damaged;"
            " whoever runs the server may have the key in a backup",
        )


def _opened(cipher: AESGCM, sealed: bytes, place: str) -> bytes:
    return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())


def _fingerprint(key: bytes) -> bytes:
    return sha256(b"fingerprint of a Parlour key\0" + key).digest()


def _signs(path: Path) -> tuple[int, ...]:
    """By which a file is known to be another one."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _nonces() -> Iterator[bytes]:
    """Never the same twice: counted up from a beginning that each process draws for itself."""
    while True:
        beginning = secrets.token_bytes(NONCE_BYTES - COUNTER_BYTES)
        for count in range(1 << 8 * COUNTER_BYTES):
            yield beginning + count.to_bytes(COUNTER_BYTES, "big")


def find_key(path: Path) -> AesSeal:
    """A seal under the keys from the environment or the file. Where there is neither, under a new key, which `keep`
    writes to the file: not before it is known that nothing is sealed under an older one."""
    text = os.environ.get(KEY_VARIABLE)
    if text is not None:
        origin = f"the key in {KEY_VARIABLE}"
        key, *older = _read(text, origin)
        return AesSeal(key, origin, older=older)
    try:
        return AesSeal.of_file(path)
    except FileNotFoundError:
        return AesSeal(secrets.token_bytes(KEY_BYTES), str(path), new_file=path)


def rotate_key(path: Path) -> int:
    """Let a new key seal from now on, before those in the file, which open what they have sealed; how many there are.

    The file is replaced in one step: whoever is killed leaves the old one, or a whole new one.
    """
    if os.environ.get(KEY_VARIABLE) is not None:
        raise ValueError(f"the key is in {KEY_VARIABLE}: put a new one before it there, as docs/operations.md says")
    with lock(path.parent, KEY_PLACE, f"{path} is being changed by another process"):
        try:
            keys = [secrets.token_bytes(KEY_BYTES), *_read(path.read_text(), f"the key in {path}")]
        except FileNotFoundError:
            raise ValueError(f"there is no {path}; the first start of a server with this folder makes it") from None
        fresh = path.with_name(f"{path.name}.new")
        fresh.unlink(missing_ok=True)  # of an attempt that was killed
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(_text(keys))
            file.flush()
            os.fsync(file.fileno())
        give_to_owner(fresh)
        fresh.replace(path)
        _sync_folder(path.parent)
    return len(keys)


def _sync_folder(folder: Path) -> None:
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _text(keys: Iterable[bytes]) -> bytes:
    return b"".join(urlsafe_b64encode(key) + b"\n" for key in keys)


def _read(text: str, origin: str) -> list[bytes]:
    """The keys in a text, one or several with white space between: the first one seals."""
    try:
        keys = [urlsafe_b64decode(word) for word in text.split()]
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise ValueError(f"it has {', '.join(str(len(key)) for key in keys) or 'no'} bytes")
    except ValueError as error:
        raise ValueError(f"{origin} is no key of {KEY_BYTES} bytes in URL-safe base64: {error}") from None
    return keys
