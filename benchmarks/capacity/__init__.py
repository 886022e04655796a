"""What a server, its databases and the network have to do for one action, and what that makes for many players."""
