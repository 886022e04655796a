"""`python -m harness.check`: do PostgreSQL and Redis start on a machine on which nothing has run before? Needs root.

    python -m harness.check [--rounds 10] [--at-once 3]

Each round starts so many of both at the same time, in processes of their own and for the first time: all initialise a
data folder. They see a list of users from which whoever was made for an earlier run is removed, and into which no user
can be put; the machine's own list is not touched. Each writes to its servers, reads it back, and ends them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pwd
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.postgres import TEMPLATE, PostgresServer
from harness.redis import RedisServer

FIRST_USER = 1000
"""The number from which on users are made: those below came with the system."""


async def _use(database: str, bus: str) -> None:
    import asyncpg
    from redis.asyncio import Redis

    connection = await asyncpg.connect(database)
    await connection.execute("CREATE TABLE seen (n int); INSERT INTO seen VALUES (7)")
    assert await connection.fetchval("SELECT n FROM seen") == 7
    await connection.close()
    async with Redis.from_url(bus) as redis:
        await redis.set("seen", "7")
        assert await redis.get("seen") == b"7"


def _start_both() -> None:
    for user in pwd.getpwall():
        assert user.pw_uid < FIRST_USER or user.pw_name == "nobody", f"{user.pw_name} is still there"
    with PostgresServer() as postgres, RedisServer() as redis:
        asyncio.run(_use(postgres.url, redis.url))


def _round(at_once: int, users: Path) -> list[str]:
    """What went wrong."""
    alone = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', str(users)]
    command = [*alone, sys.executable, "-m", "harness.check", "--start-both"]
    environment = {name: value for name, value in os.environ.items() if name != TEMPLATE}
    starts = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(at_once)
    ]
    told = [(start.communicate()[0], start.returncode) for start in starts]
    return [out for out, code in told if code]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m harness.check", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--start-both", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start_both:
        _start_both()
        return
    if os.geteuid() != 0:
        sys.exit("harness.check needs root: only root is in the way of PostgreSQL, which refuses to be run by root")
    failed = 0
    with tempfile.NamedTemporaryFile("w", prefix="parlour-users-") as users:
        lines = Path("/etc/passwd").read_text().splitlines(keepends=True)
        removed = [line.split(":")[0] for line in lines if FIRST_USER <= int(line.split(":")[2]) < 60000]
        users.writelines(line for line in lines if line.split(":")[0] not in removed)
        users.flush()
        os.chmod(users.name, 0o644)
        for number in range(1, options.rounds + 1):
            began = time.monotonic()
            faults = _round(options.at_once, Path(users.name))
            took = time.monotonic() - began
            told = "started and used" if not faults else f"{len(faults)} FAILED\n{faults[0]}"
            without = f" without {', '.join(removed)}" if removed else ""
            print(f"{number:2}: {options.at_once} at once{without}: {told}, {took:.1f} s", flush=True)
            failed += bool(faults)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
