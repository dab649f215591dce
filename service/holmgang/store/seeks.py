"""Seeks: players who wait for others to play with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from psycopg.sql import SQL
from psycopg.types.json import Json

from holmgang.app.records.seeks import EndedSeek, NewSeek, Seek, Seeking, SeekStatus, SoughtGame
from holmgang.engine.turn import Seat

from .rows import Query, Rows, Statement

_WAITS = SQL("s.status = 'waiting' AND s.expires_at > clock_timestamp()")
_SEEK = SQL("""
    s.id, s.player_id AS player, s.status, s.terms, s.seats, s.wanted,
    s.rating_below, s.rating_above, s.rating_widens, s.created_at, s.expires_at, s.game_id AS game, s.seat
""")
_WHO = SQL("CASE WHEN p.bot IS NULL THEN p.kind ELSE 'bot' END AS kind, r.mu AS belief_mu, r.sigma AS belief_sigma")
_OF_WHOM = SQL("""
    JOIN players p ON p.id = s.player_id
    LEFT JOIN ratings r ON r.player_id = s.player_id AND r.ruleset = s.ruleset
""")
_ADD = Statement("""
    INSERT INTO seeks (
        id, player_id, token_id, ruleset, terms, pool, seats, games, wanted,
        rating_below, rating_above, rating_widens, live, expires_at
    )
    SELECT
        %(id)s, %(player)s, %(token)s, %(ruleset)s, %(terms)s, %(pool)s, %(seats)s, %(games)s, %(wanted)s,
        %(below)s, %(above)s, %(widens)s, %(live)s,
        least(clock_timestamp() + make_interval(secs => %(seconds)s), expires_at)
    FROM tokens
    WHERE player_id = %(player)s AND id = %(token)s
""")
_ONE = Query(
    Seek, SQL("SELECT {seek} FROM seeks s WHERE s.id = %(id)s AND s.player_id = %(player)s").format(seek=_SEEK)
)
_OWN = Query(
    Seek,
    SQL("""
        SELECT {seek}
        FROM seeks s
        WHERE s.player_id = %(player)s
            AND (%(before)s::uuid IS NULL OR s.id < %(before)s)
            AND (%(status)s::text IS NULL OR s.status = %(status)s)
        ORDER BY s.id DESC
        LIMIT %(limit)s
    """).format(seek=_SEEK),
)
_COUNT = Query(int, SQL("SELECT count(*) FROM seeks s WHERE s.player_id = %(player)s AND {waits}").format(waits=_WAITS))
_SOUGHT = Query(
    SoughtGame,
    SQL("""
        SELECT
            s.id, s.player_id AS player, p.name, {who},
            s.terms, s.seats, s.wanted, s.created_at, s.expires_at
        FROM seeks s
        {of_whom}
        WHERE {waits}
            AND (%(ruleset)s::text IS NULL OR s.ruleset = %(ruleset)s)
            AND (%(after)s::uuid IS NULL OR s.id > %(after)s)
        ORDER BY s.id
        LIMIT %(limit)s
    """).format(who=_WHO, of_whom=_OF_WHOM, waits=_WAITS),
)
_WITHDRAW = Statement(
    SQL("""
        UPDATE seeks s
        SET status = 'withdrawn', ended_at = clock_timestamp()
        WHERE s.id = %(id)s AND s.player_id = %(player)s AND {waits}
    """).format(waits=_WAITS)
)
_UNTRIED = Query(str, "SELECT DISTINCT pool FROM seeks WHERE status = 'waiting' AND NOT tried")
_POOLS = Query(str, "SELECT pool FROM seeks WHERE status = 'waiting' GROUP BY pool HAVING count(*) > 1")
_SEEKING = Query(
    Seeking,
    SQL("""
        SELECT
            s.id, s.player_id AS player, {who}, s.live, s.tried, s.seats, s.games, s.wanted,
            s.rating_below, s.rating_above, s.rating_widens,
            extract(epoch FROM clock_timestamp() - s.created_at)::float8 AS waited
        FROM seeks s
        {of_whom}
        WHERE s.pool = %(pool)s AND {waits} AND s.id <> ALL(%(but)s::uuid[])
        ORDER BY s.id
    """).format(who=_WHO, of_whom=_OF_WHOM, waits=_WAITS),
)
_MARK_TRIED = Statement("""
    UPDATE seeks
    SET tried = true
    WHERE id IN (
        SELECT id FROM seeks WHERE id = ANY(%(seeks)s) AND status = 'waiting' FOR UPDATE SKIP LOCKED
    )
