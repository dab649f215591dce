"""Invitations to private games."""
