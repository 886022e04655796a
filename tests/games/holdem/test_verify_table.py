"""The short form of `python -m proofs.verify_table`."""

import re
import subprocess
import sys
from pathlib import Path


def test_restless_people_find_no_fault():
    command = [sys.executable, "-m", "proofs.verify_table", "--hands", "300", "--seed", "5000"]
    done = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert re.match(r"\d+ hands, [\d,]+ events at \d+ tables in \d+ s: no fault", done.stdout), done.stderr
