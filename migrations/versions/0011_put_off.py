"""What it takes to put deadlines off in batches: which games are done, and since when that is under way."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def at(name: str, comment: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), comment=comment)


def upgrade() -> None:
    op.add_column("games", at("put_off_at", "when its deadline was last put off"))
    op.add_column("pulse", at("putting_off_since", "deadlines are being put off since then; null: they hold"))
    op.add_column("pulse", at("put_off_at", "when some were last"))


def downgrade() -> None:
    op.drop_column("pulse", "put_off_at")
    op.drop_column("pulse", "putting_off_since")
    op.drop_column("games", "put_off_at")
