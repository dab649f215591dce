"""The schema's history, run by alembic through `holmgang.store.migrate`."""
