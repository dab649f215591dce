"""Examples of players."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, OTHER, OVER_GAME, PLAYER, SECRET, TOKEN, Story, Values, page
from holmgang.api.resources.leaderboards.examples import FRESH
from holmgang.app.reading.rating_picture import picture
from holmgang.engine.messages import ENGLISH

RAGNA: Values = {
    "id": PLAYER,
    "name": "Ragna",
    "created_at": AT,
    "kind": "person",
    "bot": None,
    "owner": None,
    "deleted": False,
    "ratings": {},
    "former_names": [],
}
REGISTER_PLAYER = Example(
    bodies={"named": {"name": "Ragna"}, "bot": {"name": "Ragna's first bot", "kind": "bot"}},
    answers={"registered": {"player": RAGNA, "token": SECRET, "token_id": TOKEN}},
)
_FOUND = {name: value for name, value in RAGNA.items() if name not in ("ratings", "former_names")}
LIST_PLAYERS = Example({"name": "rag"}, answers=page(_FOUND))


def get_player(story: Story) -> Example:
    return Example({"player": PLAYER}, answers={"player": {**RAGNA, "ratings": {story.rules.ruleset: FRESH}}})


def get_head_to_head(story: Story) -> Example:
    score = {"ruleset": story.rules.ruleset, "games": 12, "wins": 7, "shared": 1, "losses": 4}
    return Example({"player": PLAYER, "other": OTHER}, answers={"score": {"items": [score]}})


_POINT = {"rating": 1606, "mu": 26.5, "sigma": 7.36}


def get_rating_history(story: Story) -> Example:
    point = {**_POINT, "number": 8, "at": AT, "game": OVER_GAME, "rank": 1}
    return Example({"player": PLAYER, "ruleset": story.rules.ruleset}, answers=page(point))


def get_rating_history_picture(story: Story) -> Example:
    drawn = picture("Ragna", story.rules.title, [1520, 1490, 1606], "auto", ENGLISH)
    described, _, _ = drawn.partition("<style>")
    return Example({"player": PLAYER, "ruleset": story.rules.ruleset}, answers={"picture": described + "</svg>\n"})
