"""`python -m benchmarks.doors.attacker ATTACK URL CODE SECONDS ADDRESS`: one attack, for so long, from one address.

It talks to loopback only, ends by itself, and tells what became of what it sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from contextlib import suppress

from benchmarks.doors.attacks import ATTACKS, Target

GENTLE = 19
"""The attacker shares the machine with the server: its own work must not be what slows the server down."""


async def main(name: str, url: str, code: str, seconds: float, address: str) -> None:
    target = Target(url, code, address, time.monotonic() + seconds)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5):
            await ATTACKS[name].run(target)
    print(json.dumps(Counter(target.counts)), flush=True)


if __name__ == "__main__":
    os.nice(GENTLE)
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5]))
