"""Chance that nobody can steer, and the check of a whole log."""
