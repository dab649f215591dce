"""Players whom the caller blocks."""
