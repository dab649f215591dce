"""A running game as its players meet it: the view and the turn."""
