"""What the service costs, beside the least that could answer: run by `make bench`."""
