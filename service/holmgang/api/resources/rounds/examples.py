"""Examples of rounds."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import LATER, OVER_GAME, Story, Values, page
from holmgang.api.resources.tournaments.examples import NAMED, met, numbered


def _round(story: Story) -> Values:
    one, players = met(story), [player for player, _ in numbered(story)]
    ranks = [1 + sum(other > mine for other in one.points) for mine in one.points]
    held = {"number": 1, "game": OVER_GAME, "players": players, "outcome": "played", "ranks": ranks}
    game = {**held, "absent": [], "ended_at": LATER}
    table = {"round": 1, "at": 1, "players": players, "points": list(one.points), "absent": [], "counted": 1}
    pairing = {"round": 1, "paired_at": LATER, "ended_at": LATER, "present": players, "byes": [], "known": 0}
    return {**pairing, "tables": [{**table, "games": [game]}]}


def list_rounds(story: Story) -> Example:
    return Example(NAMED, answers=page(_round(story)))


def get_round(story: Story) -> Example:
    return Example({**NAMED, "number": 1}, answers={"round": _round(story)})
