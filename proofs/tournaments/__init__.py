"""A referee of tournaments, who reads nothing but the logs, and people who play them."""
