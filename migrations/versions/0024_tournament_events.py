"""What has happened in tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("entry", sa.Uuid()),
        sa.Column("round", sa.Integer()),
        sa.Column("number", sa.Integer(), comment="the table's, in the round"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="tournament_events_tournament_id_fkey",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="tournament_events_pkey"),
    )


def downgrade() -> None:
    op.drop_table("tournament_events")
