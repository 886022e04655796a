"""HTTP and WebSocket: the tables for browsers, bots and programs."""

from parlour.server.access.limits import Limits, parse_limits
from parlour.server.app import create_app
from parlour.server.config import Config
from parlour.server.pages import Files

__all__ = ["Config", "Files", "Limits", "create_app", "parse_limits"]
