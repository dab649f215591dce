"""A real Citus for tests: built from its source against the Postgres of the wheel, and run as a cluster on loopback."""
