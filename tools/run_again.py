"""After `pytest` has failed: run what failed a second time, alone.

    pytest -n 3 || python tools/run_again.py $?

The tests start some hundred servers and browsers, and with three workers on two cores a machine may stand still in the
middle of one. So a test that failed beside others is judged by how it does alone. It is named at the end either way: a
test that needs this has a fault of its own. Where more than a few fail, the first run counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST = 3
"""More failures than these are no accident."""
FAILED = "1"
"""What pytest exits with where tests have failed; anything else is a fault of the run itself."""
CACHE = Path(".pytest_cache/v/cache/lastfailed")


def main(code: str) -> int:
    """The exit code of both runs."""
    if code != FAILED or not CACHE.is_file():
        return int(code)
    names = sorted(json.loads(CACHE.read_text(encoding="utf-8")))
    if not 0 < len(names) <= MOST:
        return int(code)
    print(f"\nonce more, alone: {' '.join(names)}", flush=True)
    again = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names], check=False)
    if again.returncode == 0:
        print(f"failed beside others and passed alone, to be mended: {' '.join(names)}", flush=True)
    return again.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
