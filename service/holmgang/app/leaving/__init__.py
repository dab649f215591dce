"""Players who delete their account: what goes with it, and what it was in the middle of."""
