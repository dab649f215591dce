"""The rounds of a tournament: who meets whom, and what came of it."""
