"""What the author of a bot needs: views, how a bot is found in a file, and how it is seated at a server."""
