"""Examples of players."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, PLAYER, SECRET, TOKEN, Story
from holmgang.api.resources.leaderboards.examples import FRESH

RAGNA = {"id": PLAYER, "name": "Ragna", "created_at": AT, "ratings": {}}
REGISTER_PLAYER = Example(
    bodies={"named": {"name": "Ragna"}},
    answers={"registered": {"player": RAGNA, "token": SECRET, "token_id": TOKEN}},
)


def get_player(story: Story) -> Example:
    return Example({"player": PLAYER}, answers={"player": {**RAGNA, "ratings": {story.rules.ruleset: FRESH}}})
