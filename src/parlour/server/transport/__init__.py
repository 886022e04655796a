"""Connections: where they come in, WebSockets and their frames, and the events of a table as a stream."""
