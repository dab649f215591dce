"""Tournaments and who is in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar
from uuid import UUID

import msgspec
from psycopg.sql import SQL, Composable
from psycopg.types.json import Json

from holmgang.app.records.tournaments import (
    Entry,
    Kind,
    Locked,
    Out,
    Reason,
    ToCount,
    Tournament,
    TournamentStatus,
)
from holmgang.engine.turn import Seat

from .accounts import NOW
from .rows import Query, Rows, Statement
from .sight import in_tournament, tournament_seen
from .sources import APART, BESIDE, Source
from .tasks import KEPT

STILL = SQL("interval '1 day'")
"""A game whose deadline has been passed for so long, though deadlines hold, stands still."""


_TOURNAMENT = SQL("""
    t.id, t.name, t.creator, t.kind, t.status, t.visibility, t.terms, t.plan, t.commitment,
    CASE WHEN t.status <> 'open' THEN t.seed END AS seed,
    t.created_at, t.started_at, t.ended_at, t.reason, t.round, t.entered
""")
_ADD = Statement("""
    INSERT INTO tournaments (
        id, name, creator, kind, status, visibility, ruleset, terms, plan, commitment, seed, invitation, created_at,
        starts_with, due_at
    )
    VALUES (
        %(id)s, %(name)s, %(creator)s, %(kind)s, %(status)s, %(visibility)s, %(ruleset)s, %(terms)s, %(plan)s,
        %(commitment)s, %(seed)s, %(invitation)s, %(created_at)s, %(starts_with)s, %(starts_at)s
    )
""")
_BY_ID = Query(
    Tournament, SQL("SELECT {tournament} FROM tournaments t WHERE t.id = %(id)s").format(tournament=_TOURNAMENT)
)


def _locked(end: str) -> Query[Locked]:
    return Query(
        Locked,
        SQL("""
            SELECT {tournament}, t.seed AS secret_seed, t.changes, t.counted,
                (t.due_at <= clock_timestamp()) IS TRUE AS due
            FROM tournaments t
            WHERE t.id = %(id)s {end}
        """).format(tournament=_TOURNAMENT, end=SQL(end)),
    )


_LOOK, _LOCK, _TRY_LOCK = map(_locked, ("", "FOR NO KEY UPDATE", "FOR NO KEY UPDATE SKIP LOCKED"))
_VIEWER_IN, _PLAYER_IN = (in_tournament(SQL(who), of=SQL("t")) for who in ("%(viewer)s", "%(player)s"))
_MAY_SEE = Query(
    bool,
    SQL("SELECT {seen} FROM tournaments t WHERE t.id = %(id)s").format(
        seen=tournament_seen(SQL("%(viewer)s"), invitation=SQL("%(invitation)s"), of=SQL("t"))
    ),
)
_UNDER_WAY = Query(int, "SELECT count(*) FROM tournaments WHERE creator = %(creator)s AND status IN ('open', 'active')")
_ENTRIES_UNDER_WAY = Query(
    int,
    """
    SELECT count(*)
    FROM tournament_entries e
    JOIN tournaments t ON t.id = e.tournament_id
    WHERE e.player_id = %(player)s AND t.status IN ('open', 'active')
    """,
)
_CHANGED = Statement("""
    UPDATE tournaments
    SET
        changes = changes + 1,
        status = coalesce(%(status)s, status),
        reason = coalesce(%(reason)s, reason),
        round = coalesce(%(round)s, round),
        counted = coalesce(%(counted)s, counted),
        started_at = CASE WHEN %(status)s = 'active' THEN clock_timestamp() ELSE started_at END,
        ended_at = CASE WHEN %(status)s IN ('over', 'cancelled') THEN clock_timestamp() ELSE ended_at END,
        due_at = clock_timestamp() + make_interval(secs => %(due_in)s),
        entered = (SELECT count(*) FROM tournament_entries e WHERE e.tournament_id = tournaments.id)
    WHERE id = %(id)s
""")
_DUE = Query(
    UUID,
    """
    SELECT id
    FROM tournaments
    WHERE due_at <= clock_timestamp() AND id <> ALL(%(but)s::uuid[])
    ORDER BY due_at
    LIMIT %(limit)s
    """,
)
_OPEN_DUE = Statement("""
    UPDATE tournaments
    SET due_at = CASE WHEN entered >= starts_with THEN clock_timestamp() ELSE %(starts_at)s END
    WHERE id = %(id)s
""")
_ENTRY = SQL("""
    SELECT e.id, e.player_id AS player, p.name, e.bot, e.number, e.rating, e.joined_at, e.out, e.out_at
    FROM tournament_entries e
    JOIN players p ON p.id = e.player_id
    WHERE e.tournament_id = %(tournament)s AND {which}
