"""Examples of combats; none where no game has any."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, LATER, OVER_GAME, Story, Values, page


def _combats(story: Story) -> list[Values]:
    if not story.combat:
        return []
    known = {"number": story.combat["number"], "status": "resolved", "turn": 2, "opened_at": AT, "resolved_at": LATER}
    return [{**known, "record": story.combat}]


def list_combats(story: Story) -> Example:
    return Example({"game": OVER_GAME}, answers=page(*_combats(story)))


def get_combat(story: Story) -> Example:
    answers = dict(zip(["resolved"], _combats(story), strict=False))
    return Example({"game": OVER_GAME, "number": 1}, answers=answers)
