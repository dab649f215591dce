"""Who is in a tournament: entered, come back, left."""
