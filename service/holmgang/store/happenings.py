"""What has happened in tournaments."""

from __future__ import annotations

from uuid import UUID

from holmgang.app.records.tournaments import Happening, TournamentEvent

from .rows import Query, Rows, Statement

# Whoever tells of a tournament holds its row, so that no two events have the same number.
_TELL = Statement("""
    INSERT INTO tournament_events (tournament_id, seq, at, type, entry, round, number)
    SELECT %(tournament)s, coalesce(max(seq), 0) + 1, clock_timestamp(), %(type)s, %(entry)s, %(round)s, %(number)s
    FROM tournament_events
    WHERE tournament_id = %(tournament)s
""")
_EVENTS = Query(
    TournamentEvent,
    """
    SELECT seq, at, type, entry, round, number AS "table"
    FROM tournament_events
    WHERE tournament_id = %(tournament)s AND seq > %(after)s
    ORDER BY seq
    LIMIT %(limit)s
    """,
)
_LAST = Query(int, "SELECT coalesce(max(seq), 0) FROM tournament_events WHERE tournament_id = %(tournament)s")


class Happenings(Rows):
    def add_tournament_event(
        self,
        tournament: UUID,
        what: Happening,
        *,
        entry: UUID | None = None,
        in_round: int | None = None,
        at: int | None = None,
    ) -> None:
        self.execute(_TELL, tournament=tournament, type=what, entry=entry, round=in_round, number=at)

    def tournament_events(self, tournament: UUID, after: int, limit: int) -> list[TournamentEvent]:
        return self.all(_EVENTS, tournament=tournament, after=after, limit=limit)

    def last_tournament_event(self, tournament: UUID) -> int:
        return self.one(_LAST, tournament=tournament)
