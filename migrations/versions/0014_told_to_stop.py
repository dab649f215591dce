"""What the receivers of webhooks ask for: to be sent nothing for a while, or nothing any more."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def at(name: str, comment: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), comment=comment)


def upgrade() -> None:
    op.add_column("webhooks", at("held_until", "its receiver is overloaded: until then nothing new is sent"))
    op.add_column("webhooks", at("gone_at", "when its receiver answered 410; null again once it is switched on"))


def downgrade() -> None:
    op.drop_column("webhooks", "gone_at")
    op.drop_column("webhooks", "held_until")
