"""Writes the server's OpenAPI document to standard output."""

from __future__ import annotations

import sys

from parlour.games.registry import installed
from parlour.server.api import openapi
from parlour.server.app import RESOURCES


def document() -> bytes:
    return openapi.encode(openapi.document(RESOURCES, installed()))


if __name__ == "__main__":
    sys.stdout.buffer.write(document())