""")
_CLAIM_PLAYERS = Statement("""
    SELECT FROM players WHERE id = ANY(%(players)s) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
""")
_CLAIM = Query(
    Seek,
    SQL("""
        SELECT {seek}
        FROM seeks s
        WHERE s.id = ANY(%(seeks)s) AND {waits}
        ORDER BY s.id
        FOR UPDATE SKIP LOCKED
    """).format(seek=_SEEK, waits=_WAITS),
)
_MATCH = Statement("""
    UPDATE seeks s
    SET status = 'matched', ended_at = clock_timestamp(), game_id = %(game)s, seat = new.seat
    FROM unnest(%(seeks)s::uuid[], %(seats)s::smallint[]) AS new (id, seat)
    WHERE s.id = new.id
""")
_WITHDRAW_LIVE = Query(
    EndedSeek,
    SQL("""
        UPDATE seeks s
        SET status = 'withdrawn', ended_at = clock_timestamp()
        WHERE s.player_id = ANY(%(players)s) AND s.live AND {waits}
        RETURNING s.id, s.player_id AS player
    """).format(waits=_WAITS),
)
_EXPIRE = Query(
    EndedSeek,
    """
    UPDATE seeks
    SET status = 'expired', ended_at = clock_timestamp()
    WHERE id IN (
        SELECT id
        FROM seeks
        WHERE status = 'waiting' AND expires_at <= clock_timestamp()
        ORDER BY expires_at
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    )
    RETURNING id, player_id AS player
    """,
)
_FORGET = Statement("""
    DELETE FROM seeks
    WHERE id IN (
        SELECT id
        FROM seeks
        WHERE ended_at < clock_timestamp() - make_interval(hours => %(hours)s)
        ORDER BY ended_at
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    )
""")


class Seeks(Rows):
    def add_seek(self, seek: NewSeek) -> bool:
        added = self.execute(
            _ADD,
            id=seek.id,
            player=seek.player,
            token=seek.token,
            ruleset=seek.terms.ruleset,
            terms=Json(msgspec.to_builtins(seek.terms)),
            pool=seek.pool,
            seats=list(seek.games),
            games=list(seek.games.values()),
            wanted=seek.wanted,
            below=seek.rating_below,
            above=seek.rating_above,
            widens=seek.rating_widens,
            live=seek.live,
            seconds=seek.seconds,
        )
        return added > 0

    def seek(self, player: UUID, ident: UUID) -> Seek | None:
        return self.first(_ONE, player=player, id=ident)

    def seeks(self, player: UUID, status: SeekStatus | None, before: UUID | None, limit: int) -> list[Seek]:
        return self.all(_OWN, player=player, status=status, before=before, limit=limit)

    def seeks_waiting(self, player: UUID) -> int:
        return self.one(_COUNT, player=player)

    def sought(self, ruleset: str | None, after: UUID | None, limit: int) -> list[SoughtGame]:
        return self.all(_SOUGHT, ruleset=ruleset, after=after, limit=limit)

    def withdraw_seek(self, player: UUID, ident: UUID) -> bool:
        return self.execute(_WITHDRAW, player=player, id=ident) > 0

    def pools(self, *, again: bool) -> list[str]:
        return self.all(_POOLS if again else _UNTRIED)

    def seeking(self, pool: str, but: Sequence[UUID]) -> list[Seeking]:
        return self.all(_SEEKING, pool=pool, but=list(but))

    def mark_tried(self, seeks: Sequence[UUID]) -> None:
        self.execute(_MARK_TRIED, seeks=list(seeks))

    def claim_players(self, players: Sequence[UUID]) -> bool:
        return self.execute(_CLAIM_PLAYERS, players=list(players)) == len(players)

    def claim_seeks(self, seeks: Sequence[UUID]) -> list[Seek]:
        return self.all(_CLAIM, seeks=list(seeks))

    def match_seeks(self, game: UUID, seats: Mapping[UUID, Seat]) -> None:
        self.execute(_MATCH, game=game, seeks=list(seats), seats=list(seats.values()))

    def withdraw_live_seeks(self, players: Sequence[UUID]) -> list[EndedSeek]:
        return self.all(_WITHDRAW_LIVE, players=list(players))

    def expire_seeks(self, limit: int) -> list[EndedSeek]:
        return self.all(_EXPIRE, limit=limit)

    def forget_seeks(self, hours: int, limit: int) -> int:
        return self.execute(_FORGET, hours=hours, limit=limit)
