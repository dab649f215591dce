"""When players were last there, by the minute, and who does not want that told."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "players",
        sa.Column(
            "hides_presence",
            sa.Boolean(),
            nullable=False,
            server_default=sa.text("false"),
            comment="others are not told whether they are there",
        ),
    )
    op.create_table(
        "presence",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column(
            "minute", sa.DateTime(timezone=True), nullable=False, comment="in which they last asked for something"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="presence_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", name="presence_pkey"),
        prefixes=["UNLOGGED"],
    )


def downgrade() -> None:
    op.drop_table("presence")
    op.drop_column("players", "hides_presence")
