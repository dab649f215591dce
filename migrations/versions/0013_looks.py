"""Which name was the first to look as it does, so that no other is taken for it. Names that are there stay."""

import hashlib

import sqlalchemy as sa
from alembic import op

from holmgang.app.accounts.names import skeleton

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

PAGE = 10_000


def upgrade() -> None:
    op.create_table(
        "looks",
        sa.Column("digest", sa.LargeBinary(), nullable=False, comment="SHA-256 of a name's skeleton (UTS 39)"),
        sa.Column("name", sa.Text(), nullable=False, comment="the first that looks so"),
        sa.PrimaryKeyConstraint("digest", name="looks_pkey"),
    )
    if op.get_context().as_sql:
        return  # only a database has names
    connection = op.get_bind()
    page = sa.text("SELECT id, name FROM players WHERE bot IS NULL AND id > :after ORDER BY id LIMIT :most")
    keep = sa.text("INSERT INTO looks (digest, name) VALUES (:digest, :name) ON CONFLICT DO NOTHING")
    after = "00000000-0000-0000-0000-000000000000"
    while rows := connection.execute(page, {"after": after, "most": PAGE}).all():
        digests = [hashlib.sha256(skeleton(name).encode()).digest() for _, name in rows]
        connection.execute(
            keep, [{"digest": digest, "name": name} for digest, (_, name) in zip(digests, rows, strict=True)]
        )
        after = rows[-1][0]


def downgrade() -> None:
    op.drop_table("looks")
