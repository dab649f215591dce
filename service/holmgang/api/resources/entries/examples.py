"""Examples of entries."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import (
    AT,
    INVITATION_SECRET,
    OPEN_TOURNAMENT,
    OWN_TOURNAMENT,
    PLAYER,
    Story,
    Values,
    page,
)
from holmgang.api.resources.tournaments.examples import NAMED, numbered


def _entry(player: str, name: str, number: int | None) -> Values:
    held: Values = {"id": player, "player": player, "name": name, "bot": None, "number": number}
    return {**held, "rating": None if number is None else 0.0, "joined_at": AT, "out": None, "out_at": None}


def _all(story: Story) -> list[Values]:
    return [_entry(player, name, n) for n, (player, name) in enumerate(numbered(story), start=1)]


def _own(story: Story) -> Values:
    return next(entry for entry in _all(story) if entry["id"] == PLAYER)


def enter_tournament(story: Story) -> Example:
    entered = {**_own(story), "number": None, "rating": None}
    bodies = {"oneself": {}, "invited": {"invitation": INVITATION_SECRET}, "a_bot": {"bot": "greedy"}}
    return Example({"tournament": OPEN_TOURNAMENT}, bodies, {"entered": entered}, {"again": entered})


def list_entries(story: Story) -> Example:
    return Example(NAMED, answers=page(*_all(story)))


def get_entry(story: Story) -> Example:
    return Example({**NAMED, "entry": PLAYER}, answers={"entry": _own(story)})


def leave_tournament(story: Story) -> Example:
    return Example({"tournament": OWN_TOURNAMENT, "entry": PLAYER})
