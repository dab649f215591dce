"""Players who want nothing to do with each other."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("player_id", sa.Uuid(), nullable=False, comment="who blocks"),
        sa.Column("blocked_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")
        ),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name="blocks_pkey"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="blocks_player_id_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["blocked_id"], ["players.id"], name="blocks_blocked_id_fkey", ondelete="CASCADE"),
    )
    op.create_index("blocks_blocked_id_idx", "blocks", ["blocked_id"])


def downgrade() -> None:
    op.drop_table("blocks")
