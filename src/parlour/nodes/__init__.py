"""Several processes as one server: each table has one owner among the nodes, and any node takes any connection."""
