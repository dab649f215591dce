"""What callers may read of a game: views, turns, feeds, records, pictures."""
