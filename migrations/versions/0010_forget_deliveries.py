"""Messages that are delivered or dead, by their age: what they are forgotten by."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS deliveries_created_at_idx")
        op.create_index(
            "deliveries_created_at_idx",
            "deliveries",
            ["created_at"],
            postgresql_where=sa.text("state <> 'pending'"),
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index("deliveries_created_at_idx", "deliveries")
