"""Messages that are delivered or dead, by when that came about: what they are forgotten by."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS deliveries_settled_idx")
        op.create_index(
            "deliveries_settled_idx",
            "deliveries",
            ["next_at"],
            postgresql_where=sa.text("state <> 'pending'"),
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index("deliveries_settled_idx", "deliveries")
