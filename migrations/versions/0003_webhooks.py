"""Webhooks, and what is to be delivered to them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def at(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), **more)


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("events", pg.ARRAY(sa.Text()), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False, server_default=sa.text("true")),
        sa.Column("secret", sa.Text(), nullable=False, comment="whsec_..., needed to sign"),
        sa.Column("old_secret", sa.Text(), comment="signs as well until old_until"),
        at("old_until"),
        at("created_at", nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("id", name="webhooks_pkey"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="webhooks_player_id_fkey", ondelete="CASCADE"),
    )
    op.create_index("webhooks_player_id_id_idx", "webhooks", ["player_id", "id"])
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Uuid(), nullable=False, comment="the message's id, the same in every attempt"),
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False, server_default=sa.text("'pending'")),
        sa.Column("attempts", sa.SmallInteger(), nullable=False, server_default=sa.text("0")),
        at(
            "next_at",
            nullable=False,
            server_default=NOW,
            comment="of the next attempt; a worker that sends puts it off",
        ),
        at("created_at", nullable=False, server_default=NOW),
        at("last_at"),
        sa.Column("last_status", sa.SmallInteger()),
        sa.Column("last_error", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="deliveries_pkey"),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name="deliveries_webhook_id_fkey", ondelete="CASCADE"),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'dead')", name=op.f("deliveries_state_check")),
    )
    op.create_index("deliveries_webhook_id_id_idx", "deliveries", ["webhook_id", "id"])
    op.create_index("deliveries_next_at_idx", "deliveries", ["next_at"], postgresql_where=sa.text("state = 'pending'"))


def downgrade() -> None:
    op.drop_table("deliveries")
    op.drop_table("webhooks")
