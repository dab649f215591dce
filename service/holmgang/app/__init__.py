"""Use cases over ports: what the service does, told without HTTP and without SQL."""
