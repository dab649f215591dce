"""The whole of a game that is over."""
