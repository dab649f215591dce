"""When games were last touched, as far as the worker has looked: what archiving goes by."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The days of games that are there count from now on. `now()` fills the column without writing the table anew."""
    op.add_column(
        "games",
        sa.Column(
            "touched_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default=sa.text("now()"),
            comment="not idle before this; moves leave it alone, and the worker catches up when it looks",
        ),
    )
    op.alter_column("games", "touched_at", server_default=sa.text("clock_timestamp()"))
    op.create_index(
        "games_touched_at_idx",
        "games",
        ["touched_at"],
        postgresql_where=sa.text("status IN ('open', 'active')"),
    )


def downgrade() -> None:
    """Archived games stay as they are: the code before shows them, and only code from here on revives them."""
    op.drop_index("games_touched_at_idx", "games")
    op.drop_column("games", "touched_at")
