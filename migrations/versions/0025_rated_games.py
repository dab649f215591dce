"""Rated games are listed by themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS games_rated_id_idx")
        op.create_index(
            "games_rated_id_idx", "games", ["id"], postgresql_where=sa.text("rated"), postgresql_concurrently=True
        )


def downgrade() -> None:
    op.drop_index("games_rated_id_idx", "games")
