"""Drakkars at the terminal."""
