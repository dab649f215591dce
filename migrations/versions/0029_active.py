"""Leaderboards are narrowed down to who plays: on which day the last game of a rating was counted."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # What was rated before counts as rated today. A volatile default would write every row.
    op.add_column(
        "ratings",
        sa.Column(
            "active_on",
            sa.Date(),
            nullable=False,
            server_default=sa.text("((now() AT TIME ZONE 'UTC'::text))::date"),
            comment="the day (UTC) on which its last game was counted",
        ),
    )


def downgrade() -> None:
    op.drop_column("ratings", "active_on")
