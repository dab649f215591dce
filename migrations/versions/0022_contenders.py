"""How entries of arenas and ladders stand."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def number(name: str, comment: str | None = None) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False, server_default=sa.text("0"), comment=comment)


def upgrade() -> None:
    op.create_table(
        "tournament_contenders",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False, comment="an entry of an arena or a ladder"),
        sa.Column("free_since", sa.DateTime(timezone=True), comment="null: plays, or is out"),
        sa.Column("playing", sa.Boolean(), nullable=False, server_default=sa.text("false")),
        sa.Column("points", sa.Double(), nullable=False, server_default=sa.text("0")),
        number("streak", "tables won in a row"),
        number("games"),
        number("wins"),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("tables", pg.JSON(), nullable=False, comment="the last ones: entries, by place"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="tournament_contenders_tournament_id_fkey",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "id", name="tournament_contenders_pkey"),
    )
    op.create_index(
        "tournament_contenders_free_idx",
        "tournament_contenders",
        ["tournament_id", "free_since"],
        postgresql_where=sa.text("free_since IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("tournament_contenders")
