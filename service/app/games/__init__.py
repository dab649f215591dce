"""Games before and after play: created, filled, archived, rated."""