""")
_ENTRY_BY_ID = Query(Entry, _ENTRY.format(which=SQL("e.id = %(entry)s")))
_ENTRIES = Query(
    Entry,
    _ENTRY.format(
        which=SQL("""
            (%(after)s::uuid IS NULL OR (e.joined_at, e.id) > (
                SELECT a.joined_at, a.id
                FROM tournament_entries a
                WHERE a.tournament_id = %(tournament)s AND a.id = %(after)s
            ))
            ORDER BY e.joined_at, e.id
            LIMIT %(limit)s
        """)
    ),
)
_ADD_ENTRY = Statement("""
    INSERT INTO tournament_entries (tournament_id, id, player_id, bot, number)
    VALUES (%(tournament)s, %(entry)s, %(player)s, %(bot)s, %(number)s)
""")
_REMOVE_ENTRY = Statement("DELETE FROM tournament_entries WHERE tournament_id = %(tournament)s AND id = %(entry)s")
_SET_OUT = Statement("""
    UPDATE tournament_entries
    SET out = %(out)s, out_at = CASE WHEN %(out)s::text IS NOT NULL THEN clock_timestamp() END
    WHERE tournament_id = %(tournament)s AND id = ANY(%(entries)s)
""")
_SET_ABSENT = Query(
    UUID,
    """
    UPDATE tournament_entries
    SET out = 'absent', out_at = clock_timestamp()
    WHERE tournament_id = %(tournament)s AND id = ANY(%(entries)s) AND out IS NULL
    RETURNING id
    """,
)
_NUMBER = Statement("""
    UPDATE tournament_entries e
    SET number = new.number, rating = new.rating
    FROM unnest(%(entries)s::uuid[], %(numbers)s::int[], %(ratings)s::float8[]) AS new (id, number, rating)
    WHERE e.tournament_id = %(tournament)s AND e.id = new.id
