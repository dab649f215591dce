"""Examples of ratings: those of the example game, computed as those of any game are."""

from __future__ import annotations

from uuid import UUID

from service.app.ratings import NEWCOMER, assessed, ranks_of

from .examples import OTHER, PLAYER, THIRD, Example
from .presenting import belief_answer
from .story import Story, Values

_NAMES = {PLAYER: "Ragna", OTHER: "Sigrid", THIRD: "Torsten"}
_SEASONED = {"rating": 1938, "mu": 27.25, "sigma": 3.0, "games": 41, "wins": 19}
_FRESH = {"rating": 1606, "mu": 26.5, "sigma": 7.36, "games": 2, "wins": 1}


def changes(story: Story) -> list[Values]:
    """What the example game that is over did to its players, who were newcomers."""
    players = [UUID(player) for player in _NAMES]
    sides = [(seat,) for seat in range(len(players))]
    ranks = ranks_of(sides, story.result["ranking"])
    after = assessed(sides, ranks, players, dict.fromkeys(players, NEWCOMER.belief))
    return [
        {
            "seat": seat,
            "player": str(player),
            "rank": ranks[seat],
            "before": _rounded(belief_answer(NEWCOMER.belief)),
            "after": _rounded(belief_answer(after[player])),
        }
        for seat, player in enumerate(players)
    ]


def _rounded(belief: Values) -> Values:
    """Machines differ in the last digits, and the document must not."""
    return {name: round(value, 6) for name, value in belief.items()}


def rating_examples(player: Values) -> dict[str, Example]:
    def line(rank: int, ident: str, rating: Values) -> Values:
        return {"rank": rank, "player": {"id": ident, "name": _NAMES[ident], "bot": None}, **rating}

    page = {"items": [line(1, OTHER, _SEASONED), line(2, PLAYER, _FRESH)], "next": None}
    return {
        "getPlayer": Example(
            {"player": PLAYER}, answers={"200": {"player": {**player, "ratings": {"eketorp": _FRESH}}}}
        ),
        "getLeaderboard": Example({"ruleset": "eketorp", "limit": 50, "bots": True}, answers={"200": {"people": page}}),
    }
