"""Challenges, and rematches of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_NOW = sa.text("clock_timestamp()")


def _player(name: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([name], ["players.id"], name=f"{table}_{name}_fkey", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("challenger_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), comment="the challenger's; null: all seats are drawn"),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False, server_default=sa.text("'pending'")),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=_NOW),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), comment="since when it is not pending any more"),
        sa.Column("game_id", sa.Uuid(), comment="which was made once all had accepted"),
        sa.PrimaryKeyConstraint("id", name="challenges_pkey"),
        _player("challenger_id", "challenges"),
        sa.CheckConstraint(
            "status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="challenges_status_check"
        ),
    )
    op.create_index("challenges_challenger_id_id_idx", "challenges", ["challenger_id", "id"])
    op.create_index(
        "challenges_expires_at_idx", "challenges", ["expires_at"], postgresql_where=sa.text("status = 'pending'")
    )
    op.create_index(
        "challenges_ended_at_idx", "challenges", ["ended_at"], postgresql_where=sa.text("ended_at IS NOT NULL")
    )
    op.create_table(
        "challenged",
        sa.Column("challenge_id", sa.Uuid(), nullable=False),
        sa.Column(
            "position",
            sa.SmallInteger(),
            nullable=False,
            autoincrement=False,
            comment="as the challenger named them",
        ),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("bot", sa.Text(), comment="the built-in bot whose account this is"),
        sa.Column("answer", sa.Text()),
        sa.Column("reason", sa.Text(), comment="why it was declined"),
        sa.Column("unseen", sa.Boolean(), nullable=False, comment="kept from this player, who blocks the challenger"),
        sa.PrimaryKeyConstraint("challenge_id", "position", name="challenged_pkey"),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="challenged_challenge_id_fkey", ondelete="CASCADE"
        ),
        _player("player_id", "challenged"),
        sa.CheckConstraint("answer IN ('accepted', 'declined')", name="challenged_answer_check"),
    )
    op.create_index("challenged_player_id_challenge_id_idx", "challenged", ["player_id", "challenge_id"])
    op.create_table(
        "rematches",
        sa.Column("game_id", sa.Uuid(), nullable=False, comment="which is over"),
        sa.Column("players", sa.ARRAY(sa.Uuid()), nullable=False, comment="by seat"),
        sa.Column("next_id", sa.Uuid(), comment="the game that was made once all had agreed"),
        sa.PrimaryKeyConstraint("game_id", name="rematches_pkey"),
    )
    op.create_table(
        "agreements",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="agreements_pkey"),
        sa.ForeignKeyConstraint(["game_id"], ["rematches.game_id"], name="agreements_game_id_fkey", ondelete="CASCADE"),
        _player("player_id", "agreements"),
    )
    op.create_index("agreements_player_id_idx", "agreements", ["player_id"])
    op.create_index("agreements_expires_at_idx", "agreements", ["expires_at"])


def downgrade() -> None:
    op.drop_table("agreements")
    op.drop_table("rematches")
    op.drop_table("challenged")
    op.drop_table("challenges")
