"""The caller's tokens."""
