"""The load test, `make load`: how many players one node and several nodes carry, and what an action costs them."""
