"""Games: created, listed, read."""
