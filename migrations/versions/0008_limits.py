"""Who has created the games that are not over: what the limit on them is counted by."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("games_creator_idx", "games", ["creator"], postgresql_where=sa.text("status IN ('open', 'active')"))


def downgrade() -> None:
    op.drop_index("games_creator_idx", "games")
