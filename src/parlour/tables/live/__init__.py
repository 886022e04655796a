"""Tables in play: the owner of each, its audience, and what keeps all of them in memory and on time."""
