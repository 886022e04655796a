"""Parlour beside its peers: the same work, the same run, medians of interleaved rounds. Run it with `make bench`."""
