"""Combat resolutions."""
