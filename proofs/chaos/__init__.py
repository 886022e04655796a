"""The fault test, `make chaos`: nodes, database and bus are killed, frozen and cut while bots play."""
