"""The load: sees people to their tables in Python, then lets a small native program play and measure."""
