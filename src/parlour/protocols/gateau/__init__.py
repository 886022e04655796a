"""The Gateau dialect: bots and people over plain HTTP, called back at their own addresses."""

from parlour.protocols.gateau.routes import Gateau

__all__ = ["Gateau"]
