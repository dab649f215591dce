"""Examples of analyses of games."""

from typing import Any

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, LATER, OVER_GAME, Story, Values

_NAMED = {"game": OVER_GAME}


def _analysis(**more: Any) -> Values:
    return {
        "game": OVER_GAME,
        "bot": "search",
        "status": "waiting",
        "judged": 0,
        "total": None,
        "asked_at": AT,
        "finished_at": None,
        "positions": [],
        "choices": [],
        **more,
    }


def _done(story: Story) -> Values:
    """Of a game in which but one choice was made, which the bot would have made too."""
    entry, last = story.log[1]["entry"], story.log[-1]["seq"]
    seat, action = entry["actions"][0]
    even = round(1 / len(story.rules.teams(story.seats)), 4)
    choice = {
        "seq": 1,
        "turn": entry["turn"],
        "seat": seat,
        "kind": entry["kind"],
        "context": story.context,
        "action": action,
        "preferred": action,
        "agrees": True,
        "forced": False,
        "value": even,
        "preferred_value": even,
    }
    won = 1 / len(story.result["winners"])
    result = [won if each in story.result["winners"] else 0.0 for each in range(story.seats)]
    positions = [
        {"seq": 0, "turn": entry["turn"], "values": [even] * story.seats},
        {"seq": last, "turn": story.log[-1]["entry"]["turn"], "values": result},
    ]
    counted = {"status": "done", "judged": 1, "total": 1, "finished_at": LATER}
    return _analysis(**counted, positions=positions, choices=[choice])


def ask_for_analysis(story: Story) -> Example:
    return Example(_NAMED, {"whole": {}}, {"asked": _analysis()}, {"done": _done(story)})


def get_analysis(story: Story) -> Example:
    return Example(_NAMED, answers={"done": _done(story), "waiting": _analysis()})
