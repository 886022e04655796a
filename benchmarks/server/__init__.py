"""The server beside its peers, over WebSockets on one machine: `python -m benchmarks.server`."""
