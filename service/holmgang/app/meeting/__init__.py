"""How players find each other."""
