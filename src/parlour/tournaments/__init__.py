"""Tournaments: logs of their own that seat, move, pause and close tables. They stand on tables and games alone."""
