"""Who a player is: a person or a bot, how they are found, what they were called, and that they are gone."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_AT = sa.DateTime(timezone=True)
_COLUMNS = (
    (
        "players",
        "kind",
        sa.Text(),
        {
            "nullable": False,
            "server_default": sa.text("'person'"),
            "comment": "`person` or `bot`, as they say themselves",
        },
    ),
    ("players", "owner", sa.Uuid(), {"comment": "the player who registered this bot"}),
    (
        "players",
        "folded",
        sa.Text(collation="C"),
        {"comment": "the name as it is looked for; null until the worker has seen to it"},
    ),
    ("players", "renamed_at", _AT, {}),
    ("players", "deleted_at", _AT, {"comment": "the account is gone; what it played stays"}),
    ("looks", "held_until", _AT, {"comment": "nobody takes it before: it was that of a deleted account"}),
)
_INDEXES = (
    ("players_folded_id_idx", "players", ["folded", "id"], None),
    ("players_unfolded_idx", "players", ["id"], "folded IS NULL AND deleted_at IS NULL"),
    ("players_deleted_idx", "players", ["id"], "deleted_at IS NOT NULL"),
    ("rating_changes_player_id_ruleset_number_idx", "rating_changes", ["player_id", "ruleset", "number"], None),
)


def upgrade() -> None:
    for table, name, kind, more in _COLUMNS:
        op.add_column(table, sa.Column(name, kind, **more), if_not_exists=True)
    op.create_table(
        "former_names",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("until", _AT, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="former_names_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "until", name="former_names_pkey"),
        if_not_exists=True,
    )
    op.create_table(
        "departures",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="departures_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", name="departures_pkey"),
        comment="players whose account was deleted, and who may still sit in games that are not over",
        if_not_exists=True,
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
    op.drop_table("departures")
    op.drop_table("former_names")
    for table, name, _, _ in _COLUMNS:
        op.drop_column(table, name)
