"""What the bot that looks ahead thinks of games that are over."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_AT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.Uuid(), nullable=False, comment="which is over"),
        sa.Column("asked_by", sa.Uuid(), comment="whose limit it counts against; null once it waits no more"),
        sa.Column("asked_at", _AT, nullable=False, server_default=sa.text("clock_timestamp()")),
        sa.Column("status", sa.Text(), nullable=False, server_default=sa.text("'waiting'")),
        sa.Column("claimed_until", _AT, comment="a worker is at it"),
        sa.Column(
            "attempts",
            sa.SmallInteger(),
            nullable=False,
            server_default=sa.text("0"),
            comment="claims since anything was last noted",
        ),
        sa.Column("total", sa.Integer(), comment="choices of the game; null until a worker has counted them"),
        sa.Column("seq", sa.Integer(), comment="of the log: the last position that was judged"),
        sa.Column(
            "steps",
            ARRAY(sa.Text()),
            nullable=False,
            server_default=sa.text("'{}'"),
            comment="JSON of positions in their order, each with the choices made there",
        ),
        sa.Column("finished_at", _AT),
        sa.CheckConstraint("status IN ('waiting', 'running', 'done', 'failed')", name="analyses_status_check"),
        sa.PrimaryKeyConstraint("game_id", name="analyses_pkey"),
    )
    op.create_index(
        "analyses_asked_at_idx",
        "analyses",
        ["asked_at"],
        postgresql_where=sa.text("status IN ('waiting', 'running')"),
    )
    op.create_index(
        "analyses_asked_by_idx",
        "analyses",
        ["asked_by"],
        postgresql_where=sa.text("asked_by IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("analyses")
