"""Rematches of games that are over."""
