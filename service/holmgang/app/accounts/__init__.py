"""Players, their names and their tokens."""
