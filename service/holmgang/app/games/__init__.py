"""Games before and after play: created, filled, started, rated."""
