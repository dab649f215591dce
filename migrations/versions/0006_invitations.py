"""Private games and the invitations to them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def at(name: str, **more: object) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), **more)


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False, comment="SHA-256 of the secret"),
        sa.Column("seat", sa.SmallInteger(), comment="the one seat that it is good for; null: any"),
        sa.Column("uses", sa.SmallInteger(), nullable=False, comment="how many seats may be held by it"),
        at("created_at", nullable=False, server_default=NOW),
        at("expires_at"),
        sa.PrimaryKeyConstraint("game_id", "id", name="invitations_pkey"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="invitations_game_id_fkey", ondelete="CASCADE"),
    )
    op.create_index("invitations_game_id_digest_idx", "invitations", ["game_id", "digest"], unique=True)
    op.add_column("seats", sa.Column("invitation", sa.Uuid(), comment="by which its player sat down"))
    op.drop_constraint(op.f("games_visibility_check"), "games", type_="check")
    op.create_check_constraint(op.f("games_visibility_check"), "games", "visibility IN ('public', 'private')")


def downgrade() -> None:
    """Fails while there are private games: the code before would show them to everybody."""
    op.drop_constraint(op.f("games_visibility_check"), "games", type_="check")
    op.create_check_constraint(op.f("games_visibility_check"), "games", "visibility IN ('public')")
    op.drop_column("seats", "invitation")
    op.drop_table("invitations")
