"""Players, tokens, games with their seats, and all that a game writes: log, events, combats, receipts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def at(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), **more)


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        at("created_at", nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("id", name="players_pkey"),
    )
    op.create_table(
        "tokens",
        sa.Column("digest", sa.LargeBinary(), nullable=False, comment="SHA-256 of the secret"),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("scopes", pg.ARRAY(sa.Text()), nullable=False),
        sa.Column("game_id", sa.Uuid(), comment="limits the token to one game's seat"),
        sa.Column("seat", sa.SmallInteger()),
        at("created_at", nullable=False, server_default=NOW),
        at("expires_at"),
        sa.PrimaryKeyConstraint("digest", name="tokens_pkey"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="tokens_player_id_fkey", ondelete="CASCADE"),
    )
    op.create_index("tokens_player_id_id_idx", "tokens", ["player_id", "id"], unique=True)
    op.create_table(
        "games",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("ruleset_version", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("spectators", sa.Boolean(), nullable=False),
        sa.Column("seat_count", sa.SmallInteger(), nullable=False),
        sa.Column("options", pg.JSON(), nullable=False),
        sa.Column("creator", sa.Uuid(), nullable=False),
        at("created_at", nullable=False, server_default=NOW),
        at("started_at"),
        at("ended_at"),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("entropy", sa.LargeBinary(), nullable=False, server_default=sa.text("''")),
        sa.Column(
            "version",
            sa.BigInteger(),
            nullable=False,
            comment="number of the last event; grows with what anybody may notice",
        ),
        sa.Column(
            "writes", sa.BigInteger(), nullable=False, server_default=sa.text("0"), comment="grows with every change"
        ),
        sa.Column("turn", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("kind", sa.Text()),
        sa.Column("state", sa.LargeBinary(), comment="the snapshot where the log stands; may be thrown away"),
        sa.Column(
            "pending",
            sa.Text(),
            nullable=False,
            server_default=sa.text("'[]'"),
            comment="sealed choices that the log lacks",
        ),
        sa.Column("entries", sa.Integer(), nullable=False, server_default=sa.text("0"), comment="rows in the log"),
        sa.Column("draws", sa.Integer(), nullable=False, server_default=sa.text("0"), comment="chance values drawn"),
        sa.Column("head", sa.LargeBinary(), comment="hash of the last log row"),
        sa.Column("result", pg.JSON()),
        sa.PrimaryKeyConstraint("id", name="games_pkey"),
        sa.CheckConstraint("status IN ('open', 'active', 'over', 'archived')", name=op.f("games_status_check")),
        sa.CheckConstraint("visibility IN ('public')", name=op.f("games_visibility_check")),
        postgresql_with={"fillfactor": "60"},
    )
    op.create_index("games_status_id_idx", "games", ["status", "id"])
    op.create_index("games_ruleset_id_idx", "games", ["ruleset", "id"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        at("taken_at", nullable=False, server_default=NOW),
        at("resigned_at"),
        sa.Column("entropy", sa.LargeBinary()),
        sa.Column(
            "revision",
            sa.Integer(),
            nullable=False,
            server_default=sa.text("0"),
            comment="changes only its player notices",
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name="seats_pkey"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="seats_game_id_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="seats_player_id_fkey"),
        sa.UniqueConstraint("game_id", "player_id", name="seats_game_id_player_id_key"),
    )
    op.create_index("seats_player_id_game_id_idx", "seats", ["player_id", "game_id"])
    op.create_table(
        "awaited",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        at("since", nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="awaited_pkey"),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index("awaited_player_id_since_idx", "awaited", ["player_id", "since"])
    op.create_table(
        "submissions",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("action", pg.JSON(), nullable=False),
        at("received_at", nullable=False),
        sa.PrimaryKeyConstraint("game_id", "turn", "seat", "revision", name="submissions_pkey"),
    )
    op.create_index("submissions_game_id_id_idx", "submissions", ["game_id", "id"])
    op.create_table(
        "log",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        at("at", nullable=False),
        sa.Column("entry", sa.Text(), nullable=False, comment="canonical JSON: its very bytes are hashed"),
        sa.Column("state_hash", sa.LargeBinary(), nullable=False),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="log_pkey"),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        at("at", nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("public", pg.JSON(), nullable=False),
        sa.Column("private", pg.JSON(), comment="seat to what it may see in place of `public`"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="events_pkey"),
    )
    op.create_table(
        "combats",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        at("opened_at", nullable=False),
        at("resolved_at"),
        sa.Column("record", pg.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name="combats_pkey"),
    )
    op.create_table(
        "answers",
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        at("kept_at", nullable=False, server_default=NOW),
        sa.Column("call", sa.LargeBinary(), nullable=False, comment="digest of method and URI"),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="digest of the body"),
        sa.Column("answer", pg.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "key", name="answers_pkey"),
    )


def downgrade() -> None:
    for table in (
        "answers",
        "combats",
        "events",
        "log",
        "submissions",
        "awaited",
        "seats",
        "games",
        "tokens",
        "players",
    ):
        op.drop_table(table)
