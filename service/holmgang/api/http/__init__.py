"""What holds for every request and answer: the edge, admission, polls, limits, tags."""
