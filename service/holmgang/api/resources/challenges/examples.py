"""Examples of challenges."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import (
    ASKED,
    AT,
    CHALLENGE,
    EXPIRY,
    LATER,
    OTHER,
    PLAYER,
    Story,
    Values,
    page,
    people,
    plain,
)
from holmgang.app.records.terms import Terms

_NAMED = {"challenge": CHALLENGE}
_ASKED = {"challenge": ASKED}
"""One that the examples' player has been asked."""
TAKE_BACK_ANSWER = Example(_ASKED)
WITHDRAW_CHALLENGE = Example(_NAMED)


def _others(story: Story) -> list[tuple[str, str]]:
    return [one for one in people(story).values() if one[0] != PLAYER]


def _asked(ident: str, name: str) -> Values:
    return {"player": ident, "name": name, "bot": None, "answer": None, "reason": None}


def _challenge(story: Story) -> Values:
    return {
        "id": CHALLENGE,
        "challenger": PLAYER,
        "name": "Ragna",
        "seat": 0,
        "terms": plain(Terms(ruleset=story.rules.ruleset, options=story.option, turn_seconds=3600, clock="waits")),
        "status": "pending",
        "created_at": AT,
        "expires_at": EXPIRY,
        "ended_at": None,
        "game": None,
        "players": [_asked(ident, name) for ident, name in _others(story)],
    }


def create_challenge(story: Story) -> Example:
    named = [ident for ident, _ in _others(story)]
    body = {"ruleset": story.rules.ruleset, "players": named, "seat": 0, "turn_seconds": 3600}
    return Example(bodies={"by_ids": body}, answers={"made": _challenge(story)})


def list_my_challenges(story: Story) -> Example:
    return Example(answers=page(_challenge(story)))


def get_challenge(story: Story) -> Example:
    ended = {"status": "expired", "ended_at": LATER}
    return Example(_NAMED, answers={"ended": {**_challenge(story), **ended}, "pending": _challenge(story)})


def answer_challenge(story: Story) -> Example:
    declined = {**_asked(PLAYER, "Ragna"), "answer": "declined", "reason": "later"}
    others = [_asked(ident, name) for ident, name in _others(story) if ident != OTHER]
    ended = {"status": "declined", "ended_at": LATER, "players": [declined, *others]}
    return Example(
        _ASKED,
        {"declined": {"accepts": False, "reason": "later"}, "accepted": {"accepts": True}},
        {"declined": {**_challenge(story), "id": ASKED, "challenger": OTHER, "name": "Sigrid", **ended}},
    )
