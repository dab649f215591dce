"""Claim, for 2 to 4 players: pieces hop, catch between two sides, and claim territories. See RULES.md."""
