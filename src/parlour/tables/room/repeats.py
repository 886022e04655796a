"""Idempotency keys: which commands of a person were carried out, so that a repeat gets the first answer.

Of each command a hash of its key, a checksum of what it asked for and the number that was answered are kept, in 22
bytes: first the hashes of all keys, so that looking for one is quick, then the rest, each oldest first. The log has the
key itself, and the checksum behind it.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any
from zlib import crc32

import msgspec

from parlour.tables.errors import KeyReused

KEPT = 128
"""How many commands of one person back a repeat is recognised."""
PEOPLE_KEPT = 64
"""Of how many people of one table that is known: those without a seat are forgotten first."""

_SEPARATOR = "\x1f"
"""No character of a key."""
_KEY, _COMMAND, _SEQ = 8, 8, 6
_ANSWER = _COMMAND + _SEQ
_SIZE = _KEY + _ANSWER
_ANY = b" " * _COMMAND
"""For keys in logs of earlier versions, which have no checksum."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def command(*parts: Any) -> bytes:
    """What a command asks for, so that the same is written in the same way."""
    return _encode(parts)


def sign(key: str, asked: bytes) -> str:
    """The key of a command as the log keeps it."""
    return "%s%s%08x" % (key, _SEPARATOR, crc32(asked))  # noqa: UP031 quicker, and every command is signed


def find(answers: bytes, signed: str) -> int | None:
    """The number with which this command was answered, if it was. `KeyReused` where its key was another command's."""
    count = len(answers) // _SIZE
    key, asked = _hashes(signed)
    place = answers.find(key, 0, count * _KEY)
    while place >= 0 and place % _KEY:
        place = answers.find(key, place + 1, count * _KEY)
    if place < 0:
        return None
    entry = count * _KEY + place // _KEY * _ANSWER
    before = answers[entry : entry + _COMMAND]
    if before not in (asked, _ANY):
        raise KeyReused("key_reused", "this idempotency key was used for another command; each has a key of its own")
    return int.from_bytes(answers[entry + _COMMAND : entry + _ANSWER])


def add(answers: bytes, signed: str, seq: int) -> bytes:
    """Remember one more command, and forget the oldest where there are too many."""
    count = len(answers) // _SIZE
    forgotten = 1 if count >= KEPT else 0
    key, asked = _hashes(signed)
    keys = answers[forgotten * _KEY : count * _KEY]
    return b"".join((keys, key, answers[count * _KEY + forgotten * _ANSWER :], asked, seq.to_bytes(_SEQ)))


@lru_cache(4096)
def _hashes(signed: str) -> tuple[bytes, bytes]:
    """Of the key, and of what was asked for. A command is looked for, and soon after it is added."""
    key, _, asked = signed.partition(_SEPARATOR)
    return blake2b(key.encode(), digest_size=_KEY).digest(), asked.encode() or _ANY
