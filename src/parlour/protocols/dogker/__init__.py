"""The Dogker dialect: poker rooms over Socket.IO."""

from parlour.protocols.dogker.routes import Dogker

__all__ = ["Dogker"]
