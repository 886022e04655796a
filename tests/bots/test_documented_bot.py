"""The bot in docs/bots.md plays as it stands there."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from parlour.client import AsyncClient

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


async def test_the_bot_in_twenty_lines_plays_against_the_house(tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "bot.py").write_text(program)
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour", "serve", "--host", "127.0.0.1", "--port", "0", "--no-announce"),
        *("--data", str(tmp_path / "data"), "--limit", "all=off"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    url = (await server.stdout.readline()).decode().split()[-1]
    bot = None
    try:
        async with AsyncClient(url) as host, asyncio.timeout(60):
            await host.register("Host")
            table = await host.create_table("holdem", hand_delay=0)
            await table.sit(0)
            bot = await asyncio.create_subprocess_exec(sys.executable, tmp_path / "bot.py", url, table.code)
            async with table.connect() as connection:
                acted = 0
                async for update in connection:
                    view = update.view
                    assert view is not None
                    acted += sum(event["type"] == "acted" and event["seat"] == 1 for event in update.events)
                    if acted >= 8:
                        break
                    if view["seats"][1]["player"] and view["state"]["hand"] == 0 and view["status"] == "waiting":
                        await connection.start()
                    elif view["legal"]:
                        kind = "check" if "check" in view["legal"]["actions"] else "call"
                        await connection.act({"type": kind})
        assert bot.returncode is None
    finally:
        for process in (bot, server):
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()
