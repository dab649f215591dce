"""Rated games, ratings and how they came about."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games",
        sa.Column(
            "rated",
            sa.Boolean(),
            nullable=False,
            server_default=sa.text("false"),
            comment="its result changes ratings",
        ),
    )
    op.add_column("games", sa.Column("rated_at", sa.DateTime(timezone=True), comment="when its result was counted"))
    op.create_index(
        "games_to_rate_idx",
        "games",
        ["ruleset", "ended_at", "id"],
        postgresql_where=sa.text("rated AND rated_at IS NULL AND ended_at IS NOT NULL"),
    )
    op.create_table(
        "leaderboards",
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False, comment="the number of the last game that was counted"),
        sa.PrimaryKeyConstraint("ruleset", name="leaderboards_pkey"),
    )
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("ordinal", sa.Double(), nullable=False, comment="mu - 3 sigma: what the leaderboard is sorted by"),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "ruleset", name="ratings_pkey"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="ratings_player_id_fkey", ondelete="CASCADE"),
    )
    op.create_index("ratings_ruleset_ordinal_player_id_idx", "ratings", ["ruleset", "ordinal", "player_id"])
    op.create_table(
        "rating_changes",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False, comment="the game's place in the order of counting"),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("side", sa.SmallInteger(), nullable=False, comment="partners have one side"),
        sa.Column("rank", sa.SmallInteger(), nullable=False, comment="of the side, from 1; equal sides share it"),
        sa.Column("mu_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("mu_after", sa.Double(), nullable=False),
        sa.Column("sigma_after", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="rating_changes_pkey"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="rating_changes_game_id_fkey", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_table("leaderboards")
    op.drop_index("games_to_rate_idx", "games")
    op.drop_column("games", "rated_at")
    op.drop_column("games", "rated")
