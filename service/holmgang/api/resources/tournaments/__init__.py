"""Tournaments: made, found, started, called off."""
