"""The board of a game as a picture."""
