"""The row of a game, and the one call that changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import to_builtins
from psycopg.sql import SQL
from psycopg.types.json import Json

from holmgang.app.ports.revisions import MEETING
from holmgang.app.records.changes import Change, NewEvent

from .functions import BESIDE
from .rows import Query, Rows, Statement
from .tasks import UNKEPT

_START = Statement(SQL("SELECT FROM {start}").format(start=BESIDE.start.call()))
_MOVE = Query(datetime, SQL("SELECT {move} AS at").format(move=BESIDE.move.call(unkept=UNKEPT.as_string())))


def _events_json(events: Sequence[NewEvent]) -> str:
    """Events as one JSON text for `json_to_recordset`: cheaper than arrays, whose every element must be quoted."""
    rows = (f'{{"public":{e.public},"private":{e.private or "null"}}}' for e in events)
    return f"[{','.join(rows)}]"


def _seats_array(seats: Iterable[int]) -> str:
    """Seats as Postgres writes an array: cheaper than a list, of which the driver looks at every element."""
    return "{" + ",".join(map(str, seats)) + "}"


def _combats_json(combats: Sequence[tuple[int, str, str]]) -> str:
    rows = (f'{{"number":{number},"status":"{status}","record":{record}}}' for number, status, record in combats)
    return f"[{','.join(rows)}]"


class Changes(Rows):
    def write(self, change: Change) -> datetime | None:
        new = change.submission
        at = self._move(
            at=change.at,
            game=change.game,
            writes=change.writes,
            late=change.late,
            stopped=change.stopped,
            stops=_seats_array(change.stops),
            status=change.status,
            turn=change.turn,
            kind=change.kind,
            state=change.state,
            pending=change.pending,
            version=change.version,
            entries=change.entries,
            draws=change.draws,
            head=change.head,
            entry=change.entry,
            state_hash=change.state_hash,
            result=None if change.result is None else Json(to_builtins(change.result)),
            told=len(change.events),
            event_turn=change.events[0].turn if change.events else change.turn,
            events=_events_json(change.events),
            combats=_combats_json(change.combats) if change.combats else None,
            asked=_seats_array(change.asked),
            released=_seats_array(change.released),
            absent=_seats_array(change.absent),
            noticed_by=change.noticed_by,
            gone=_seats_array(change.gone),
            r_turn=new and new.turn,
            r_seat=new and new.seat,
            r_revision=new and new.revision,
            r_id=new and new.id,
            r_kind=new and new.kind,
            r_action=new and new.action,
        )
        if at is not None:
            self.changed[change.game] = change.version
            if change.status == "over":
                self.changed[MEETING] = 0
        return at

    def _move(self, **arguments: Any) -> datetime | None:
        return self.first(_MOVE, **arguments)

    def begin(self, game: UUID, entropy: bytes, head: bytes) -> None:
        self.execute(
            """
            UPDATE games
            SET status = 'active', entropy = %(entropy)s, head = %(head)s, writes = writes + 1
            WHERE id = %(game)s
            """,
            game=game,
            entropy=entropy,
            head=head,
        )

    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        """All of the events are of one turn."""
        self.changed[game] = version
        self.execute(
            """
            WITH moved AS (
                UPDATE games
                SET version = %(version)s, writes = writes + 1
                WHERE id = %(game)s
                RETURNING id
            )
            INSERT INTO events (game_id, seq, at, turn, public, private)
            SELECT moved.id, %(version)s - %(count)s + e.n, %(at)s::timestamptz, %(turn)s, e.public, e.private
            FROM
                moved,
                ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json)) WITH ORDINALITY
                    AS e (public, private, n)
            """,
            game=game,
            version=version,
            at=at,
            count=len(events),
            turn=events[0].turn,
            events=_events_json(events),
        )

    def notify_start(self, game: UUID, at: datetime) -> None:
        self._start(game=game, at=at)

    def _start(self, **arguments: Any) -> None:
        self.execute(_START, **arguments)
