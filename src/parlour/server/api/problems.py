"""Every refusal and fault as problem details (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from aiohttp import web

from parlour.games.contract import Illegal
from parlour.tables.errors import Refused, TooMany, Unavailable

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong: `code` for programs, `detail` for people."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    retry_after: float | msgspec.UnsetType = msgspec.UNSET
    """Of a limit: the seconds after which it may help to try again."""


CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "not_json",
    422: "invalid",
    426: "not_a_websocket",
    429: "too_many_requests",
    500: "internal",
    503: "not_ready",
}


class Fault(Refused):
    """A refusal by the server itself, before any table was asked."""

    def __init__(self, status: int, detail: str, code: str | None = None) -> None:
        super().__init__(code or CODES[status], detail)
        self.status = status


def problem(status: int, detail: str, code: str | None = None) -> Problem:
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code or CODES[status])


def of(error: Exception) -> Problem:
    """The problem that an exception stands for. What is not a refusal is told as an internal error and no more."""
    if isinstance(error, TooMany | Unavailable) and error.retry_after:
        told = problem(error.status, str(error), error.code)
        return msgspec.structs.replace(told, retry_after=error.retry_after)
    if isinstance(error, Refused):
        return problem(error.status, str(error), error.code)
    if isinstance(error, Illegal):
        return problem(422, str(error), error.code)
    if isinstance(error, web.HTTPException) and error.status in CODES:
        return problem(error.status, _DETAILS.get(error.status, error.reason))
    return problem(500, "Something went wrong on the server. Nothing that was acknowledged is lost.")


_DETAILS = {
    404: "There is nothing at this address.",
    405: "This address does not know that method.",
    413: "The body is too large.",
}


def response(fault: Problem, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=fault.status, body=msgspec.json.encode(fault), content_type=MEDIA_TYPE, headers=headers)
