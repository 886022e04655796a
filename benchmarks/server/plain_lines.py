"""`parlour` with every connection on a transport of the event loop, as where there is no native wire."""

from __future__ import annotations

from functools import partial

from parlour.cli.main import run
from parlour.server.transport import websocket
from parlour.server.transport.lines import Lines

websocket.Lines = partial(Lines, wired=False)  # type: ignore[assignment,misc]

if __name__ == "__main__":
    run()
