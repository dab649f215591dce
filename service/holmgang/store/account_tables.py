"""The schema of what accounts have besides their rows in `players`, tokens and kept answers."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, LargeBinary, Table, Text, Uuid

from .columns import at, metadata

former_names = Table(
    "former_names",
    metadata,
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    at("until", primary_key=True),
    Column("name", Text, nullable=False),
)

presence = Table(
    "presence",
    metadata,
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    at("minute", nullable=False, comment="in which they last asked for something"),
    prefixes=["UNLOGGED"],  # it is true for minutes: nothing is lost that a crash empties
)

departures = Table(
    "departures",
    metadata,
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    comment="players whose account was deleted, and who may still sit in games that are not over",
)

looks = Table(
    "looks",
    metadata,
    Column("digest", LargeBinary, primary_key=True, comment="SHA-256 of a name's skeleton (UTS 39)"),
    Column("name", Text, nullable=False, comment="the first that looks so"),
    at("held_until", comment="nobody takes it before: it was that of a deleted account"),
)
