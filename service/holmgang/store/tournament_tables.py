"""The tables of tournaments: all on the coordinator, without keys to those of games, which may lie on nodes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from .columns import NOW, at, metadata


def _tournament() -> Column[Any]:
    return Column("tournament_id", Uuid, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)


def _key(name: str) -> Column[Any]:
    return Column(name, Integer, primary_key=True)


def _ids(name: str, **more: Any) -> Column[Any]:
    return Column(name, ARRAY(Uuid), nullable=False, server_default=text("'{}'"), **more)


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("creator", Uuid, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("plan", JSON, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("invitation", LargeBinary, comment="SHA-256 of a private one's secret"),
    at("created_at", nullable=False),
    at("started_at"),
    at("ended_at"),
    Column("reason", Text, comment="why it was cancelled"),
    Column("starts_with", Integer, comment="how many have joined when it starts by itself"),
    Column("round", Integer, nullable=False, server_default=text("0"), comment="the last that was paired"),
    Column("entered", Integer, nullable=False, server_default=text("0"), comment="how many are in it"),
    Column("counted", Integer, nullable=False, server_default=text("0"), comment="how many tables are"),
    Column("changes", BigInteger, nullable=False, server_default=text("0"), comment="grows with every change"),
    at("due_at", comment="when a worker is to look at it; null: once something happens"),
    Index("tournaments_due_at_idx", "due_at", postgresql_where=text("due_at IS NOT NULL")),
    Index("tournaments_creator_idx", "creator", postgresql_where=text("status IN ('open', 'active')")),
)

tournament_entries = Table(
    "tournament_entries",
    metadata,
    _tournament(),
    Column("id", Uuid, primary_key=True, comment="a person's is their player's"),
    Column("player_id", Uuid, nullable=False),
    Column("bot", Text),
    Column("number", Integer, comment="from the start on: 1 for the strongest"),
    Column("rating", Double, comment="what the numbers go by"),
    at("joined_at", nullable=False, server_default=NOW),
    Column("out", Text, comment="why they are not paired"),
    at("out_at"),
    Index("tournament_entries_player_id_tournament_id_idx", "player_id", "tournament_id"),
)

tournament_contenders = Table(
    "tournament_contenders",
    metadata,
    _tournament(),
    Column("id", Uuid, primary_key=True, comment="an entry of an arena or a ladder"),
    at("free_since", comment="null: plays, or is out"),
    Column("playing", Boolean, nullable=False, server_default=text("false")),
    Column("points", Double, nullable=False, server_default=text("0")),
    Column("streak", Integer, nullable=False, server_default=text("0"), comment="tables won in a row"),
    Column("games", Integer, nullable=False, server_default=text("0")),
    Column("wins", Integer, nullable=False, server_default=text("0")),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("tables", JSON, nullable=False, comment="the last ones: entries, by place"),
    Index(
        "tournament_contenders_free_idx",
        "tournament_id",
        "free_since",
        postgresql_where=text("free_since IS NOT NULL"),
    ),
)

tournament_rounds = Table(
    "tournament_rounds",
    metadata,
    _tournament(),
    _key("round"),
    at("paired_at", nullable=False, server_default=NOW),
    at("ended_at"),
    _ids("present", comment="entries, in the order in which the pairing took them"),
    _ids("byes"),
    Column("known", Integer, nullable=False, comment="how many tables had been counted by then"),
)

tournament_tables = Table(
    "tournament_tables",
    metadata,
    _tournament(),
    _key("round"),
    _key("at"),
    _ids("players", comment="entries, by place"),
    Column("points", ARRAY(Double), nullable=False, server_default=text("'{}'")),
    _ids("absent"),
    Column("counted", Integer, comment="its number in the order of counting"),
    Index("tournament_tables_counted_idx", "tournament_id", "counted"),
    Index("tournament_tables_open_idx", "tournament_id", postgresql_where=text("counted IS NULL")),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    _tournament(),
    _key("seq"),
    at("at", nullable=False),
    Column("type", Text, nullable=False),
    Column("entry", Uuid),
    Column("round", Integer),
    Column("number", Integer, comment="the table's, in the round"),
)

tournament_games = Table(
    "tournament_games",
    metadata,
    _tournament(),
    _key("round"),
    _key("at"),
    _key("number"),
    Column("game_id", Uuid, comment="null: forfeited before it began"),
    _ids("players", comment="entries, by seat"),
    Column("outcome", Text, comment="null while it is played"),
    Column("ranks", ARRAY(SmallInteger), nullable=False, server_default=text("'{}'")),
    _ids("absent"),
    at("ended_at"),
    Index("tournament_games_game_id_idx", "game_id", unique=True),
    Index("tournament_games_open_idx", "game_id", postgresql_where=text("outcome IS NULL")),
)
