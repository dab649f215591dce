"""The games that can be played, and the schemas of what they say."""
