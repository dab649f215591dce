"""Webhooks: where they may lead, how they are signed."""
