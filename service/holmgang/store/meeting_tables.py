"""The schema of what players meet by. All of it stays on the coordinator where games are distributed over nodes.

A game that is named here may have been deleted since.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from .columns import NOW, at, metadata

seeks = Table(
    "seeks",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", Uuid, nullable=False),
    Column("token_id", Uuid, nullable=False, comment="by which it was made, and with which it goes"),
    Column("status", Text, nullable=False, server_default=text("'waiting'")),
    Column("ruleset", Text, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("pool", Text, nullable=False, comment="digest of the terms but for options: only equals meet"),
    Column("seats", ARRAY(SmallInteger), nullable=False, comment="how many may play"),
    Column("games", ARRAY(Text), nullable=False, comment="for each of `seats` a digest of all options"),
    Column("wanted", Text, nullable=False, comment="`people`, `bots` or `both`"),
    Column("rating_below", Integer, comment="by how much others may be weaker; null: by any"),
    Column("rating_above", Integer, comment="by how much they may be stronger"),
    Column("rating_widens", Integer, nullable=False, comment="by how much both grow in a minute"),
    Column("live", Boolean, nullable=False, comment="a match by it ends its player's other live ones"),
    at("created_at", nullable=False, server_default=NOW),
    at("expires_at", nullable=False, comment="not after its token does"),
    Column("tried", Boolean, nullable=False, server_default=text("false"), comment="fitted nobody when last looked at"),
    at("ended_at", comment="since when it waits no more"),
    Column("game_id", Uuid, comment="which it was matched to"),
    Column("seat", SmallInteger),
    ForeignKeyConstraint(["player_id", "token_id"], ["tokens.player_id", "tokens.id"], ondelete="CASCADE"),
    CheckConstraint("status IN ('waiting', 'matched', 'withdrawn', 'expired')", name="status"),
    Index("seeks_player_id_id_idx", "player_id", "id"),
    Index("seeks_player_id_token_id_idx", "player_id", "token_id"),
    Index("seeks_pool_id_idx", "pool", "id", postgresql_where=text("status = 'waiting'")),
    Index("seeks_id_idx", "id", postgresql_where=text("status = 'waiting'")),
    Index("seeks_untried_idx", "pool", postgresql_where=text("status = 'waiting' AND NOT tried")),
    Index("seeks_expires_at_idx", "expires_at", postgresql_where=text("status = 'waiting'")),
    Index("seeks_ended_at_idx", "ended_at", postgresql_where=text("ended_at IS NOT NULL")),
)
