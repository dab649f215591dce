"""Ratings, the games that are still to be counted, and the history of both.

Counting a game takes a lock on its ruleset without waiting for it, so the games of a ruleset are counted one after the
other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.records.ratings import Listed, Rating, RatingChange, RatingPoint, Standing

from .accounts import NOW
from .profiles import visible
from .rows import Query, Rows, Statement
from .sources import APART, BESIDE, Source


class _Changed(Struct):
    game: UUID
    change: RatingChange


class _Unrated(Struct):
    ruleset: str
    game: UUID


class _OfPlayer(Struct):
    player: UUID
    rating: Rating


class _OfRuleset(Struct):
    ruleset: str
    rating: Rating


class _Place(Struct):
    above: int
    rank: int


SELECT_CHANGES = Query(
    _Changed,
    """
    SELECT
        game_id AS game, seat, player_id AS player, side, rank,
        mu_before AS before_mu, sigma_before AS before_sigma, mu_after AS after_mu, sigma_after AS after_sigma
    FROM rating_changes
    WHERE game_id = ANY(%(games)s)
    ORDER BY game_id, seat
    """,
)
_UNRATED = SQL("rated AND rated_at IS NULL AND ended_at IS NOT NULL")
_RATING = SQL("r.mu, r.sigma, r.games, r.wins")
# There are only a few bots, so leaving them out costs no more than listing them.
_LISTED = SQL("""
    r.ruleset = %(ruleset)s
    AND NOT EXISTS (SELECT FROM players d WHERE d.id = r.player_id AND d.deleted_at IS NOT NULL)
    AND (%(bots)s OR r.player_id <> ALL(ARRAY(SELECT id FROM players WHERE bot IS NOT NULL)))
    AND (%(active_since)s::date IS NULL OR r.active_on >= %(active_since)s)
