"""The schema that this code needs. Apart from the migrations, so that a server need not load what runs them."""

SCHEMA_VERSION = "0007"
"""The newest revision there is; a test holds it to that."""
