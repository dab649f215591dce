"""How alembic runs: on the connection that `holmgang.store.migrate` opened, each migration in a transaction of its own
unless that has begun one for all of them. A migration may leave its transaction with `autocommit_block`."""

from alembic import context

from holmgang.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    transaction_per_migration=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
