"""Examples of ratings: those of the example game, computed as those of any game are."""

from uuid import UUID

from msgspec.structs import asdict

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import OTHER, PEOPLE, PLAYER, Story, Values, page, people
from holmgang.api.resources.leaderboards.schemas import BeliefAnswer
from holmgang.app.games.ratings import NEWCOMER, assessed, ranks_of

_NAMES = dict(PEOPLE)
_SEASONED = {"rating": 1938, "mu": 27.25, "sigma": 3.0, "games": 41, "wins": 19}
FRESH = {"rating": 1606, "mu": 26.5, "sigma": 7.36, "games": 2, "wins": 1}


def changes(story: Story) -> list[Values]:
    """What the example game that is over did to its players, who were newcomers."""
    held = people(story)
    players = [UUID(held[seat][0]) for seat in range(story.seats)]
    sides = story.rules.teams(story.seats)
    ranks = ranks_of(sides, story.result["ranking"])
    after = assessed(sides, ranks, players, dict.fromkeys(players, NEWCOMER.belief))
    return [
        {
            "seat": seat,
            "player": str(players[seat]),
            "rank": rank,
            "before": _rounded(BeliefAnswer.of(NEWCOMER.belief)),
            "after": _rounded(BeliefAnswer.of(after[players[seat]])),
        }
        for side, rank in zip(sides, ranks, strict=True)
        for seat in side
    ]


def _rounded(belief: BeliefAnswer) -> Values:
    """Machines differ in the last digits, and the document must not."""
    return {name: round(value, 6) for name, value in asdict(belief).items()}


def get_leaderboard(story: Story) -> Example:
    def line(rank: int, ident: str, rating: Values) -> Values:
        return {"rank": rank, "player": {"id": ident, "name": _NAMES[ident], "bot": None}, **rating}

    people = page(line(1, OTHER, _SEASONED), line(2, PLAYER, FRESH))["page"]
    return Example({"ruleset": story.rules.ruleset, "bots": True}, answers={"people": people})
