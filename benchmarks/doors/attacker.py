"""`python -m benchmarks.doors.attacker ATTACK URL CODE ADDRESS[,ADDRESS…]`: one attack, from one address or several.

It talks to loopback only. It tells when it has begun, ends with its standard input or by itself, and then tells what
became of what it sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time

from benchmarks.doors.attacks import Target
from benchmarks.doors.catalogue import ATTACKS

LONGEST = 120.0
"""Seconds after which an attack ends by itself."""
GENTLE = 19
"""The attacker shares the machine with the server: its own work must not be what slows the server down."""


async def main(name: str, url: str, code: str, addresses: str) -> None:
    target = Target(url, code, addresses.split(","), time.monotonic() + LONGEST)
    attack = asyncio.ensure_future(ATTACKS[name].run(target))
    while not target.counts and not attack.done():  # noqa: ASYNC110 - a counter, which nothing announces
        await asyncio.sleep(0.01)
    print(json.dumps({"begun": True}), flush=True)
    ending = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    await asyncio.wait([attack, ending], return_when=asyncio.FIRST_COMPLETED, timeout=LONGEST)
    if attack.done():
        attack.result()  # one that failed or gave up early is no attack
    target.until = 0.0
    attack.cancel()
    await asyncio.gather(attack, return_exceptions=True)
    print(json.dumps(target.counts), flush=True)


if __name__ == "__main__":
    os.nice(GENTLE)
    asyncio.run(main(*sys.argv[1:5]))
