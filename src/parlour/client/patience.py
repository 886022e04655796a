"""How long the client waits when the server says 'too many requests', before it hands the refusal on."""

from __future__ import annotations

from parlour.client.errors import TOO_MANY, ApiError

FIRST_PAUSE = 0.25
"""Where the server does not say how long to wait; each further wait is twice as long."""
LEAST_PAUSE = 0.02


class Patience:
    """The waits of one call, which together take at most `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._next = FIRST_PAUSE

    def pause(self, refusal: ApiError) -> float | None:
        """How long to wait before the same call is sent again; None where the refusal is final."""
        if refusal.status != TOO_MANY:
            return None
        pause = self._next if refusal.retry_after is None else max(refusal.retry_after, LEAST_PAUSE)
        if pause > self._left:
            return None
        self._left -= pause
        self._next *= 2
        return pause
