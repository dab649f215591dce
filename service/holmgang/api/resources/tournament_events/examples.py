"""Examples of events of tournaments."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, LATER, PLAYER, TOURNAMENT, Story, Values
from holmgang.api.resources.tournaments.examples import NAMED


def _event(seq: int, at: str, kind: str, **more: object) -> Values:
    return {"seq": seq, "at": at, "type": kind, "entry": None, "round": None, "table": None, **more}


def list_tournament_events(story: Story) -> Example:
    items = [
        _event(1, AT, "created"),
        _event(2, AT, "entered", entry=PLAYER),
        _event(3, LATER, "started"),
        _event(4, LATER, "paired", round=1),
        _event(5, LATER, "counted", round=1, table=1),
    ]
    told = {"items": items, "next": f"{story.base}/v1/tournaments/{TOURNAMENT}/events?after=5"}
    return Example({**NAMED, "after": 0}, answers={"page": told})
