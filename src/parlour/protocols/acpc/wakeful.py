"""Keeping the event loop awake for a moment: to wake it takes longer than most programs need to answer.

That pays only where a processor is idle. Elsewhere it takes the time that the programs need, so it is left out for a
while whenever the operating system has taken the processor from this process to give it to another.
"""

from __future__ import annotations

import asyncio
import sys

if sys.platform != "win32":
    import resource

    def preemptions() -> int:
        """How often this process had to wait although it had work to do."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


SPINS = 100
"""Turns of the event loop for which an answer is waited for awake, about a quarter of a millisecond."""
HANDS_ASLEEP = 64
"""So many hands are dealt without it after the processor was taken away."""


class Wakeful:
    """The wakefulness of one match."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._spins = 0
        self._asleep = 0
        """For how many hands more the loop may sleep."""
        self._preempted = 0

    def next_hand(self) -> None:
        """See, once a hand, whether anybody else wants the processor."""
        self._asleep -= 1
        if sys.platform == "win32":  # it does not tell
            self._asleep = 1
        elif (preempted := preemptions()) != self._preempted:
            self._preempted, self._asleep = preempted, HANDS_ASLEEP

    def wait(self) -> None:
        """Stay awake for the answer to a question that was asked just now."""
        if self._asleep > 0:
            self._spins = 0
            return
        if self._spins <= 0:
            self._loop.call_soon(self._spin)
        self._spins = SPINS

    def _spin(self) -> None:
        self._spins -= 1
        if self._spins > 0:
            self._loop.call_soon(self._spin)
