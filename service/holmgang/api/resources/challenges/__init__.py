"""Challenges: a player asks others for a game."""
