"""What the worker needs: late games, choices that the service is to make, and the pulse by which outages are known."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from service.app.absence import OUTAGE_SECONDS
from service.app.steps import house_event
from service.app.values import Task
from service.engine.turn import Seat

from .rows import Rows

# As `absence` has it: for the sake of a person who is there, or to the end of a game that is rated or that no person
# can return to. Where none ever sat, there is no row to aggregate.
_GOES_ON = (
    "(SELECT bool_or(p.absent_since IS NULL AND p.resigned_at IS NULL OR g.rated)"
    " OR bool_and(p.resigned_at IS NOT NULL)"
    " FROM seats p JOIN games g ON g.id = p.game_id WHERE p.game_id = a.game_id AND p.bot IS NULL)"
)

KEPT = (
    f"((SELECT clock_timestamp() - p.at <= interval '{OUTAGE_SECONDS:g} seconds'"  # nosec B608 # constants
    " FROM pulse p WHERE p.id = 1) IS NOT FALSE)"
)
"""Whether deadlines hold: a worker keeps them, or never was there. Until a worker has put them off after an outage, or
after a jump of the clock, nobody is late."""

# The clock is read once: no index is searched by a function that may give another value for each row.
OVERDUE = (
    "SELECT id FROM games WHERE deadline <= (SELECT clock_timestamp()) AND status = 'active'"
    f" AND id <> ALL(%(but)s::uuid[]) AND {KEPT} ORDER BY deadline LIMIT %(limit)s"  # nosec B608 # constants
)


class Tasks(Rows):
    def overdue(self, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
        rows = self.all(OVERDUE, limit=limit, but=list(but))
        return [game for (game,) in rows]

    def come_back(self, game: UUID, seat: Seat, *, at_once: bool) -> None:
        self.done(
            "UPDATE seats SET absent_since = NULL WHERE game_id = %(game)s AND seat = %(seat)s", game=game, seat=seat
        )
        if at_once:
            self.done(
                "UPDATE awaited SET played_by = NULL, claimed_until = NULL"
                " WHERE game_id = %(game)s AND seat = %(seat)s",
                game=game,
                seat=seat,
            )
            self.done(
                "UPDATE games SET deadline = clock_timestamp() + make_interval(secs => turn_seconds)"
                " WHERE id = %(game)s AND status = 'active'",
                game=game,
            )

    def claim_tasks(
        self, limit: int, seconds: float, by: Sequence[str], served: Sequence[UUID] = (), but: Sequence[UUID] = ()
    ) -> list[Task]:
        rows = self.all(
            "UPDATE awaited SET claimed_until = clock_timestamp() + make_interval(secs => %(seconds)s)"
            " WHERE (game_id, seat) IN (SELECT a.game_id, a.seat FROM awaited a JOIN games g ON g.id = a.game_id"
            " WHERE a.played_by IS NOT NULL AND a.played_by = ANY(%(by)s)"  # nosec B608 # constants
            " AND a.game_id <> ALL(%(but)s::uuid[])"
            " AND (a.claimed_until IS NULL OR a.claimed_until < clock_timestamp()"
            " OR a.claimed_until > clock_timestamp() + make_interval(secs => %(seconds)s))"  # the clock was set back
            f" AND {_GOES_ON} ORDER BY coalesce(array_position(%(served)s::uuid[], g.creator), 0), a.since"
            " LIMIT %(limit)s FOR UPDATE OF a SKIP LOCKED)"
            " RETURNING game_id, (SELECT creator FROM games WHERE id = game_id), seat, turn, played_by",
            limit=limit,
            seconds=seconds,
            by=list(by),
            served=list(served),
            but=list(but),
        )
        return [Task(game=game, creator=of, seat=seat, turn=turn, by=by) for game, of, seat, turn, by in rows]

    def beat(self, most_seconds: float, told: str) -> float:
        """One statement a beat. Whoever is second sees the pulse of the first, and finds no outage.

        After a clock that was set back the pulse lies in the future, and deadlines further off than a whole turn: they
        are brought to that, which is no less time than was left.
        """
        rows = self.all(
            "WITH before AS (SELECT at FROM pulse WHERE id = 1 FOR UPDATE),"
            " outage AS (SELECT b.at, clock_timestamp() - b.at AS length FROM before b"
            " WHERE abs(extract(epoch FROM clock_timestamp() - b.at)) > %(most)s),"
            " put_off AS (UPDATE games SET deadline = least(deadline + greatest(outage.length, interval '0'),"
            " clock_timestamp() + make_interval(secs => turn_seconds)), writes = writes + 1,"
            " version = version + 1 FROM outage WHERE deadline > CASE WHEN outage.length > interval '0' THEN outage.at"
            " ELSE clock_timestamp() + make_interval(secs => turn_seconds) END RETURNING id, version, turn),"
            " told AS (INSERT INTO events (game_id, seq, at, turn, public)"
            " SELECT id, version, clock_timestamp(), turn, %(event)s::json FROM put_off),"
            " now AS (INSERT INTO pulse (id, at) VALUES (1, clock_timestamp())"
            " ON CONFLICT (id) DO UPDATE SET at = CASE WHEN EXISTS (SELECT FROM outage) THEN excluded.at"
            " ELSE greatest(pulse.at, excluded.at) END)"
            " SELECT extract(epoch FROM outage.length), put_off.id, put_off.version"
            " FROM outage LEFT JOIN put_off ON true",
            most=most_seconds,
            event=house_event(0, told).public,
        )
        self.changed |= {game: version for _, game, version in rows if game is not None}
        return float(rows[0][0]) if rows else 0.0
