"""The ladder: bots play rated matches against each other while nobody else needs the machine."""
