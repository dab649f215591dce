"""Games and their terms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import ClassVar
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg.sql import SQL
from psycopg.types.json import Json
from uuid_utils.compat import uuid7

from holmgang.app.records.games import Game, SeatHolder, Status
from holmgang.app.records.ratings import RatingChange

from .ratings import SELECT_CHANGES
from .rows import Query, Rows, Statement
from .seats import BESIDE_SEATS, NOT_YET, Names
from .sources import APART, BESIDE, RUNS, Source


class Seated(Struct):
    game: UUID
    awaited: bool
    holder: SeatHolder


_GAME = SQL("""
    g.id, g.ruleset, g.ruleset_version, g.status, g.visibility, g.spectators, g.seat_count, g.options, g.creator,
    g.created_at, g.started_at, g.ended_at, g.version, g.turn, g.kind, g.result, g.commitment,
    CASE WHEN g.status = 'over' THEN g.seed END AS seed,
    CASE WHEN g.status = 'over' THEN g.head END AS head,
    g.turn_seconds, g.bank_seconds, g.increment_seconds, g.leave_days, g.clocks, g.absence,
    CASE WHEN {runs} THEN 'runs' ELSE 'waits' END AS clock, g.deadline, g.practice, g.rated, g.rated_at, g.tournament
""").format(runs=RUNS)


_ADD_GAME = Statement("""
    INSERT INTO games (
        id, ruleset, ruleset_version, status, visibility, spectators, seat_count, options, creator, created_at,
        commitment, seed, version, turn_seconds, bank_seconds, increment_seconds, leave_days, clocks, absence, clock,
        practice, rated, tournament
    )
    VALUES (
        %(game)s, %(ruleset)s, %(ruleset_version)s, %(status)s, %(visibility)s, %(spectators)s, %(seat_count)s,
        %(options)s, %(creator)s, %(at)s, %(commitment)s, %(seed)s, 0, %(turn_seconds)s, %(bank_seconds)s,
        %(increment_seconds)s, %(leave_days)s, %(clocks)s, %(absence)s, %(clock)s, %(practice)s, %(rated)s,
        %(tournament)s
    )
""")


def _under_way(source: Source) -> Query[int]:
    return Query(
        int,
        SQL("SELECT count(*) FROM {games} WHERE creator = %(creator)s AND status IN ('open', 'active')").format(
            games=source.games
        ),
    )


def _empty(source: Source) -> Query[int]:
    return Query(
        int,
        SQL("""
            SELECT count(*)
            FROM {games}
            WHERE creator = %(creator)s
                AND empty_since > (SELECT clock_timestamp() - make_interval(days => %(days)s))
        """).format(games=source.games),
    )


_UNDER_WAY, UNDER_WAY_APART = map(_under_way, (BESIDE, APART))
EMPTY_GAMES, EMPTY_GAMES_APART = map(_empty, (BESIDE, APART))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_APART_AT_MOST = timedelta(hours=1)
"""The clocks of the process that gives a game its id, and of the database."""
_APART = ("holders", "awaited", "rating_changes")


_GAME_BY_ID = Query(Game, SQL("SELECT {game} FROM games g WHERE g.id = %(game)s").format(game=_GAME), _APART)


def _seated(names: Names) -> Query[Seated]:
    return Query(
        Seated,
        SQL("""
            SELECT s.game_id AS game, a.seat IS NOT NULL AS awaited, {holder}
            FROM seats s
            {names}
            LEFT JOIN awaited a ON a.game_id = s.game_id AND a.seat = s.seat
            WHERE s.game_id = ANY(%(games)s)
            ORDER BY s.game_id, s.seat
        """).format(holder=names.holder(), names=names.tables),
    )


_SEATED = _seated(BESIDE_SEATS)
SEATED_APART = _seated(NOT_YET)


_SITS = """EXISTS (SELECT FROM seats {name} WHERE {name}.game_id = g.id AND {name}.player_id = %({name})s{more})"""
_FIRST_SEAT = """
    NOT EXISTS (
        SELECT FROM seats e WHERE e.game_id = s.game_id AND e.player_id = s.player_id AND e.seat < s.seat
    )
