"""How entries of arenas and ladders stand."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec
from psycopg.sql import SQL
from psycopg.types.json import Json

from holmgang.app.records.contenders import Contender

from .rows import Query, Rows, Statement

_CONTENDER = SQL("""
    SELECT c.id AS entry, e.bot IS NOT NULL AS bot, c.free_since, c.points, c.streak, c.games, c.wins, c.mu,
        c.sigma, c.tables
    FROM tournament_contenders c
    JOIN tournament_entries e ON e.tournament_id = c.tournament_id AND e.id = c.id
    WHERE c.tournament_id = %(tournament)s AND {which}
""")
_FREE = Query(Contender, _CONTENDER.format(which=SQL("c.free_since IS NOT NULL ORDER BY c.free_since, c.id")))
_ALL = Query(Contender, _CONTENDER.format(which=SQL("true")))
_THESE = Query(Contender, _CONTENDER.format(which=SQL("c.id = ANY(%(entries)s)")))
_SET_FREE = Statement("""
    INSERT INTO tournament_contenders AS c (tournament_id, id, free_since, mu, sigma, tables)
    SELECT e.tournament_id, e.id, clock_timestamp(), %(mu)s, %(sigma)s, '[]'
    FROM tournament_entries e
    WHERE e.tournament_id = %(tournament)s AND e.id = ANY(%(entries)s) AND e.out IS NULL
    ON CONFLICT (tournament_id, id) DO UPDATE
    SET free_since = coalesce(c.free_since, excluded.free_since)
    WHERE NOT c.playing
""")
_SET_ASIDE = Statement("""
    UPDATE tournament_contenders
    SET free_since = NULL
    WHERE tournament_id = %(tournament)s AND id = ANY(%(entries)s)
""")
_SET_PLAYING = Statement("""
    UPDATE tournament_contenders
    SET free_since = NULL, playing = true
    WHERE tournament_id = %(tournament)s AND id = ANY(%(entries)s)
""")
_SET_STANDING = Statement("""
    UPDATE tournament_contenders c
    SET
        playing = false,
        points = new.points,
        streak = new.streak,
        games = new.games,
        wins = new.wins,
        mu = new.mu,
        sigma = new.sigma,
        tables = new.tables
    FROM json_to_recordset(%(rows)s) AS new (
        id uuid, points float8, streak int, games int, wins int, mu float8, sigma float8, tables json
    )
    WHERE c.tournament_id = %(tournament)s AND c.id = new.id
""")


class Contenders(Rows):
    def free_contenders(self, tournament: UUID) -> list[Contender]:
        return self.all(_FREE, tournament=tournament)

    def contenders(self, tournament: UUID, entries: Sequence[UUID] | None = None) -> list[Contender]:
        if entries is None:
            return self.all(_ALL, tournament=tournament)
        return self.all(_THESE, tournament=tournament, entries=list(entries))

    def set_free(self, tournament: UUID, entries: Sequence[UUID], mu: float, sigma: float) -> None:
        self.execute(_SET_FREE, tournament=tournament, entries=list(entries), mu=mu, sigma=sigma)

    def set_aside(self, tournament: UUID, entries: Sequence[UUID]) -> None:
        self.execute(_SET_ASIDE, tournament=tournament, entries=list(entries))

    def set_playing(self, tournament: UUID, entries: Sequence[UUID]) -> None:
        self.execute(_SET_PLAYING, tournament=tournament, entries=list(entries))

    def set_standing(self, tournament: UUID, contenders: Sequence[Contender]) -> None:
        rows = [{**msgspec.to_builtins(one), "id": str(one.entry)} for one in contenders]
        self.execute(_SET_STANDING, tournament=tournament, rows=Json(rows))
