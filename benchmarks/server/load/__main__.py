"""`python -m benchmarks.server.load KIND URL TABLES SECONDS RATE`: play at tables of a server, and measure.

KIND is parlour, events, boardgame or colyseus. RATE 0: every table moves again as soon as it can; otherwise about so
many moves a second over all tables. It says "measuring" when it has warmed up, and in the end what it found, as JSON.
"""

from __future__ import annotations

import os
import resource
import sys

from benchmarks.server.load.build import built
from benchmarks.server.load.seating import seated


def main(kind: str, url: str, tables: str, seconds: str, rate: str) -> None:
    program = str(built())
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # two sockets for each table
    links = seated(kind, url, int(tables))
    for link in links:
        link.socket.set_inheritable(True)
    # The same process goes on as the native program: nothing of Python is left in what is measured.
    os.execv(program, [program, kind, seconds, rate, *(str(link.socket.fileno()) for link in links)])


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
