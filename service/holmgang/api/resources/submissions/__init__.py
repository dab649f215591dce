"""Submissions: choices made, replaced and read."""
