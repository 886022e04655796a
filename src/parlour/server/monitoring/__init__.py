"""What the server says of itself: log lines, counters, figures of the last minutes."""
