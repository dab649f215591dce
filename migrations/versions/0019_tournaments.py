"""Tournaments: who is in them, their rounds and tables, and which games are theirs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def tournament() -> sa.Column:
    return sa.Column("tournament_id", sa.Uuid(), nullable=False)


def at(name: str, *, nullable: bool = True, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, **more)


def number(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False, **more)


def ids(name: str, comment: str | None = None) -> sa.Column:
    return sa.Column(name, pg.ARRAY(sa.Uuid()), nullable=False, server_default=sa.text("'{}'"), comment=comment)


def belongs(table: str, *key: str) -> list[sa.Constraint]:
    return [
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=f"{table}_tournament_id_fkey", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", *key, name=f"{table}_pkey"),
    ]


NOW = sa.text("clock_timestamp()")
NONE = sa.text("0")


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("creator", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("terms", pg.JSON(), nullable=False),
        sa.Column("plan", pg.JSON(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("invitation", sa.LargeBinary(), comment="SHA-256 of a private one's secret"),
        at("created_at", nullable=False),
        at("started_at"),
        at("ended_at"),
        sa.Column("reason", sa.Text(), comment="why it was cancelled"),
        sa.Column("starts_with", sa.Integer(), comment="how many have joined when it starts by itself"),
        number("round", server_default=NONE, comment="the last that was paired"),
        number("entered", server_default=NONE, comment="how many are in it"),
        number("counted", server_default=NONE, comment="how many tables are"),
        sa.Column("changes", sa.BigInteger(), nullable=False, server_default=NONE, comment="grows with every change"),
        at("due_at", comment="when a worker is to look at it; null: once something happens"),
        sa.PrimaryKeyConstraint("id", name="tournaments_pkey"),
    )
    op.create_index("tournaments_due_at_idx", "tournaments", ["due_at"], postgresql_where=sa.text("due_at IS NOT NULL"))
    op.create_index(
        "tournaments_creator_idx",
        "tournaments",
        ["creator"],
        postgresql_where=sa.text("status IN ('open', 'active')"),
    )
    op.create_table(
        "tournament_entries",
        tournament(),
        sa.Column("id", sa.Uuid(), nullable=False, comment="a person's is their player's"),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("bot", sa.Text()),
        sa.Column("number", sa.Integer(), comment="from the start on: 1 for the strongest"),
        sa.Column("rating", sa.Double(), comment="what the numbers go by"),
        at("joined_at", nullable=False, server_default=NOW),
        sa.Column("out", sa.Text(), comment="why they are not paired"),
        at("out_at"),
        *belongs("tournament_entries", "id"),
    )
    op.create_index(
        "tournament_entries_player_id_tournament_id_idx", "tournament_entries", ["player_id", "tournament_id"]
    )
    op.create_table(
        "tournament_rounds",
        tournament(),
        number("round"),
        at("paired_at", nullable=False, server_default=NOW),
        at("ended_at"),
        ids("present", "entries, in the order in which the pairing took them"),
        ids("byes"),
        number("known", comment="how many tables had been counted by then"),
        *belongs("tournament_rounds", "round"),
    )
    op.create_table(
        "tournament_tables",
        tournament(),
        number("round"),
        number("at"),
        ids("players", "entries, by place"),
        sa.Column("points", pg.ARRAY(sa.Double()), nullable=False, server_default=sa.text("'{}'")),
        ids("absent"),
        sa.Column("counted", sa.Integer(), comment="its number in the order of counting"),
        *belongs("tournament_tables", "round", "at"),
    )
    op.create_index(
        "tournament_tables_open_idx",
        "tournament_tables",
        ["tournament_id"],
        postgresql_where=sa.text("counted IS NULL"),
    )
    op.create_table(
        "tournament_games",
        tournament(),
        number("round"),
        number("at"),
        number("number"),
        sa.Column("game_id", sa.Uuid(), comment="null: forfeited before it began"),
        ids("players", "entries, by seat"),
        sa.Column("outcome", sa.Text(), comment="null while it is played"),
        sa.Column("ranks", pg.ARRAY(sa.SmallInteger()), nullable=False, server_default=sa.text("'{}'")),
        ids("absent"),
        at("ended_at"),
        *belongs("tournament_games", "round", "at", "number"),
    )
    op.create_index("tournament_games_game_id_idx", "tournament_games", ["game_id"], unique=True)
    op.create_index(
        "tournament_games_open_idx",
        "tournament_games",
        ["game_id"],
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.add_column("games", sa.Column("tournament", sa.Uuid(), comment="whose game it is"))


def downgrade() -> None:
    op.drop_column("games", "tournament")
    for table in ("games", "tables", "rounds", "entries"):
        op.drop_table(f"tournament_{table}")
    op.drop_table("tournaments")
