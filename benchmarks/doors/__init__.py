"""What an attack from one address costs a seated player."""
