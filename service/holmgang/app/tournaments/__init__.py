"""Tournaments: made, entered, paired, counted, read."""
