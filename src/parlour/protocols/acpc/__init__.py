"""The protocol of the Annual Computer Poker Competition: matches of a fixed number of hands, for programs over TCP."""
