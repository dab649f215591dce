"""How alembic runs: on the connection and in the transaction that `service.store.migrate` opened."""

from alembic import context

from service.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    compare_server_default=True,
)
context.run_migrations()
