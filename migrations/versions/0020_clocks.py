"""Time banks and leave: clocks of seats."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind, comment in (
        ("bank_seconds", sa.Integer(), "what each seat has for all its choices; null: for ever"),
        ("increment_seconds", sa.Integer(), "what each choice adds to its seat's bank"),
        ("leave_days", sa.Integer(), "for how long in all each player may be on leave"),
        ("clocks", sa.JSON(), "one a seat; null: turns end for all at once"),
    ):
        op.add_column("games", sa.Column(name, kind, comment=comment))


def downgrade() -> None:
    for name in ("clocks", "leave_days", "increment_seconds", "bank_seconds"):
        op.drop_column("games", name)
