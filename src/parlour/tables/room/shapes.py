"""Whether bytes were written in the form in which they are about to be read."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec

SIZE = 8
"""Bytes of a fingerprint."""


def fingerprint(parts: Iterable[Any]) -> bytes:
    """A few bytes that are others when one of these structs is defined otherwise, down to the structs in it, or one of
    these plain values is another. Names and types of fields, their order where it counts, and defaults make the
    difference; what is written about them does not."""
    parts = tuple(parts)
    types = [part for part in parts if isinstance(part, type)]
    values = [part for part in parts if not isinstance(part, type)]
    shapes = msgspec.json.schema_components(types, ref_template="{name}")
    return blake2b(msgspec.json.encode((_bare(shapes), values), order="sorted"), digest_size=SIZE).digest()


def _bare(schema: Any) -> Any:
    """A schema without its prose."""
    if isinstance(schema, dict):
        return {
            name: _bare(part)
            for name, part in schema.items()
            if not (name in ("description", "title") and isinstance(part, str))
        }
    return [_bare(part) for part in schema] if isinstance(schema, list | tuple) else schema
