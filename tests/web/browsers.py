"""The Chromium that is on this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first has the same engine and no window: it takes about half of the processor time."""
FETCHED = Path(__file__).parents[2] / "build" / "chromium"
"""Where `make chromium` puts one that cannot be installed."""
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def launch(playwright: Playwright) -> Browser:
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), str(FETCHED)))
    path = next((found for name in NAMES if (found := shutil.which(name, path=places))), None)
    if path is None:
        raise RuntimeError("the browser tests need Chromium: run 'make chromium'")
    return playwright.chromium.launch(executable_path=path, args=list(ARGS))
