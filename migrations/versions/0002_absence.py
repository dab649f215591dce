"""Deadlines, absence, and seats of built-in bots."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def at(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), **more)


def upgrade() -> None:
    op.add_column("players", sa.Column("bot", sa.Text(), comment="the built-in bot whose account this is"))
    op.create_unique_constraint("players_bot_key", "players", ["bot"])
    op.add_column("games", sa.Column("turn_seconds", sa.Integer(), comment="how long a turn may take; null: for ever"))
    op.add_column(
        "games",
        sa.Column(
            "absence",
            sa.Text(),
            nullable=False,
            server_default=sa.text("'default'"),
            comment="who plays for the absent: `default`, `bot:<name>`, or nobody: `forfeit`",
        ),
    )
    op.add_column("games", at("deadline", comment="of the current turn"))
    op.create_index("games_deadline_idx", "games", ["deadline"], postgresql_where=sa.text("deadline IS NOT NULL"))
    op.add_column("seats", sa.Column("bot", sa.Text(), comment="the built-in bot that plays this seat"))
    op.add_column("seats", at("absent_since"))
    op.drop_constraint("seats_game_id_player_id_key", "seats")
    op.create_index(
        "seats_game_id_player_id_idx",
        "seats",
        ["game_id", "player_id"],
        unique=True,
        postgresql_where=sa.text("bot IS NULL"),
    )
    op.add_column(
        "awaited", sa.Column("played_by", sa.Text(), comment="a built-in bot, or `default`, for the worker to play")
    )
    op.add_column("awaited", at("claimed_until", comment="a worker thinks about it"))
    op.create_index("awaited_played_by_idx", "awaited", ["since"], postgresql_where=sa.text("played_by IS NOT NULL"))
    op.create_table(
        "pulse",
        sa.Column("id", sa.SmallInteger(), nullable=False, autoincrement=False),
        at("at", nullable=False, comment="when a worker last looked at deadlines"),
        sa.PrimaryKeyConstraint("id", name="pulse_pkey"),
    )


def downgrade() -> None:
    op.drop_table("pulse")
    op.drop_index("awaited_played_by_idx", "awaited")
    op.drop_column("awaited", "claimed_until")
    op.drop_column("awaited", "played_by")
    op.execute("DELETE FROM seats WHERE bot IS NOT NULL")
    op.drop_index("seats_game_id_player_id_idx", "seats")
    op.create_unique_constraint("seats_game_id_player_id_key", "seats", ["game_id", "player_id"])
    op.drop_column("seats", "absent_since")
    op.drop_column("seats", "bot")
    op.drop_index("games_deadline_idx", "games")
    op.drop_column("games", "deadline")
    op.drop_column("games", "absence")
    op.drop_column("games", "turn_seconds")
    op.drop_constraint("players_bot_key", "players")
    op.drop_column("players", "bot")
