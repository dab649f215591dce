"""The schema of blocks, challenges and rematches. All of it stays on the coordinator where games are distributed.

A game that is named here may have been deleted since.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from .columns import NOW, at, metadata

blocks = Table(
    "blocks",
    metadata,
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, comment="who blocks"),
    Column("blocked_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    at("created_at", nullable=False, server_default=NOW),
    Index("blocks_blocked_id_idx", "blocked_id"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("challenger_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("seat", SmallInteger, comment="the challenger's; null: all seats are drawn"),
    Column("terms", JSON, nullable=False),
    Column("status", Text, nullable=False, server_default=text("'pending'")),
    at("created_at", nullable=False, server_default=NOW),
    at("expires_at", nullable=False),
    at("ended_at", comment="since when it is not pending any more"),
    Column("game_id", Uuid, comment="which was made once all had accepted"),
    CheckConstraint("status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')", name="status"),
    Index("challenges_challenger_id_id_idx", "challenger_id", "id"),
    Index("challenges_expires_at_idx", "expires_at", postgresql_where=text("status = 'pending'")),
    Index("challenges_ended_at_idx", "ended_at", postgresql_where=text("ended_at IS NOT NULL")),
)

challenged = Table(
    "challenged",
    metadata,
    Column("challenge_id", Uuid, ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("position", SmallInteger, primary_key=True, autoincrement=False, comment="as the challenger named them"),
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("bot", Text, comment="the built-in bot whose account this is"),
    Column("answer", Text),
    Column("reason", Text, comment="why it was declined"),
    Column("unseen", Boolean, nullable=False, comment="kept from this player, who blocks the challenger"),
    CheckConstraint("answer IN ('accepted', 'declined')", name="answer"),
    Index("challenged_player_id_challenge_id_idx", "player_id", "challenge_id"),
)

rematches = Table(
    "rematches",
    metadata,
    Column("game_id", Uuid, primary_key=True, comment="which is over"),
    Column("players", ARRAY(Uuid), nullable=False, comment="by seat"),
    Column("next_id", Uuid, comment="the game that was made once all had agreed"),
)

agreements = Table(
    "agreements",
    metadata,
    Column("game_id", Uuid, ForeignKey("rematches.game_id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    at("expires_at", nullable=False),
    Index("agreements_player_id_idx", "player_id"),
    Index("agreements_expires_at_idx", "expires_at"),
)
