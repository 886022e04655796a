"""Bodies of requests, which come as JSON and as form data."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import msgspec
from aiohttp import web

from parlour.tables.errors import BadRequest


async def read(request: web.Request) -> dict[str, Any]:
    """The fields of a body. An object inside of it, as in `{"clock": {"limit": 300}}`, is the same as `clock.limit`."""
    raw = await request.read()
    if not raw.strip():
        return {}
    if request.content_type == "multipart/form-data":
        return {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    if request.content_type == "application/json" or raw.lstrip()[:1] == b"{":
        return _flat(_object(raw))
    try:
        return dict(parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise BadRequest("bad_body", "the body is neither JSON nor form data") from None


async def names(request: web.Request, most: int) -> list[str]:
    """What a body of plain text lists, with commas in between; so many at the most."""
    listed = (await request.read()).decode(errors="replace").split(",")
    return [name.strip() for name in listed[:most] if name.strip()]


def _object(raw: bytes) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise BadRequest("bad_body", "the body is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequest("bad_body", "the body is not an object")
    return body


def _flat(body: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in body.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": inside for inner, inside in value.items()}
        else:
            flat[name] = value
    return flat
