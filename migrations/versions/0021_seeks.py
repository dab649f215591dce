"""Seeks: players who wait for others to play with."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def at(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), **more)


def upgrade() -> None:
    op.create_table(
        "seeks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=False, comment="by which it was made, and with which it goes"),
        sa.Column("status", sa.Text(), nullable=False, server_default=sa.text("'waiting'")),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False, comment="digest of the terms but for options: only equals meet"),
        sa.Column("seats", postgresql.ARRAY(sa.SmallInteger()), nullable=False, comment="how many may play"),
        sa.Column(
            "games", postgresql.ARRAY(sa.Text()), nullable=False, comment="for each of `seats` a digest of all options"
        ),
        sa.Column("wanted", sa.Text(), nullable=False, comment="`people`, `bots` or `both`"),
        sa.Column("rating_below", sa.Integer(), comment="by how much others may be weaker; null: by any"),
        sa.Column("rating_above", sa.Integer(), comment="by how much they may be stronger"),
        sa.Column("rating_widens", sa.Integer(), nullable=False, comment="by how much both grow in a minute"),
        sa.Column("live", sa.Boolean(), nullable=False, comment="a match by it ends its player's other live ones"),
        at("created_at", nullable=False, server_default=NOW),
        at("expires_at", nullable=False, comment="not after its token does"),
        sa.Column(
            "tried",
            sa.Boolean(),
            nullable=False,
            server_default=sa.text("false"),
            comment="fitted nobody when last looked at",
        ),
        at("ended_at", comment="since when it waits no more"),
        sa.Column("game_id", sa.Uuid(), comment="which it was matched to"),
        sa.Column("seat", sa.SmallInteger()),
        sa.PrimaryKeyConstraint("id", name="seeks_pkey"),
        sa.ForeignKeyConstraint(
            ["player_id", "token_id"],
            ["tokens.player_id", "tokens.id"],
            name="seeks_player_id_token_id_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("status IN ('waiting', 'matched', 'withdrawn', 'expired')", name=op.f("seeks_status_check")),
    )
    waiting = sa.text("status = 'waiting'")
    untried = sa.text("status = 'waiting' AND NOT tried")
    ended = sa.text("ended_at IS NOT NULL")
    op.create_index("seeks_player_id_id_idx", "seeks", ["player_id", "id"])
    op.create_index("seeks_player_id_token_id_idx", "seeks", ["player_id", "token_id"])
    op.create_index("seeks_pool_id_idx", "seeks", ["pool", "id"], postgresql_where=waiting)
    op.create_index("seeks_id_idx", "seeks", ["id"], postgresql_where=waiting)
    op.create_index("seeks_untried_idx", "seeks", ["pool"], postgresql_where=untried)
    op.create_index("seeks_expires_at_idx", "seeks", ["expires_at"], postgresql_where=waiting)
    op.create_index("seeks_ended_at_idx", "seeks", ["ended_at"], postgresql_where=ended)


def downgrade() -> None:
    op.drop_table("seeks")
