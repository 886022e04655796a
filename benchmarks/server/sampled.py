"""`parlour serve` that looks at itself: every two milliseconds of CPU time it notes which part of the house is at work.

The counts are written as JSON to the file that PARLOUR_SAMPLES names, when the server stops.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
from collections import Counter
from pathlib import Path
from types import FrameType

from parlour.cli.main import run

PARTS = {
    "parlour/games/": "the rules of the game",
    "parlour/tables/": "tables: decide, follow, views",
    "parlour/storage/": "the store",
    "parlour/server/": "sockets and routes",
    "site-packages/aiohttp/": "aiohttp",
}
counts: Counter[str] = Counter()


def note(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        name = frame.f_code.co_filename
        for path, part in PARTS.items():
            if path in name:
                counts[part] += 1
                return
        frame = frame.f_back
    counts["the event loop and the rest"] += 1


def write() -> None:
    Path(os.environ["PARLOUR_SAMPLES"]).write_text(json.dumps(counts))


if __name__ == "__main__":
    atexit.register(write)
    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, 0.002, 0.002)
    run()
