"""Which code may still run on this schema, so that a deployment need not stop the one before it."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    table = op.create_table(
        "schema_floor",
        sa.Column("id", sa.SmallInteger(), nullable=False, autoincrement=False),
        sa.Column("oldest", sa.Text(), nullable=False, comment="code of this schema version and later may run"),
        sa.PrimaryKeyConstraint("id", name="schema_floor_pkey"),
    )
    op.bulk_insert(table, [{"id": 1, "oldest": revision}])


def downgrade() -> None:
    op.drop_table("schema_floor")
