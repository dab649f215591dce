"""Games that ended without a choice of a person, and kept answers: by when they are deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_INDEXES = (
    ("games_empty_since_idx", "games", ["empty_since"], "empty_since IS NOT NULL AND NOT rated"),
    ("games_creator_empty_since_idx", "games", ["creator", "empty_since"], "empty_since IS NOT NULL"),
    ("answers_kept_at_idx", "answers", ["kept_at"], None),
)


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "empty_since",
            sa.DateTime(timezone=True),
            comment="when it ended without a choice of a person; null: it did not, or with one",
        ),
        if_not_exists=True,  # the block below commits it, and may then be broken off
    )
    with op.get_context().autocommit_block():
        for name, table, columns, where in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.create_index(
                name,
                table,
                columns,
                postgresql_where=None if where is None else sa.text(where),
                postgresql_concurrently=True,
            )


def downgrade() -> None:
    for name, table, _, _ in _INDEXES:
        op.drop_index(name, table)
    op.drop_column("games", "empty_since")
