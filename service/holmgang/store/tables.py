"""The schema, as SQLAlchemy knows it: what migrations must arrive at.

Every table that belongs to a game has a primary key that begins with the game's id, so that all of them can be
distributed by it. What a move appends has no foreign key: only the statement that holds the game's row writes it, and
every move would pay for the checks. Times are the database's. `games` keeps the snapshot in the row that is locked,
because only that row is read anew after waiting for the lock.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

from . import account_tables, analysis_tables, challenge_tables, meeting_tables, tournament_tables  # noqa: F401 # they declare more
from .columns import NOW, at, metadata

__all__ = ["metadata"]


def _game(*reference: ForeignKey) -> Column[Any]:
    return Column("game_id", Uuid, *reference, primary_key=True)


players = Table(
    "players",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    at("created_at", nullable=False, server_default=NOW),
    Column("bot", Text, comment="the built-in bot whose account this is"),
    Column(
        "kind",
        Text,
        nullable=False,
        server_default=text("'person'"),
        comment="`person` or `bot`, as they say themselves",
    ),
    Column("owner", Uuid, comment="the player who registered this bot"),
    Column("folded", Text(collation="C"), comment="the name as it is looked for; null until the worker has seen to it"),
    at("renamed_at"),
    at("deleted_at", comment="the account is gone; what it played stays"),
    Column(
        "hides_presence",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="others are not told whether they are there",
    ),
    UniqueConstraint("bot"),
    Index("players_folded_id_idx", "folded", "id"),
    Index("players_unfolded_idx", "id", postgresql_where=text("folded IS NULL AND deleted_at IS NULL")),
    Index("players_deleted_idx", "id", postgresql_where=text("deleted_at IS NOT NULL")),
)

tokens = Table(
    "tokens",
    metadata,
    Column("digest", LargeBinary, primary_key=True, comment="SHA-256 of the secret"),
    Column("id", Uuid, nullable=False),
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("label", Text, nullable=False),
    Column("scopes", ARRAY(Text), nullable=False),
    Column("game_id", Uuid, comment="limits the token to one game's seat"),
    Column("seat", SmallInteger),
    at("created_at", nullable=False, server_default=NOW),
    at("expires_at"),
    at("last_used_at", comment="the hour; null: not since that is noted"),
    Index("tokens_player_id_id_idx", "player_id", "id", unique=True),
)

games = Table(
    "games",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("ruleset_version", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("spectators", Boolean, nullable=False),
    Column("seat_count", SmallInteger, nullable=False),
    Column("options", JSON, nullable=False),
    Column("creator", Uuid, nullable=False),
    at("created_at", nullable=False, server_default=NOW),
    at("started_at"),
    at("ended_at"),
    Column("commitment", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("entropy", LargeBinary, nullable=False, server_default=text("''")),
    Column(
        "version", BigInteger, nullable=False, comment="number of the last event; grows with what anybody may notice"
    ),
    Column("writes", BigInteger, nullable=False, server_default=text("0"), comment="grows with every change"),
    Column("turn", Integer, nullable=False, server_default=text("0")),
    Column("kind", Text),
    Column("state", LargeBinary, comment="the snapshot where the log stands; may be thrown away"),
    Column("pending", Text, nullable=False, server_default=text("'[]'"), comment="sealed choices that the log lacks"),
    Column("entries", Integer, nullable=False, server_default=text("0"), comment="rows in the log"),
    Column("draws", Integer, nullable=False, server_default=text("0"), comment="chance values drawn"),
    Column("head", LargeBinary, comment="hash of the last log row"),
    Column("result", JSON),
    Column("turn_seconds", Integer, comment="how long a turn may take; null: for ever"),
    Column("bank_seconds", Integer, comment="what each seat has for all its choices; null: for ever"),
    Column("increment_seconds", Integer, comment="what each choice adds to its seat's bank"),
    Column("leave_days", Integer, comment="for how long in all each player may be on leave"),
    Column("clocks", JSON, comment="one a seat; null: turns end for all at once"),
    Column(
        "absence",
        Text,
        nullable=False,
        server_default=text("'default'"),
        comment="who plays for the absent: `default`, `bot:<name>`, or nobody: `forfeit`",
    ),
    Column(
        "clock",
        Text,
        nullable=False,
        server_default=text("'waits'"),
        comment="`waits` while no person is there, or `runs`, as it does in all rated games",
    ),
    at("deadline", comment="of the current turn"),
    at("put_off_at", comment="when its deadline was last put off"),
    Column(
        "practice",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="its creator may give the seed and look as any seat",
    ),
    Column("rated", Boolean, nullable=False, server_default=text("false"), comment="its result changes ratings"),
    at("rated_at", comment="when its result was counted"),
    Column("tournament", Uuid, comment="whose game it is"),
    at(
        "touched_at",
        nullable=False,
        server_default=NOW,
        comment="not idle before this; moves leave it alone, and the worker catches up when it looks",
    ),
    at(
        "empty_since",
        comment="when it ended without a choice of a person; null: it did not, or with one",
    ),
    CheckConstraint("status IN ('open', 'active', 'over', 'archived')", name="status"),
    CheckConstraint("visibility IN ('public', 'private')", name="visibility"),
    Index("games_status_id_idx", "status", "id"),
    Index("games_ruleset_id_idx", "ruleset", "id"),
    Index("games_tournament_id_idx", "tournament", "id", postgresql_where=text("tournament IS NOT NULL")),
    Index("games_rated_id_idx", "id", postgresql_where=text("rated")),
    Index("games_touched_at_idx", "touched_at", postgresql_where=text("status IN ('open', 'active')")),
    Index("games_creator_idx", "creator", postgresql_where=text("status IN ('open', 'active')")),
    Index("games_empty_since_idx", "empty_since", postgresql_where=text("empty_since IS NOT NULL AND NOT rated")),
    Index("games_creator_empty_since_idx", "creator", "empty_since", postgresql_where=text("empty_since IS NOT NULL")),
    Index("games_deadline_idx", "deadline", postgresql_where=text("deadline IS NOT NULL")),
    Index(
        "games_to_rate_idx",
        "ruleset",
        "ended_at",
        "id",
        postgresql_where=text("rated AND rated_at IS NULL AND ended_at IS NOT NULL"),
    ),
    postgresql_with={"fillfactor": "60"},
)

seats = Table(
    "seats",
    metadata,
    _game(ForeignKey("games.id", ondelete="CASCADE")),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Uuid, ForeignKey("players.id"), nullable=False),
    at("taken_at", nullable=False, server_default=NOW),
    at("resigned_at"),
    Column("entropy", LargeBinary),
    Column("revision", Integer, nullable=False, server_default=text("0"), comment="changes only its player notices"),
    Column("bot", Text, comment="the built-in bot that plays this seat"),
    at("absent_since"),
    Column("invitation", Uuid, comment="by which its player sat down"),
    Index("seats_game_id_player_id_idx", "game_id", "player_id", unique=True, postgresql_where=text("bot IS NULL")),
    Index("seats_player_id_game_id_idx", "player_id", "game_id"),
)

invitations = Table(
    "invitations",
    metadata,
    _game(ForeignKey("games.id", ondelete="CASCADE")),
    Column("id", Uuid, primary_key=True),
    Column("digest", LargeBinary, nullable=False, comment="SHA-256 of the secret"),
    Column("seat", SmallInteger, comment="the one seat that it is good for; null: any"),
    Column("uses", SmallInteger, nullable=False, comment="how many seats may be held by it"),
    at("created_at", nullable=False, server_default=NOW),
    at("expires_at"),
    Index("invitations_game_id_digest_idx", "game_id", "digest", unique=True),
)

awaited = Table(
    "awaited",
    metadata,
    _game(),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Uuid, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    at("since", nullable=False),
    Column("played_by", Text, comment="a built-in bot, or `default`, for the worker to play"),
    at("claimed_until", comment="a worker thinks about it"),
    Index("awaited_player_id_since_idx", "player_id", "since"),
    Index("awaited_played_by_idx", "since", postgresql_where=text("played_by IS NOT NULL")),
    postgresql_with={"fillfactor": "70"},
)

submissions = Table(
    "submissions",
    metadata,
    _game(),
    Column("turn", Integer, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("id", Uuid, nullable=False),
    Column("kind", Text, nullable=False),
    Column("action", JSON, nullable=False),
    at("received_at", nullable=False),
    Index("submissions_game_id_id_idx", "game_id", "id"),
)

log = Table(
    "log",
    metadata,
    _game(),
    Column("seq", Integer, primary_key=True),
    at("at", nullable=False),
    Column("entry", Text, nullable=False, comment="canonical JSON: its very bytes are hashed"),
    Column("state_hash", LargeBinary, nullable=False),
    Column("row_hash", LargeBinary, nullable=False),
)

events = Table(
    "events",
    metadata,
    _game(),
    Column("seq", BigInteger, primary_key=True),
    at("at", nullable=False),
    Column("turn", Integer, nullable=False),
    Column("public", JSON, nullable=False),
    Column("private", JSON, comment="seat to what it may see in place of `public`"),
)

combats = Table(
    "combats",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True),
    Column("status", Text, nullable=False),
    Column("turn", Integer, nullable=False),
    at("opened_at", nullable=False),
    at("resolved_at"),
    Column("record", JSON, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("player_id", Uuid, primary_key=True),
    Column("key", Text, primary_key=True),
    at("kept_at", nullable=False, server_default=NOW),
    Column("call", LargeBinary, nullable=False, comment="digest of method and URI"),
    Column("body", LargeBinary, nullable=False, comment="digest of the body"),
    Column("answer", JSON, nullable=False),
    Index("answers_kept_at_idx", "kept_at"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("id", Uuid, primary_key=True, comment="what one may wait for besides games, or whose list it is"),
    Column("revision", BigInteger, nullable=False, comment="grows with every change, also when its row was deleted"),
    at("at", nullable=False, comment="of the last change"),
    Index("revisions_at_idx", "at"),
)

pulse = Table(
    "pulse",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    at("at", nullable=False, comment="when a worker last looked at deadlines"),
    at("putting_off_since", comment="deadlines are being put off since then; null: they hold"),
    at("put_off_at", comment="when some were last"),
)

schema_floor = Table(
    "schema_floor",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("oldest", Text, nullable=False, comment="code of this schema version and later may run"),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("url", Text, nullable=False),
    Column("events", ARRAY(Text), nullable=False),
    Column("active", Boolean, nullable=False, server_default=text("true")),
    Column("secret", Text, nullable=False, comment="whsec_..., needed to sign"),
    Column("old_secret", Text, comment="signs as well until old_until"),
    at("old_until"),
    at("created_at", nullable=False, server_default=NOW),
    at("held_until", comment="its receiver is overloaded: until then nothing new is sent"),
    at("gone_at", comment="when its receiver answered 410; null again once it is switched on"),
    Index("webhooks_player_id_id_idx", "player_id", "id"),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Uuid, primary_key=True, comment="the message's id, the same in every attempt"),
    Column("webhook_id", Uuid, ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("type", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("state", Text, nullable=False, server_default=text("'pending'")),
    Column("attempts", SmallInteger, nullable=False, server_default=text("0")),
    at("next_at", nullable=False, server_default=NOW, comment="of the next attempt; a worker that sends puts it off"),
    at("created_at", nullable=False, server_default=NOW),
    at("last_at"),
    Column("last_status", SmallInteger),
    Column("last_error", Text),
    CheckConstraint("state IN ('pending', 'delivered', 'dead')", name="state"),
    Index("deliveries_webhook_id_id_idx", "webhook_id", "id"),
    Index("deliveries_next_at_idx", "next_at", postgresql_where=text("state = 'pending'")),
    Index("deliveries_settled_idx", "next_at", postgresql_where=text("state <> 'pending'")),
)

leaderboards = Table(
    "leaderboards",
    metadata,
    Column("ruleset", Text, primary_key=True),
    Column("games", BigInteger, nullable=False, comment="the number of the last game that was counted"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", Uuid, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("ordinal", Double, nullable=False, comment="mu - 3 sigma: what the leaderboard is sorted by"),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column(
        "active_on",
        Date,
        nullable=False,
        server_default=text("((now() AT TIME ZONE 'UTC'::text))::date"),
        comment="the day (UTC) on which its last game was counted",
    ),
    Index("ratings_ruleset_ordinal_player_id_idx", "ruleset", "ordinal", "player_id"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    _game(ForeignKey("games.id", ondelete="CASCADE")),
    Column("seat", SmallInteger, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("number", BigInteger, nullable=False, comment="the game's place in the order of counting"),
    Column("player_id", Uuid, nullable=False),
    Column("side", SmallInteger, nullable=False, comment="partners have one side"),
    Column("rank", SmallInteger, nullable=False, comment="of the side, from 1; equal sides share it"),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu_after", Double, nullable=False),
    Column("sigma_after", Double, nullable=False),
    Index("rating_changes_player_id_ruleset_number_idx", "player_id", "ruleset", "number"),
)
