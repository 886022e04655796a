"""Whole numbers in JSON, as JSON Schema counts them: `1413.0` and `1.413e3` are integers there, as `1413` is.

The decoder goes by how a number is written. So what clients send is rewritten before it is read: once, wherever in a
body or frame a number stands.
"""

from __future__ import annotations

import re

LARGEST = 2**53
"""Up to here each whole number has a floating-point number of its own."""

_POSSIBLE = re.compile(rb"[0-9][.eE]")
_TOKEN = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"?'  # a text, or what is left of one: none is read as numbers, nor twice
    rb"|(?<![^\s,:\[])-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)(?![^\s,\]}])",
    re.DOTALL,
)


def with_integers(data: bytes) -> bytes:
    """The same JSON with its whole numbers written as integers. What is not JSON does not become JSON."""
    return _TOKEN.sub(_written, data) if _POSSIBLE.search(data) else data


def _written(token: re.Match[bytes]) -> bytes:
    text = token[0]
    if text.startswith(b'"'):
        return text
    value = float(text)
    return b"%d" % value if value.is_integer() and abs(value) <= LARGEST else text
