"""Playing at a terminal: one user interface for tables in this process and on servers."""
