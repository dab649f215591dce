"""Holmgang: a REST service that hosts Viking board games."""
