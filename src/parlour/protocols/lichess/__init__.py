"""The Lichess Bot and Board API on the chess tables of the house, for its published clients."""

from parlour.protocols.lichess.routes import Lichess

__all__ = ["Lichess"]
