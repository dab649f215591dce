"""A running game as its players meet it: the view, the turn, and the board as a picture."""
