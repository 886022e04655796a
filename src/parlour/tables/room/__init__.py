"""A table as data: its state and events, the commands people give and the decisions on them, and who sees what."""
