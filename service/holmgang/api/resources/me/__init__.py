"""What concerns the caller alone."""
