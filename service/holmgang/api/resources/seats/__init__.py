"""Seats of a game: taken, left, resigned from, returned to."""
