"""The table in the browser: static files that talk to the public API only."""