""")


def _to_count(source: Source) -> Query[ToCount]:
    return Query(
        ToCount,
        SQL("""
            SELECT t.tournament_id AS tournament, t.round, t.at, t.number, t.game_id AS game
            FROM tournament_games t
            LEFT JOIN {games} g ON g.id = t.game_id
            WHERE t.outcome IS NULL
                AND t.game_id <> ALL(%(but)s::uuid[])
                AND (
                    g.id IS NULL
                    OR g.status IN ('over', 'archived')
                    OR g.deadline < clock_timestamp() - {still} AND {kept}
                )
            LIMIT %(limit)s
        """).format(games=source.games, still=STILL, kept=KEPT),
    )


_TO_COUNT, TO_COUNT_APART = map(_to_count, (BESIDE, APART))
_STANDS_STILL = Query(
    bool,
    SQL("SELECT (deadline < %(now)s::timestamptz - {still}) IS TRUE FROM games WHERE id = %(game)s").format(
        still=STILL
    ),
)
_HOLD = Query(bool, SQL("SELECT {kept}").format(kept=KEPT))
_NO_SHOWS = Query(
    int,
    """
    SELECT s.seat
    FROM seats s
    WHERE s.game_id = %(game)s
        AND s.bot IS NULL
        AND NOT EXISTS (SELECT FROM submissions m WHERE m.game_id = s.game_id AND m.seat = s.seat)
        AND EXISTS (
            SELECT
            FROM events e
            WHERE e.game_id = s.game_id
                AND e.public ->> 'type' IN ('seat_absent', 'seat_forfeited')
                AND (e.public ->> 'seat')::int = s.seat
        )
    ORDER BY s.seat
    """,
)


@cache
def _listed(*, kind: bool, ruleset: bool, status: bool, player: bool, before: bool) -> Query[Tournament]:
    conditions = {
        "t.kind = %(kind)s": kind,
        "t.ruleset = %(ruleset)s": ruleset,
        "t.status = %(status)s": status,
        "t.id < %(before)s": before,
    }
    where: list[Composable] = [SQL(condition) for condition, wanted in conditions.items() if wanted]
    where += [SQL("(t.creator = %(player)s OR {player_in})").format(player_in=_PLAYER_IN)] if player else []
    return Query(
        Tournament,
        SQL("""
            SELECT {tournament}
            FROM tournaments t
            WHERE (t.visibility = 'public' OR t.creator = %(viewer)s OR {viewer_in}) {more}
            ORDER BY t.id DESC
            LIMIT %(limit)s
        """).format(
            tournament=_TOURNAMENT,
            viewer_in=_VIEWER_IN,
            more=SQL("").join(SQL("AND {} ").format(each) for each in where),
        ),
    )


class Tournaments(Rows):
    _games_to_count: ClassVar[Query[ToCount]] = _TO_COUNT

    def add_tournament(self, tournament: Tournament, seed: bytes, invitation: bytes | None) -> None:
        self.execute(
            _ADD,
            id=tournament.id,
            name=tournament.name,
            creator=tournament.creator,
            kind=tournament.kind,
            status=tournament.status,
            visibility=tournament.visibility,
            ruleset=tournament.terms.ruleset,
            terms=Json(msgspec.to_builtins(tournament.terms)),
            plan=Json(msgspec.to_builtins(tournament.plan)),
            commitment=tournament.commitment,
            seed=seed,
            invitation=invitation,
            created_at=tournament.created_at,
            starts_with=tournament.plan.starts_with,
            starts_at=tournament.plan.starts_at,
        )

    def tournament(self, tournament: UUID) -> Tournament | None:
        return self.first(_BY_ID, id=tournament)

    def tournaments(
        self,
        *,
        viewer: UUID | None,
        kind: Kind | None,
        ruleset: str | None,
        status: TournamentStatus | None,
        player: UUID | None,
        before: UUID | None,
        limit: int,
    ) -> list[Tournament]:
        query = _listed(
            kind=kind is not None,
            ruleset=ruleset is not None,
            status=status is not None,
            player=player is not None,
            before=before is not None,
        )
        return self.all(
            query,
            viewer=viewer,
            kind=kind,
            ruleset=ruleset,
            status=status,
            player=player,
            before=before,
            limit=limit,
        )

    def may_see_tournament(self, viewer: UUID | None, tournament: UUID, invitation: bytes | None) -> bool:
        return self.first(_MAY_SEE, viewer=viewer, id=tournament, invitation=invitation) is True

    def set_tournament_invitation(self, tournament: UUID, invitation: bytes) -> None:
        self.execute(
            "UPDATE tournaments SET invitation = %(digest)s WHERE id = %(id)s", id=tournament, digest=invitation
        )

    def tournaments_under_way(self, creator: UUID) -> int:
        return self.one(_UNDER_WAY, creator=creator)

    def entries_under_way(self, player: UUID) -> int:
        return self.one(_ENTRIES_UNDER_WAY, player=player)

    def look_at_tournament(self, tournament: UUID) -> Locked | None:
        return self.first(_LOOK, id=tournament)

    def lock_tournament(self, tournament: UUID, *, skip: bool = False) -> Locked | None:
        return self.first(_TRY_LOCK if skip else _LOCK, id=tournament)

    def changed_tournament(
        self,
        tournament: UUID,
        *,
        status: TournamentStatus | None = None,
        reason: Reason | None = None,
        paired: int | None = None,
        counted: int | None = None,
        due_in: float | None = None,
    ) -> None:
        self.execute(
            _CHANGED, id=tournament, status=status, reason=reason, round=paired, counted=counted, due_in=due_in
        )

    def wait_for_start(self, tournament: Tournament) -> None:
        self.execute(_OPEN_DUE, id=tournament.id, starts_at=tournament.plan.starts_at)

    def entries(self, tournament: UUID, *, after: UUID | None = None, limit: int | None = None) -> list[Entry]:
        return self.all(_ENTRIES, tournament=tournament, after=after, limit=limit)

    def entry(self, tournament: UUID, entry: UUID) -> Entry | None:
        return self.first(_ENTRY_BY_ID, tournament=tournament, entry=entry)

    def add_entry(self, tournament: UUID, entry: UUID, player: UUID, bot: str | None, number: int | None) -> None:
        self.execute(_ADD_ENTRY, tournament=tournament, entry=entry, player=player, bot=bot, number=number)

    def remove_entry(self, tournament: UUID, entry: UUID) -> None:
        self.execute(_REMOVE_ENTRY, tournament=tournament, entry=entry)

    def set_out(self, tournament: UUID, entries: Sequence[UUID], out: Out | None) -> None:
        self.execute(_SET_OUT, tournament=tournament, entries=list(entries), out=out)

    def set_absent(self, tournament: UUID, entries: Sequence[UUID]) -> list[UUID]:
        return self.all(_SET_ABSENT, tournament=tournament, entries=list(entries)) if entries else []

    def number_entries(self, tournament: UUID, entries: Sequence[UUID], ratings: Sequence[float]) -> None:
        numbers = list(range(1, len(entries) + 1))
        self.execute(_NUMBER, tournament=tournament, entries=list(entries), numbers=numbers, ratings=list(ratings))

    def due_tournaments(self, limit: int, but: Sequence[UUID]) -> list[UUID]:
        return self.all(_DUE, limit=limit, but=list(but))

    def games_to_count(self, limit: int, but: Sequence[UUID]) -> list[ToCount]:
        return self.all(self._games_to_count, limit=limit, but=list(but))

    def stands_still(self, game: UUID) -> bool:
        """Two statements: the second is about a game alone, and goes to its node."""
        now = self.one(NOW)
        return self.one(_HOLD) and self.first(_STANDS_STILL, game=game, now=now) is True

    def no_shows(self, game: UUID) -> list[Seat]:
        return self.all(_NO_SHOWS, game=game)
