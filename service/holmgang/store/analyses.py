"""Analyses of games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg.sql import SQL

from holmgang.app.records.analyses import ClaimedAnalysis, KeptAnalysis

from .rows import Query, Rows, Statement

_ONE = Query(
    KeptAnalysis,
    """
    SELECT game_id AS game, status, total, asked_at, finished_at, '[' || array_to_string(steps, ',') || ']' AS steps
    FROM analyses
    WHERE game_id = %(game)s
    """,
)
# One that failed goes on where it stood.
_ASK = Statement("""
    INSERT INTO analyses AS a (game_id, asked_by)
    VALUES (%(game)s, %(player)s)
    ON CONFLICT (game_id) DO UPDATE
    SET status = 'waiting', asked_by = excluded.asked_by, asked_at = clock_timestamp(), attempts = 0,
        claimed_until = NULL, finished_at = NULL
    WHERE a.status = 'failed'
""")
_WAITING = Query(int, "SELECT count(*) FROM analyses WHERE asked_by = %(player)s")
_CLAIMED = SQL("game_id AS game, seq, attempts")
# A claim that ends later than a new one would was made before the clock was set back.
CLAIM = Query(
    ClaimedAnalysis,
    SQL("""
        UPDATE analyses
        SET status = 'running', attempts = attempts + 1,
            claimed_until = clock_timestamp() + make_interval(secs => %(seconds)s)
        WHERE game_id = (
            SELECT game_id
            FROM analyses
            WHERE status IN ('waiting', 'running')
                AND game_id <> ALL(%(but)s::uuid[])
                AND (
                    claimed_until IS NULL
                    OR claimed_until < clock_timestamp()
                    OR claimed_until > clock_timestamp() + make_interval(secs => %(seconds)s)
                )
            ORDER BY asked_at
            LIMIT 1
            FOR UPDATE SKIP LOCKED
        )
        RETURNING {claimed}
    """).format(claimed=_CLAIMED),
)
_MINE = SQL("""
    game_id = %(game)s AND status = 'running' AND attempts = %(attempts)s AND seq IS NOT DISTINCT FROM %(seq)s
""")
_NOTE = Query(
    ClaimedAnalysis,
    SQL("""
        UPDATE analyses
        SET steps = steps || %(steps)s::text[], seq = %(up_to)s, total = %(total)s, attempts = 1,
            claimed_until = CASE
                WHEN NOT %(done)s THEN clock_timestamp() + make_interval(secs => %(seconds)s)
            END,
            status = CASE WHEN %(done)s THEN 'done' ELSE 'running' END,
            asked_by = CASE WHEN NOT %(done)s THEN asked_by END,
            finished_at = CASE WHEN %(done)s THEN clock_timestamp() END
        WHERE {mine}
        RETURNING {claimed}
    """).format(mine=_MINE, claimed=_CLAIMED),
)
_KEEP = Statement(
    SQL("""
        UPDATE analyses SET claimed_until = clock_timestamp() + make_interval(secs => %(seconds)s) WHERE {mine}
    """).format(mine=_MINE)
)
_RELEASE = Statement(
    SQL("""
        UPDATE analyses
        SET status = 'waiting', claimed_until = NULL, attempts = attempts - CASE WHEN %(tried)s THEN 0 ELSE 1 END
        WHERE {mine}
    """).format(mine=_MINE)
)
_FAIL = Statement(
    SQL("UPDATE analyses SET status = 'failed', claimed_until = NULL, asked_by = NULL WHERE {mine}").format(mine=_MINE)
)


class Analyses(Rows):
    def analysis(self, game: UUID) -> KeptAnalysis | None:
        return self.first(_ONE, game=game)

    def ask_for_analysis(self, game: UUID, player: UUID) -> bool:
        return self.execute(_ASK, game=game, player=player) > 0

    def analyses_waiting(self, player: UUID) -> int:
        return self.one(_WAITING, player=player)

    def claim_analysis(self, seconds: float, but: Sequence[UUID] = ()) -> ClaimedAnalysis | None:
        return self.first(CLAIM, seconds=seconds, but=list(but))

    def note_analysis(
        self, claimed: ClaimedAnalysis, seq: int, total: int, steps: Sequence[str], seconds: float, *, done: bool
    ) -> ClaimedAnalysis | None:
        return self.first(
            _NOTE,
            **_named(claimed),
            up_to=seq,
            total=total,
            steps=list(steps),
            seconds=seconds,
            done=done,
        )

    def keep_analysis(self, claimed: ClaimedAnalysis, seconds: float) -> bool:
        return self.execute(_KEEP, seconds=seconds, **_named(claimed)) > 0

    def release_analysis(self, claimed: ClaimedAnalysis, *, tried: bool) -> bool:
        return self.execute(_RELEASE, tried=tried, **_named(claimed)) > 0

    def fail_analysis(self, claimed: ClaimedAnalysis) -> bool:
        return self.execute(_FAIL, **_named(claimed)) > 0


def _named(claimed: ClaimedAnalysis) -> dict[str, Any]:
    return {"game": claimed.game, "attempts": claimed.attempts, "seq": claimed.seq}
