"""The schema's history, run by alembic through `service.store.migrate`."""
