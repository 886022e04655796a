"""A short name for a device, out of what its browser says of itself: `Firefox, Android`. Good in every language."""

from __future__ import annotations

BROWSERS = (
    # Most browsers also name the ones that they descend from, so the order matters.
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
LONGEST = 40


def device_name(user_agent: str) -> str:
    """Browser and system; for a program the name that it gives itself; empty where there is nothing to go by."""
    if not user_agent.startswith("Mozilla/"):
        return user_agent.partition("/")[0].partition(" ")[0][:LONGEST]
    named = [next((name for mark, name in marks if mark in user_agent), "") for marks in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, named))
