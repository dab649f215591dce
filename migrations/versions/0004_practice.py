"""Practice games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "practice",
            sa.Boolean(),
            nullable=False,
            server_default=sa.text("false"),
            comment="its creator may give the seed and look as any seat",
        ),
    )


def downgrade() -> None:
    op.drop_column("games", "practice")
