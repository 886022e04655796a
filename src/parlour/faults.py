"""What a log line may tell of an unexpected error: what kind it is, and the places in the code that it went through.

Its words can hold anything, a token or a card, and so can local values: neither is told.
"""

from __future__ import annotations

import traceback

DEEPEST = 12
"""Places that are told, the innermost ones."""
CAUSES = 3
"""Errors before it that are named."""


def traced(error: BaseException) -> dict[str, object]:
    """Fields for a log line."""
    told: dict[str, object] = {"error": type(error).__name__, "trace": places(error)}
    causes: list[str] = []
    cause = error.__cause__ or error.__context__
    while cause is not None and len(causes) < CAUSES:
        causes.append(f"{type(cause).__name__} at {''.join(places(cause)[-1:])}".removesuffix(" at "))
        cause = cause.__cause__ or cause.__context__
    return told | ({"after": causes} if causes else {})


def places(error: BaseException) -> list[str]:
    """`file:line function` for each frame, the innermost one last."""
    frames = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), lookup_lines=False)
    return [f"{frame.filename.rpartition('parlour/')[2]}:{frame.lineno} {frame.name}" for frame in frames[-DEEPEST:]]