""")


def _next_unrated(source: Source) -> Query[_Unrated]:
    return Query(
        _Unrated,
        SQL("""
            SELECT DISTINCT ON (ruleset) ruleset, id AS game
            FROM {games}
            WHERE ruleset = ANY(%(rulesets)s) AND {unrated} AND id <> ALL(%(but)s::uuid[])
            ORDER BY ruleset, ended_at, id
        """).format(games=source.games, unrated=_UNRATED),
    )


_NEXT_UNRATED, NEXT_UNRATED_APART = map(_next_unrated, (BESIDE, APART))
_LOCK = Query(bool, "SELECT pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))")
_MARK_RATED = Statement(
    SQL("UPDATE games SET rated_at = %(at)s WHERE id = %(game)s AND {unrated}").format(unrated=_UNRATED)
)
_RATINGS_IN = Query(
    _OfPlayer,
    SQL("""
        SELECT r.player_id AS player, {rating}
        FROM ratings r
        WHERE r.ruleset = %(ruleset)s AND r.player_id = ANY(%(players)s)
    """).format(rating=_RATING),
)
_RATINGS_OF = Query(
    _OfRuleset,
    SQL("SELECT r.ruleset, {rating} FROM ratings r WHERE r.player_id = %(player)s ORDER BY r.ruleset").format(
        rating=_RATING
    ),
)
_GAMES_COUNTED = Query(int, "SELECT games FROM leaderboards WHERE ruleset = %(ruleset)s")


def _history(before: SQL) -> Query[RatingPoint]:
    """An account has one rating, also where a built-in bot had several seats in a game."""
    return Query(
        RatingPoint,
        SQL("""
            SELECT
                c.number, coalesce(g.rated_at, g.ended_at) AS at, c.rank, c.game_id AS game,
                c.mu_after AS after_mu, c.sigma_after AS after_sigma
            FROM rating_changes c
            JOIN games g ON g.id = c.game_id
            WHERE c.player_id = %(player)s AND c.ruleset = %(ruleset)s {before} AND {visible}
                AND NOT EXISTS (
                    SELECT
                    FROM rating_changes e
                    WHERE e.game_id = c.game_id AND e.player_id = c.player_id AND e.seat < c.seat
                )
            ORDER BY c.number DESC
            LIMIT %(limit)s
        """).format(visible=visible(SQL("%(viewer)s")), before=before),
    )


_HISTORY = _history(SQL(""))
_EARLIER_HISTORY = _history(SQL("AND c.number < %(before)s"))


def _standings(after: SQL) -> Query[Standing]:
    return Query(
        Standing,
        SQL("""
            SELECT p.id AS player, p.name, p.bot, {rating}
            FROM ratings r
            JOIN players p ON p.id = r.player_id
            WHERE {listed} {after}
            ORDER BY r.ordinal DESC, r.player_id DESC
            LIMIT %(limit)s
        """).format(rating=_RATING, listed=_LISTED, after=after),
    )


_FIRST_STANDINGS = _standings(SQL(""))
_STANDING = _standings(SQL("AND r.player_id = %(player)s"))
_NEXT_STANDINGS = _standings(SQL("AND (r.ordinal, r.player_id) < (%(ordinal)s, %(player)s)"))
_PLACE = Query(
    _Place,
    SQL("""
        SELECT count(*) AS above, 1 + count(*) FILTER (WHERE r.ordinal > %(ordinal)s) AS rank
        FROM ratings r
        WHERE {listed} AND (r.ordinal, r.player_id) > (%(ordinal)s, %(player)s)
    """).format(listed=_LISTED),
)


class Ratings(Rows):
    _next_unrated: ClassVar[Query[_Unrated]] = _NEXT_UNRATED

    def unrated(self, rulesets: Sequence[str], but: Sequence[UUID]) -> list[tuple[str, UUID]]:
        return [(one.ruleset, one.game) for one in self.all(self._next_unrated, rulesets=list(rulesets), but=list(but))]

    def lock_leaderboard(self, ruleset: str) -> int | None:
        """Two statements: the second must see what was written before the first got the lock."""
        return self.games_counted(ruleset) + 1 if self.one(_LOCK, name=f"leaderboard {ruleset}") else None

    def mark_rated(self, game: UUID) -> bool:
        return self.execute(_MARK_RATED, game=game, at=self.one(NOW)) > 0

    def ratings_in(self, ruleset: str, players: Sequence[UUID]) -> dict[UUID, Rating]:
        return {one.player: one.rating for one in self.all(_RATINGS_IN, ruleset=ruleset, players=list(players))}

    def ratings_of(self, player: UUID) -> dict[str, Rating]:
        return {one.ruleset: one.rating for one in self.all(_RATINGS_OF, player=player)}

    def set_ratings(self, ruleset: str, number: int, ratings: Mapping[UUID, Rating]) -> None:
        self.execute(
            """
            INSERT INTO leaderboards (ruleset, games)
            VALUES (%(ruleset)s, %(number)s)
            ON CONFLICT (ruleset) DO UPDATE
            SET games = excluded.games
            """,
            ruleset=ruleset,
            number=number,
        )
        self.execute(
            """
            INSERT INTO ratings (player_id, ruleset, mu, sigma, ordinal, games, wins, active_on)
            SELECT
                player_id, %(ruleset)s, mu, sigma, ordinal, games, wins,
                (clock_timestamp() AT TIME ZONE 'UTC')::date
            FROM unnest(
                %(players)s::uuid[], %(mus)s::float8[], %(sigmas)s::float8[], %(ordinals)s::float8[],
                %(games)s::int[], %(wins)s::int[]
            ) AS new (player_id, mu, sigma, ordinal, games, wins)
            ON CONFLICT (player_id, ruleset) DO UPDATE
            SET
                mu = excluded.mu,
                sigma = excluded.sigma,
                ordinal = excluded.ordinal,
                games = excluded.games,
                wins = excluded.wins,
                active_on = excluded.active_on
            """,
            ruleset=ruleset,
            players=list(ratings),
            mus=[rating.mu for rating in ratings.values()],
            sigmas=[rating.sigma for rating in ratings.values()],
            ordinals=[rating.belief.ordinal for rating in ratings.values()],
            games=[rating.games for rating in ratings.values()],
            wins=[rating.wins for rating in ratings.values()],
        )

    def add_rating_changes(self, game: UUID, ruleset: str, number: int, changes: Sequence[RatingChange]) -> None:
        self.execute(
            """
            INSERT INTO rating_changes (
                game_id, ruleset, number,
                seat, player_id, side, rank, mu_before, sigma_before, mu_after, sigma_after
            )
            SELECT %(game)s, %(ruleset)s, %(number)s, new.*
            FROM unnest(
                %(seats)s::smallint[], %(players)s::uuid[], %(sides)s::smallint[], %(ranks)s::smallint[],
                %(mus_before)s::float8[], %(sigmas_before)s::float8[],
                %(mus_after)s::float8[], %(sigmas_after)s::float8[]
            ) AS new
            """,
            game=game,
            ruleset=ruleset,
            number=number,
            seats=[change.seat for change in changes],
            players=[change.player for change in changes],
            sides=[change.side for change in changes],
            ranks=[change.rank for change in changes],
            mus_before=[change.before.mu for change in changes],
            sigmas_before=[change.before.sigma for change in changes],
            mus_after=[change.after.mu for change in changes],
            sigmas_after=[change.after.sigma for change in changes],
        )

    def games_counted(self, ruleset: str) -> int:
        return self.first(_GAMES_COUNTED, ruleset=ruleset) or 0

    def rating_history(
        self, player: UUID, ruleset: str, *, viewer: UUID | None, before: int | None, limit: int
    ) -> list[RatingPoint]:
        query = _HISTORY if before is None else _EARLIER_HISTORY
        return self.all(query, player=player, ruleset=ruleset, viewer=viewer, before=before, limit=limit)

    def standings(self, listed: Listed, *, after: tuple[float, UUID] | None, limit: int) -> list[Standing]:
        if after is None:
            return self.all(_FIRST_STANDINGS, **_terms(listed), limit=limit)
        ordinal, player = after
        return self.all(_NEXT_STANDINGS, **_terms(listed), ordinal=ordinal, player=player, limit=limit)

    def standing(self, listed: Listed, player: UUID) -> Standing | None:
        return self.first(_STANDING, **_terms(listed), player=player, limit=1)

    def standing_of(self, listed: Listed, standing: Standing) -> tuple[int, int]:
        place = self.one(_PLACE, **_terms(listed), ordinal=standing.rating.belief.ordinal, player=standing.player)
        return place.above, place.rank


def _terms(listed: Listed) -> dict[str, Any]:
    return {"ruleset": listed.ruleset, "bots": listed.bots, "active_since": listed.active_since}
