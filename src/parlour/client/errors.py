"""What the server refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """A refusal by the server: `code` for programs, the message for people."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail

    @classmethod
    def of(cls, problem: Mapping[str, Any]) -> ApiError:
        """The error that problem details stand for."""
        return cls(int(problem.get("status", 500)), str(problem.get("code", "unknown")), str(problem.get("detail", "")))

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.detail}"
