"""What has happened in a game: events, combats, receipts and the log."""

from __future__ import annotations

from uuid import UUID

from msgspec import Raw

from service.app.records.play import Combat, Event, LogRow, Receipt
from service.engine.turn import Seat

from .rows import Row, Rows

_COMBAT = "number, status, turn, opened_at, resolved_at, record::text"
_LOG = "seq, at, entry, state_hash, row_hash"
# A receipt is sealed as long as its turn is the game's: a resolved turn has given way to a later one, or to the end.
_SUBMISSION = (
    "SELECT s.id, s.game_id, s.turn, s.kind, s.seat, s.revision, s.action::text, s.received_at,"
    " CASE WHEN g.status <> 'over' AND g.turn = s.turn THEN 'sealed' ELSE 'applied' END"
    " FROM submissions s JOIN games g ON g.id = s.game_id WHERE s.game_id = %(game)s"
)


def _submission_of(row: Row | None) -> Receipt | None:
    if row is None:
        return None
    receipt = dict(zip(Receipt.__struct_fields__, row, strict=True))
    return Receipt(**{**receipt, "action": Raw(receipt["action"])})


def _combat_of(row: Row) -> Combat:
    *facts, record = row
    return Combat(**dict(zip(Combat.__struct_fields__, facts, strict=False)), record=Raw(record))


def _log_row_of(row: Row) -> LogRow:
    return LogRow(**dict(zip(LogRow.__struct_fields__, row, strict=True)))


class Feed(Rows):
    def submission(self, game: UUID, submission: UUID) -> Receipt | None:
        row = self.one(
            _SUBMISSION + " AND s.id = %(submission)s ORDER BY s.revision DESC LIMIT 1",
            game=game,
            submission=submission,
        )
        return _submission_of(row)

    def submission_at(self, game: UUID, turn: int, seat: Seat) -> Receipt | None:
        row = self.one(
            _SUBMISSION + " AND s.turn = %(turn)s AND s.seat = %(seat)s ORDER BY s.revision DESC LIMIT 1",
            game=game,
            turn=turn,
            seat=seat,
        )
        return _submission_of(row)

    def events(self, game: UUID, seat: Seat | None, after: int, limit: int) -> list[Event]:
        rows = self.all(
            "SELECT seq, at, turn, coalesce(private ->> %(seat)s::text, public::text) FROM events"
            " WHERE game_id = %(game)s AND seq > %(after)s ORDER BY seq LIMIT %(limit)s",
            game=game,
            seat=None if seat is None else str(seat),
            after=after,
            limit=limit,
        )
        return [Event(seq=seq, at=at, turn=turn, payload=Raw(payload)) for seq, at, turn, payload in rows]

    def combats(self, game: UUID, after: int, limit: int) -> list[Combat]:
        rows = self.all(
            f"SELECT {_COMBAT} FROM combats WHERE game_id = %(game)s AND number > %(after)s"
            " ORDER BY number LIMIT %(limit)s",  # nosec B608 # constants
            game=game,
            after=after,
            limit=limit,
        )
        return [_combat_of(row) for row in rows]

    def combat(self, game: UUID, number: int) -> Combat | None:
        row = self.one(
            f"SELECT {_COMBAT} FROM combats WHERE game_id = %(game)s AND number = %(number)s",  # nosec B608 # constants
            game=game,
            number=number,
        )
        return None if row is None else _combat_of(row)

    def log(self, game: UUID, after: int = -1, limit: int | None = None) -> list[LogRow]:
        rows = self.all(
            f"SELECT {_LOG} FROM log WHERE game_id = %(game)s AND seq > %(after)s"  # nosec B608 # constants
            " ORDER BY seq LIMIT %(limit)s",
            game=game,
            after=after,
            limit=limit,
        )
        return [_log_row_of(row) for row in rows]
