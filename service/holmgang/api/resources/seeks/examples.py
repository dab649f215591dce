"""Examples of seeks."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, DEADLINE, GAME, OTHER, PLAYER, SEEK, THEIR_SEEK, Story, Values, page

_NAMED = {"seek": SEEK}


def _terms(story: Story) -> Values:
    return {
        "ruleset": story.rules.ruleset,
        "options": {},
        "visibility": "public",
        "spectators": True,
        "turn_seconds": 60,
        "bank_seconds": None,
        "increment_seconds": None,
        "leave_days": None,
        "absence": "default",
        "clock": "runs",
        "rated": True,
    }


def _seek(story: Story) -> Values:
    return {
        "id": SEEK,
        "player": PLAYER,
        "status": "waiting",
        "terms": _terms(story),
        "seats": [story.seats],
        "wanted": "both",
        "rating_below": 200,
        "rating_above": 200,
        "rating_widens": 50,
        "created_at": AT,
        "expires_at": DEADLINE,
        "game": None,
        "seat": None,
    }


def create_seek(story: Story) -> Example:
    body = {
        "ruleset": story.rules.ruleset,
        "seats": [story.seats],
        "turn_seconds": 60,
        "rated": True,
        "rating_below": 200,
        "rating_above": 200,
        "rating_widens": 50,
    }
    return Example(bodies={"rated": body}, answers={"waiting": _seek(story)})


def list_seeks(story: Story) -> Example:
    seek = _seek(story)
    shown = {name: seek[name] for name in ("terms", "seats", "wanted", "created_at", "expires_at")}
    player = {"id": OTHER, "name": "Sigrid", "kind": "person", "rating": 1500}
    return Example(answers=page({"id": THEIR_SEEK, "player": player, **shown}))


def list_my_seeks(story: Story) -> Example:
    return Example(answers=page(_seek(story)))


def get_seek(story: Story) -> Example:
    matched = {**_seek(story), "status": "matched", "game": GAME, "seat": story.seat}
    return Example(_NAMED, answers={"matched": matched, "waiting": _seek(story)})


WITHDRAW_SEEK = Example(_NAMED)
