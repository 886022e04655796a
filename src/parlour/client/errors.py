"""What the server refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOO_MANY = 429


class ApiError(Exception):
    """A refusal by the server: `code` for programs, the message for people."""

    def __init__(self, status: int, code: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
        """Of a 429: the seconds after which another try may succeed, if the server said so."""

    @classmethod
    def of(cls, problem: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ApiError:
        """The error that problem details stand for."""
        return cls(
            int(problem.get("status", 500)),
            str(problem.get("code", "unknown")),
            str(problem.get("detail", "")),
            _seconds(problem.get("retry_after", (headers or {}).get("Retry-After"))),
        )

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.detail}"


def _seconds(value: Any) -> float | None:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return None
