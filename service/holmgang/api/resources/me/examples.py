"""Examples of what concerns the caller."""

import json

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import DEADLINE, GAME, LATER, OVER_GAME, TOKEN, Story, page
from holmgang.api.resources.games.examples import opened
from holmgang.api.resources.players.examples import RAGNA

_TOKEN = {"id": TOKEN, "scopes": ["read", "play", "manage"], "game": None, "seat": None}
GET_ME = Example(answers={"me": {"player": RAGNA, "token": _TOKEN, "hides_presence": False}})
DELETE_ME = Example(bodies={"confirmed": {"name": "Ragna"}})
CHANGE_ME = Example(
    bodies={"named": {"name": "Ragna Storm"}, "bot": {"kind": "bot"}, "hidden": {"hides_presence": True}},
    answers={"renamed": {**RAGNA, "name": "Ragna Storm", "former_names": [{"name": "Ragna", "until": LATER}]}},
)


def list_my_games(story: Story) -> Example:
    return Example(answers=page(opened(story)))


def export_my_games(story: Story) -> Example:
    line = json.dumps({"game": OVER_GAME, "ruleset": story.rules.ruleset, "...": "as getRecord answers it"})
    return Example(answers={"lines": line + "\n"})


def list_waiting_turns(story: Story) -> Example:
    turn = {
        "game": GAME,
        "ruleset": story.rules.ruleset,
        "seat": story.seat,
        "turn": story.asked.turn,
        "kind": story.asked.kind,
        "since": LATER,
        "deadline": DEADLINE,
    }
    return Example(answers={"one": {"items": [turn], "next_poll_ms": 1000}})
