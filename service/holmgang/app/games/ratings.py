"""Ratings: what the results of rated games say of those who played them.

An account's strength in a ruleset is believed to be normal with mean `mu` and deviation `sigma`, and each result
changes the belief by the Plackett-Luce model of Weng and Lin (JMLR 12, 2011). Games are counted one at a time in a
ruleset, in the order in which they ended but for those that cannot be counted yet, and numbered; what each did is kept,
so that all of it can be computed again.

A game counts however it ended: a resignation in its first turn is a loss. What is played for an absent seat counts as
its player's. A shared win is a win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Protocol
from uuid import UUID

from openskill.models import PlackettLuce

from holmgang import registry
from holmgang.app.errors import NotFound
from holmgang.app.play.position import teams_of
from holmgang.app.ports import GamesTable, LeaderboardsTable, RatingsTable
from holmgang.app.records.games import Game
from holmgang.app.records.ratings import Belief, Listed, Rating, RatingChange, Standing
from holmgang.engine.teams import Side

MU, SIGMA = 25.0, 25.0 / 3
NEWCOMER = Rating(mu=MU, sigma=SIGMA, games=0, wins=0)

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA, beta=SIGMA / 2, kappa=1e-4, tau=SIGMA / 100)
"""Its constants are written out: the history was computed with them, whatever the library's defaults become."""

_SHOWN_AT_ZERO, _SHOWN_PER_UNIT = 1500, 24
"""So that a newcomer, whose ordinal is 0, shows 1500, and one initial sigma is 200 points."""


class CountingTables(RatingsTable, GamesTable, Protocol): ...


def shown(belief: Belief) -> int:
    """The rating as people read it: a scale of the ordinal, `mu - 3 sigma`."""
    return round(_SHOWN_AT_ZERO + _SHOWN_PER_UNIT * belief.ordinal)


def ranks_of(sides: Sequence[Side], ranking: Sequence[Sequence[int]]) -> list[int]:
    """The rank of each side, from 1, by a result's ranking of seats; sides of one group share a rank."""
    return [1 + next(n for n, group in enumerate(ranking) if side[0] in group) for side in sides]


def assessed(
    sides: Sequence[Side], ranks: Sequence[int], players: Sequence[UUID], before: Mapping[UUID, Belief]
) -> dict[UUID, Belief]:
    """What is believed of the `players`, given by seat, after a game whose sides came in on these ranks.

    An account with several seats (only built-in bots have them) plays each at the strength it had before and goes to
    the mean of what they make of it: a game never tells more of it than one seat would, and what its seats win from
    each other is nothing. A game of a single account tells nothing.
    """
    if len(set(players)) < 2:
        return {player: before[player] for player in players}
    teams = [[_MODEL.create_rating([before[players[s]].mu, before[players[s]].sigma]) for s in side] for side in sides]
    found: dict[UUID, list[Belief]] = {player: [] for player in players}
    for side, team in zip(sides, _MODEL.rate(teams, ranks=[float(rank) for rank in ranks]), strict=True):
        for seat, one in zip(side, team, strict=True):
            found[players[seat]].append(Belief(one.mu, one.sigma))
    return {player: Belief(fmean(one.mu for one in of), fmean(one.sigma for one in of)) for player, of in found.items()}


def due(tables: RatingsTable, but: Iterable[UUID] = ()) -> list[tuple[str, UUID]]:
    """The rated game of each ruleset that ended first and is not counted yet, leaving out some."""
    return tables.unrated(registry.names(), list(but))


def count(tables: CountingTables, ruleset: str, ident: UUID) -> bool:
    """Let a game that is over change its players' ratings, unless another worker does or did. In a transaction.

    The ruleset is locked first: that puts its games in one order, and keeps others from its ratings.
    """
    number = tables.lock_leaderboard(ruleset)
    if number is None or not tables.mark_rated(ident):
        return False
    game = tables.game(ident)
    assert game is not None, "its row is locked"
    players = [holder.player for holder in game.holders]
    before = dict.fromkeys(players, NEWCOMER) | tables.ratings_in(ruleset, players)
    sides, ranking = teams_of(game), _ranking(game)
    ranks = ranks_of(sides, ranking)
    after = assessed(sides, ranks, players, {player: rating.belief for player, rating in before.items()})
    winners = {players[seat] for seat in ranking[0]}
    tables.set_ratings(
        ruleset,
        number,
        {
            player: Rating(
                mu=belief.mu,
                sigma=belief.sigma,
                games=before[player].games + 1,
                wins=before[player].wins + (player in winners),
            )
            for player, belief in sorted(after.items())
        },
    )
    tables.add_rating_changes(
        ident,
        ruleset,
        number,
        [
            RatingChange(
                seat=seat,
                player=players[seat],
                side=n,
                rank=ranks[n],
                before=before[players[seat]].belief,
                after=after[players[seat]],
            )
            for n, side in enumerate(sides)
            for seat in side
        ],
    )
    return True


def _ranking(game: Game) -> list[list[int]]:
    assert game.result is not None, "a game that is over has a result"
    return game.result.ranking


def known(ruleset: str) -> None:
    """Refuse a ruleset that is not played here."""
    try:
        registry.latest(ruleset)
    except registry.UnknownRuleset:
        raise NotFound("ruleset", ruleset) from None


def standing(tables: LeaderboardsTable, listed: Listed, player: UUID) -> list[tuple[int, Standing]]:
    """The line of one player with its rank; none for who is not listed."""
    found = tables.standing(listed, player)
    return [] if found is None else [(tables.standing_of(listed, found)[1], found)]


def standings(
    tables: LeaderboardsTable, listed: Listed, *, after: tuple[float, UUID] | None, limit: int
) -> list[tuple[int, Standing]]:
    """The best of those who are listed with their ranks among them, from the one after an ordinal and player; equal
    ratings share a rank."""
    found = tables.standings(listed, after=after, limit=limit)
    if not found:
        return []
    above, rank = (0, 1) if after is None else tables.standing_of(listed, found[0])
    ranked = []
    for n, standing in enumerate(found):
        if n and standing.rating.belief.ordinal != found[n - 1].rating.belief.ordinal:
            rank = above + n + 1
        ranked.append((rank, standing))
    return ranked