"""
"""A built-in bot may have several."""


def _sits(name: str, more: str = "") -> str:
    return _SITS.format(name=name, more=more)


def _won(name: str) -> str:
    return _sits(name, f" AND (g.result -> 'winners')::jsonb @> to_jsonb({name}.seat::int)")


@cache
def _games(
    *,
    status: bool,
    ruleset: bool,
    player: bool,
    open_seats: bool | None,
    before: bool,
    private: bool,
    rated: bool | None = None,
    since: bool = False,
    until: bool = False,
    tournament: bool = False,
    other: bool = False,
    won_by: bool = False,
    lost_by: bool = False,
) -> Query[Game]:
    """A game has open seats exactly while its status is `open`: it starts when the last one is taken. Ids grow with
    time, so that those of other times need not be looked at."""
    conditions = {
        "g.visibility = 'public'": not private,
        "g.status = %(status)s": status,
        "g.ruleset = %(ruleset)s": ruleset,
        "g.status = 'open'": open_seats is True,
        "g.status <> 'open'": open_seats is False,
        "g.id < %(before)s": before,
        "s.player_id = %(player)s": player,
        "s.game_id < %(before)s": player and before,
        "g.rated": rated is True,
        "NOT g.rated": rated is False,
        "g.created_at >= %(since)s AND g.id >= %(first)s": since,
        "s.game_id >= %(first)s": player and since,
        "g.created_at < %(until)s AND g.id < %(last)s": until,
        "s.game_id < %(last)s": player and until,
        "g.tournament = %(tournament)s": tournament,
        _FIRST_SEAT: player,
        _sits("other"): other,
        f"g.status = 'over' AND {_won('won_by')}": won_by,
        f"g.status = 'over' AND {_sits('lost_by')} AND NOT {_won('lost_by')}": lost_by,
    }
    where = [SQL(condition) for condition, wanted in conditions.items() if wanted]
    return Query(
        Game,
        SQL("""
            SELECT {game}
            FROM games g
            {seats}
            WHERE {where}
            ORDER BY {order} DESC
            LIMIT %(limit)s
        """).format(
            game=_GAME,
            seats=SQL("JOIN seats s ON s.game_id = g.id" if player else ""),
            where=SQL(" AND ").join(where or [SQL("true")]),
            order=SQL("s.game_id" if player else "g.id"),
        ),
        _APART,
    )


@cache
def _finished(*, after: bool, since: bool, until: bool) -> Query[Game]:
    conditions = {
        "s.game_id > %(after)s AND g.id > %(after)s": after,
        "g.ended_at >= %(since)s": since,
        "g.ended_at < %(until)s": until,
    }
    return Query(
        Game,
        SQL("""
            SELECT {game}
            FROM games g
            JOIN seats s ON s.game_id = g.id
            WHERE s.player_id = %(player)s AND g.status = 'over' {where}
            ORDER BY s.game_id
            LIMIT %(limit)s
        """).format(game=_GAME, where=SQL("").join(SQL(f" AND {one}") for one, wanted in conditions.items() if wanted)),
        _APART,
    )


def _first_id(at: datetime, later: timedelta) -> UUID:
    """Of those that are made so much later (RFC 9562, 5.7)."""
    milliseconds = int((at - _EPOCH + later) / timedelta(milliseconds=1))
    return UUID(int=min(max(milliseconds, 0), 2**48 - 1) << 80)


class Games(Rows):
    _under_way: ClassVar[Query[int]] = _UNDER_WAY
    _empty_games: ClassVar[Query[int]] = EMPTY_GAMES

    def new_game(self) -> UUID:
        return uuid7()

    def add_game(self, game: Game, seed: bytes) -> None:
        self.execute(
            _ADD_GAME,
            game=game.id,
            ruleset=game.ruleset,
            ruleset_version=game.ruleset_version,
            status=game.status,
            visibility=game.visibility,
            spectators=game.spectators,
            seat_count=game.seat_count,
            options=Json(game.options),
            creator=game.creator,
            at=game.created_at,
            commitment=game.commitment,
            seed=seed,
            turn_seconds=game.turn_seconds,
            bank_seconds=game.bank_seconds,
            increment_seconds=game.increment_seconds,
            leave_days=game.leave_days,
            clocks=None if game.clocks is None else Json(msgspec.to_builtins(game.clocks)),
            absence=game.absence,
            clock=game.clock,
            practice=game.practice,
            rated=game.rated,
            tournament=game.tournament,
        )

    def games_under_way(self, creator: UUID) -> int:
        return self.one(self._under_way, creator=creator)

    def empty_games(self, creator: UUID, days: int) -> int:
        return self.one(self._empty_games, creator=creator, days=days)

    def game(self, game: UUID) -> Game | None:
        found = self.first(_GAME_BY_ID, game=game)
        return None if found is None else self._with_seats([found])[0]

    def games(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: UUID | None,
        open_seats: bool | None,
        before: UUID | None,
        limit: int,
        private: bool = False,
        rated: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        tournament: UUID | None = None,
        other: UUID | None = None,
        won_by: UUID | None = None,
        lost_by: UUID | None = None,
    ) -> list[Game]:
        player = player or won_by or lost_by or other  # by whose seats they are found
        query = _games(
            status=status is not None,
            ruleset=ruleset is not None,
            player=player is not None,
            open_seats=open_seats,
            before=before is not None,
            private=private,
            rated=rated,
            since=since is not None,
            until=until is not None,
            tournament=tournament is not None,
            other=other is not None,
            won_by=won_by is not None,
            lost_by=lost_by is not None,
        )
        found = self.all(
            query,
            status=status,
            ruleset=ruleset,
            player=player,
            before=before,
            limit=limit,
            since=since,
            first=None if since is None else _first_id(since, -_APART_AT_MOST),
            until=until,
            tournament=tournament,
            other=other,
            won_by=won_by,
            lost_by=lost_by,
            last=None if until is None else _first_id(until, _APART_AT_MOST),
        )
        return self._with_seats(found)

    def finished_games(
        self, player: UUID, *, after: UUID | None, since: datetime | None, until: datetime | None, limit: int
    ) -> list[Game]:
        query = _finished(after=after is not None, since=since is not None, until=until is not None)
        found = self.all(query, player=player, after=after, since=since, until=until, limit=limit)
        return self._with_seats(found)

    def _with_seats(self, games: list[Game]) -> list[Game]:
        if not games:
            return []
        seated: dict[UUID, list[Seated]] = {game.id: [] for game in games}
        for one in self._seated(list(seated)):
            seated[one.game].append(one)
        changes: dict[UUID, list[RatingChange]] = {game.id: [] for game in games if game.rated_at is not None}
        if changes:
            for changed in self.all(SELECT_CHANGES, games=list(changes)):
                changes[changed.game].append(changed.change)
        return [
            msgspec.structs.replace(
                game,
                holders=tuple(one.holder for one in seated[game.id]),
                awaited=tuple(one.holder.seat for one in seated[game.id] if one.awaited),
                rating_changes=tuple(changes[game.id]) if game.id in changes else None,
            )
            for game in games
        ]

    def _seated(self, games: list[UUID]) -> list[Seated]:
        return self.all(_SEATED, games=games)
