"""Who is there at a table."""
