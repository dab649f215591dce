"""What one may wait for besides games."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "revisions",
        sa.Column("id", sa.Uuid(), nullable=False, comment="what one may wait for besides games, or whose list it is"),
        sa.Column(
            "revision",
            sa.BigInteger(),
            nullable=False,
            comment="grows with every change, also when its row was deleted",
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, comment="of the last change"),
        sa.PrimaryKeyConstraint("id", name="revisions_pkey"),
    )
    op.create_index("revisions_at_idx", "revisions", ["at"])


def downgrade() -> None:
    op.drop_table("revisions")
