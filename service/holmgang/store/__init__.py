"""The store on Postgres: log, snapshots, events, receipts and accounts, and the embedded server."""
