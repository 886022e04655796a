"""What is written of tables: the log, and snapshots and records derived from it."""
