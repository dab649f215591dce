"""Games whose clock runs though nobody waits."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "clock",
            sa.Text(),
            nullable=False,
            server_default=sa.text("'waits'"),
            comment="`waits` while no person is there, or `runs`, as it does in all rated games",
        ),
    )


def downgrade() -> None:
    op.drop_column("games", "clock")
