"""Parlour: table games for friends and bots, and the card mathematics under them."""

__version__ = "0.1.0"
