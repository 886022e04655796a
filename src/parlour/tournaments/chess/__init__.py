"""Chess tournaments: who plays whom with which colour, and who stands where."""
