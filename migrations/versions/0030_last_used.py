"""When each token was last used, by the hour."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "tokens",
        sa.Column(
            "last_used_at",
            sa.DateTime(timezone=True),
            comment="the hour; null: not since that is noted",
        ),
    )


def downgrade() -> None:
    op.drop_column("tokens", "last_used_at")
