"""Who has created the games that are not over: what the limit on them is counted by."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS games_creator_idx")
        op.create_index(
            "games_creator_idx",
            "games",
            ["creator"],
            postgresql_where=sa.text("status IN ('open', 'active')"),
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index("games_creator_idx", "games")
