"""Seeks."""
