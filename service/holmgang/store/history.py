"""What has happened in a game: events, combats, receipts and the log."""

from __future__ import annotations

from uuid import UUID

from psycopg.sql import SQL

from holmgang.app.records.play import Combat, Event, LogRow, Receipt
from holmgang.engine.turn import Seat

from .rows import Query, Rows


def _submission(which: SQL) -> Query[Receipt]:
    """A receipt is sealed as long as its turn is the game's: a resolved turn has given way to a later one, or to the
    end."""
    return Query(
        Receipt,
        SQL("""
            SELECT
                s.id, s.game_id AS game, s.turn, s.kind, s.seat, s.revision, s.action::text, s.received_at,
                CASE WHEN g.status <> 'over' AND g.turn = s.turn THEN 'sealed' ELSE 'applied' END AS state
            FROM submissions s
            JOIN games g ON g.id = s.game_id
            WHERE s.game_id = %(game)s AND {which}
            ORDER BY s.revision DESC
            LIMIT 1
        """).format(which=which),
    )


def _combats(which: SQL) -> Query[Combat]:
    return Query(
        Combat,
        SQL("""
            SELECT number, status, turn, opened_at, resolved_at, record::text
            FROM combats
            WHERE game_id = %(game)s AND {which}
        """).format(which=which),
    )


_SUBMISSION = _submission(SQL("s.id = %(submission)s"))
_SUBMISSION_AT = _submission(SQL("s.turn = %(turn)s AND s.seat = %(seat)s"))
_COMBAT = _combats(SQL("number = %(number)s"))
_COMBATS = _combats(SQL("number > %(after)s ORDER BY number LIMIT %(limit)s"))
_EVENTS = Query(
    Event,
    """
    SELECT seq, at, turn, coalesce(private ->> %(seat)s::text, public::text) AS payload
    FROM events
    WHERE game_id = %(game)s AND seq > %(after)s
    ORDER BY seq
    LIMIT %(limit)s
    """,
)
_LOG = Query(
    LogRow,
    """
    SELECT seq, at, entry, state_hash, row_hash
    FROM log
    WHERE game_id = %(game)s AND seq > %(after)s
    ORDER BY seq
    LIMIT %(limit)s
    """,
)


class History(Rows):
    def submission(self, game: UUID, submission: UUID) -> Receipt | None:
        return self.first(_SUBMISSION, game=game, submission=submission)

    def submission_at(self, game: UUID, turn: int, seat: Seat) -> Receipt | None:
        return self.first(_SUBMISSION_AT, game=game, turn=turn, seat=seat)

    def events(self, game: UUID, seat: Seat | None, after: int, limit: int) -> list[Event]:
        return self.all(_EVENTS, game=game, seat=None if seat is None else str(seat), after=after, limit=limit)

    def combats(self, game: UUID, after: int, limit: int) -> list[Combat]:
        return self.all(_COMBATS, game=game, after=after, limit=limit)

    def combat(self, game: UUID, number: int) -> Combat | None:
        return self.first(_COMBAT, game=game, number=number)

    def log(self, game: UUID, after: int = -1, limit: int | None = None) -> list[LogRow]:
        return self.all(_LOG, game=game, after=after, limit=limit)
