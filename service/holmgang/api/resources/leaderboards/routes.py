"""Who plays best: the ratings of a ruleset, highest first."""

from typing import Any

from holmgang.api.http.tags import unchanged
from holmgang.api.operation.answers import page_of
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.fields import Place
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import Packs, described, links
from holmgang.api.resources.leaderboards.schemas import LeaderboardPage, LeaderboardQuery, StandingAnswer
from holmgang.api.resources.rulesets.components import RULESET
from holmgang.app.games import ratings
from holmgang.app.ports import NAMES
from holmgang.app.records.ratings import Listed, Standing

from . import examples

leaderboards = Resources("leaderboards", __name__, "Ratings of players and bots, from rated games.", ruleset=RULESET)
_SHARED = {"Cache-Control": "public, max-age=10"}
_FORM = "l1"
"""Of the answer, for its tag; the number changes when what it shows does."""


@operation(
    leaderboards,
    "GET /leaderboards/<ruleset>",
    Access.PUBLIC,
    LeaderboardPage,
    query=LeaderboardQuery,
    packs=Packs.ALWAYS,
    tagged=True,
)
@described(
    examples.get_leaderboard,
    links(player="/items/0/player/id"),
    links("getRatingHistory getRatingHistoryPicture", player="/items/0/player/id", ruleset="$request.path.ruleset"),
)
def get_leaderboard(call: Call, query: LeaderboardQuery, ruleset: str) -> Any:
    """List the players of a ruleset, highest rating first

    Strength is estimated from the ranks of rated games by the Plackett-Luce model (OpenSkill), for people and built-in
    bots alike: a mean `mu` and its uncertainty `sigma`. The list is sorted by `mu - 3 sigma`, which a player almost
    certainly exceeds, and `rating` shows that as 1500 + 24 (mu - 3 sigma). So no least number of games is needed:
    players with few games are uncertain, and rank low. A game is counted within moments of its end. With
    `active_since` the list is of those who still play, and ranks are those among them.
    """
    ratings.known(ruleset)
    tag = f'W/"{call.tables.games_counted(ruleset)}.{call.tables.revision(NAMES)}.{_FORM}"'
    if (same := unchanged(tag, _SHARED)) is not None:
        return same
    since = query.active_since and query.active_since.date()
    listed = Listed(ruleset=ruleset, bots=query.bots, active_since=since)
    if query.player is not None:
        found = ratings.standing(call.tables, listed, query.player)
    else:
        found = ratings.standings(call.tables, listed, after=query.cursor, limit=query.limit + 1)
    page, headers = page_of(found, query.limit, lambda line: StandingAnswer.at(*line), cursor=_cursor)
    return page, {"ETag": tag, **_SHARED, **headers}


def _cursor(line: tuple[int, Standing]) -> str:
    _, standing = line
    return Place.written(standing.rating.belief.ordinal, standing.player)
