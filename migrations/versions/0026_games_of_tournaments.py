"""Games of a tournament are listed by themselves, and its tables in the order in which they were counted: a ladder has
more of them every day."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS games_tournament_id_idx")
        op.create_index(
            "games_tournament_id_idx",
            "games",
            ["tournament", "id"],
            postgresql_where=sa.text("tournament IS NOT NULL"),
            postgresql_concurrently=True,
        )
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS tournament_tables_counted_idx")
        op.create_index(
            "tournament_tables_counted_idx",
            "tournament_tables",
            ["tournament_id", "counted"],
            postgresql_concurrently=True,
        )


def downgrade() -> None:
    op.drop_index("tournament_tables_counted_idx", "tournament_tables")
    op.drop_index("games_tournament_id_idx", "games")
