"""Tournaments of poker: the arithmetic of levels, prizes, seats, places and chips, as pure functions on plain data."""
