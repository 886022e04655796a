"""The fault test: real nodes, a real database and a real bus are killed, frozen and cut while bots play: `make chaos`."""
