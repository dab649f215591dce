"""Eketorp, for 3 to 6 players: secret placement, battle cards that are swapped, sieges, walls. See RULES.md."""
