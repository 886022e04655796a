"""Writes the server's OpenAPI document to standard output."""

from __future__ import annotations

import sys

from parlour.server import openapi
from parlour.server.app import RESOURCES


def document() -> bytes:
    return openapi.encode(openapi.document(RESOURCES))


if __name__ == "__main__":
    sys.stdout.buffer.write(document())
