"""What bots know of Eketorp."""
