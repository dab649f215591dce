"""Examples of standings."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import Story, Values
from holmgang.api.resources.tournaments.examples import NAMED, met, numbered
from holmgang.tournaments import standings
from holmgang.tournaments.course import TIE_BREAKS


def _lines(story: Story) -> list[Values]:
    names = dict(numbered(story))
    found = standings.standings(tuple(names), [met(story)], TIE_BREAKS)
    return [
        {
            "rank": line.rank,
            "entry": line.player,
            "player": line.player,
            "name": names[line.player],
            "bot": None,
            "out": None,
            "points": line.points,
            "tie_breaks": [line.tie_breaks.get(name) for name in TIE_BREAKS],
        }
        for line in found
    ]


def get_standings(story: Story) -> Example:
    return Example(NAMED, answers={"standings": {"round": 1, "tie_breaks": list(TIE_BREAKS), "items": _lines(story)}})


def get_crosstable(story: Story) -> Example:
    order = [line["entry"] for line in _lines(story)]
    cells = standings.crosstable([met(story)])
    items = [
        {"entry": one, "against": other, "met": cells[one, other].games, "won": cells[one, other].won}
        for one in order
        for other in order
        if (one, other) in cells
    ]
    return Example(NAMED, answers={"crosstable": {"order": order, "items": items}})
