"""The schema of analyses of games. It stays on the coordinator where games are distributed over nodes.

An analysis is deleted in the transaction that deletes its game.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer, SmallInteger, Table, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY

from .columns import NOW, at, metadata

analyses = Table(
    "analyses",
    metadata,
    Column("game_id", Uuid, primary_key=True, comment="which is over"),
    Column("asked_by", Uuid, comment="whose limit it counts against; null once it waits no more"),
    at("asked_at", nullable=False, server_default=NOW),
    Column("status", Text, nullable=False, server_default=text("'waiting'")),
    at("claimed_until", comment="a worker is at it"),
    Column(
        "attempts",
        SmallInteger,
        nullable=False,
        server_default=text("0"),
        comment="claims since anything was last noted",
    ),
    Column("total", Integer, comment="choices of the game; null until a worker has counted them"),
    Column("seq", Integer, comment="of the log: the last position that was judged"),
    Column(
        "steps",
        ARRAY(Text),
        nullable=False,
        server_default=text("'{}'"),
        comment="JSON of positions in their order, each with the choices made there",
    ),
    at("finished_at"),
    CheckConstraint("status IN ('waiting', 'running', 'done', 'failed')", name="status"),
    Index("analyses_asked_at_idx", "asked_at", postgresql_where=text("status IN ('waiting', 'running')")),
    Index("analyses_asked_by_idx", "asked_by", postgresql_where=text("asked_by IS NOT NULL")),
)
