"""The README's commands are run as they stand, against a real server."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from tests.patience import time_limit

README = Path(__file__).parents[2] / "README.md"


def commands() -> str:
    """The shell commands of the README's section on the API."""
    section = README.read_text().partition("\n## The API\n")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


async def test_the_commands_of_the_readme_play_a_hand_and_a_game(house) -> None:
    bash = shutil.which("bash")
    assert bash, "the README's commands need bash and curl"
    script = commands()
    assert script
    shell = await asyncio.create_subprocess_exec(
        bash, "-euo", "pipefail", "-c", script,
        env={"P": house.url, "PATH": "/usr/bin:/bin:/usr/local/bin"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with time_limit():
        out = (await shell.communicate())[0].decode()
    assert shell.returncode == 0, out
    assert "variant = 'NT'" in out or 'variant = "NT"' in out, out
    assert "Qxf7#" in out, out
