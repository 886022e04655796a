"""Chess matches between bots: how much Elo lies between them, and how sure that is."""
