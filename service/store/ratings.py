"""Ratings, the games that are still to be counted, and the history of both.

Who rates holds a lock on the ruleset, which nobody waits for, so its games are counted one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from service.app.records.ratings import Belief, Rating, RatingChange, Standing

from .rows import Rows

SELECT_CHANGES = (
    "SELECT game_id, seat, player_id, side, rank, mu_before, sigma_before, mu_after, sigma_after FROM rating_changes"
    " WHERE game_id = ANY(%(games)s) ORDER BY game_id, seat"
)
_TO_RATE = "rated AND rated_at IS NULL AND ended_at IS NOT NULL"
_RATING = "r.mu, r.sigma, r.games, r.wins"
# There are a few bots only, so that leaving them out costs no more than naming them.
_LISTED = (
    "r.ruleset = %(ruleset)s AND (%(bots)s OR r.player_id <> ALL(ARRAY(SELECT id FROM players WHERE bot IS NOT NULL)))"
)


def change_of(row: Sequence[Any]) -> RatingChange:
    """From the columns of SELECT_CHANGES after the game."""
    seat, player, side, rank, mu_before, sigma_before, mu_after, sigma_after = row
    return RatingChange(
        seat=seat,
        player=player,
        side=side,
        rank=rank,
        before=Belief(mu_before, sigma_before),
        after=Belief(mu_after, sigma_after),
    )


def _rating_of(row: Sequence[Any]) -> Rating:
    mu, sigma, games, wins = row
    return Rating(mu=mu, sigma=sigma, games=games, wins=wins)


class Ratings(Rows):
    def unrated(self, rulesets: Sequence[str], but: Sequence[UUID]) -> list[tuple[str, UUID]]:
        rows = self.all(
            "SELECT r.ruleset, g.id FROM unnest(%(rulesets)s::text[]) AS r (ruleset), LATERAL ("
            f"SELECT id FROM games WHERE ruleset = r.ruleset AND {_TO_RATE} AND id <> ALL(%(but)s::uuid[])"
            " ORDER BY ended_at, id LIMIT 1) AS g",  # nosec B608 # constants
            rulesets=list(rulesets),
            but=list(but),
        )
        return [(ruleset, game) for ruleset, game in rows]

    def lock_leaderboard(self, ruleset: str) -> int | None:
        """In two statements, since the second must see what was written until the first had the lock."""
        held = self.one(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))", name=f"leaderboard {ruleset}"
        )
        return self.games_counted(ruleset) + 1 if held is not None and held[0] else None

    def mark_rated(self, game: UUID) -> bool:
        return bool(
            self.done(
                "UPDATE games SET rated_at = clock_timestamp()"  # nosec B608 # constants
                f" WHERE id = %(game)s AND {_TO_RATE}",
                game=game,
            )
        )

    def ratings_in(self, ruleset: str, players: Sequence[UUID]) -> dict[UUID, Rating]:
        rows = self.all(
            f"SELECT r.player_id, {_RATING} FROM ratings r"  # nosec B608 # constants
            " WHERE r.ruleset = %(ruleset)s AND r.player_id = ANY(%(players)s)",
            ruleset=ruleset,
            players=list(players),
        )
        return {player: _rating_of(rating) for player, *rating in rows}

    def ratings_of(self, player: UUID) -> dict[str, Rating]:
        rows = self.all(
            f"SELECT r.ruleset, {_RATING} FROM ratings r WHERE r.player_id = %(player)s"  # nosec B608 # constants
            " ORDER BY r.ruleset",
            player=player,
        )
        return {ruleset: _rating_of(rating) for ruleset, *rating in rows}

    def set_ratings(self, ruleset: str, number: int, ratings: Mapping[UUID, Rating]) -> None:
        self.done(
            "INSERT INTO leaderboards (ruleset, games) VALUES (%(ruleset)s, %(number)s)"
            " ON CONFLICT (ruleset) DO UPDATE SET games = excluded.games",
            ruleset=ruleset,
            number=number,
        )
        self.done(
            "INSERT INTO ratings (player_id, ruleset, mu, sigma, ordinal, games, wins)"
            " SELECT player_id, %(ruleset)s, mu, sigma, ordinal, games, wins FROM unnest(%(players)s::uuid[],"
            " %(mus)s::float8[], %(sigmas)s::float8[], %(ordinals)s::float8[], %(games)s::int[], %(wins)s::int[])"
            " AS new (player_id, mu, sigma, ordinal, games, wins)"
            " ON CONFLICT (player_id, ruleset) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,"
            " ordinal = excluded.ordinal, games = excluded.games, wins = excluded.wins",
            ruleset=ruleset,
            players=list(ratings),
            mus=[rating.mu for rating in ratings.values()],
            sigmas=[rating.sigma for rating in ratings.values()],
            ordinals=[rating.belief.ordinal for rating in ratings.values()],
            games=[rating.games for rating in ratings.values()],
            wins=[rating.wins for rating in ratings.values()],
        )

    def add_rating_changes(self, game: UUID, ruleset: str, number: int, changes: Sequence[RatingChange]) -> None:
        self.done(
            "INSERT INTO rating_changes (game_id, ruleset, number, seat, player_id, side, rank, mu_before,"
            " sigma_before, mu_after, sigma_after) SELECT %(game)s, %(ruleset)s, %(number)s, new.*"
            " FROM unnest(%(seats)s::smallint[], %(players)s::uuid[], %(sides)s::smallint[], %(ranks)s::smallint[],"
            " %(mus_before)s::float8[], %(sigmas_before)s::float8[], %(mus_after)s::float8[],"
            " %(sigmas_after)s::float8[]) AS new",
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
        row = self.one("SELECT games FROM leaderboards WHERE ruleset = %(ruleset)s", ruleset=ruleset)
        return 0 if row is None else int(row[0])

    def standings(self, ruleset: str, *, bots: bool, after: tuple[float, UUID] | None, limit: int) -> list[Standing]:
        ordinal, player = (None, None) if after is None else after
        rows = self.all(
            f"SELECT p.id, p.name, p.bot, {_RATING} FROM ratings r"  # nosec B608 # constants
            f" JOIN players p ON p.id = r.player_id WHERE {_LISTED}"
            + ("" if after is None else " AND (r.ordinal, r.player_id) < (%(ordinal)s, %(player)s)")
            + " ORDER BY r.ordinal DESC, r.player_id DESC LIMIT %(limit)s",
            ruleset=ruleset,
            bots=bots,
            ordinal=ordinal,
            player=player,
            limit=limit,
        )
        return [
            Standing(player=player, name=name, bot=bot, rating=_rating_of(rating))
            for player, name, bot, *rating in rows
        ]

    def standing_of(self, ruleset: str, standing: Standing, *, bots: bool) -> tuple[int, int]:
        row = self.one(
            "SELECT count(*), 1 + count(*) FILTER (WHERE r.ordinal > %(ordinal)s) FROM ratings r"
            f" WHERE {_LISTED} AND (r.ordinal, r.player_id) > (%(ordinal)s, %(player)s)",  # nosec B608 # constants
            ruleset=ruleset,
            bots=bots,
            ordinal=standing.rating.belief.ordinal,
            player=standing.player,
        )
        assert row is not None
        return int(row[0]), int(row[1])
