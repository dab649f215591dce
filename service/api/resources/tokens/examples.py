"""Examples of tokens."""

from __future__ import annotations

from service.api.operation.declaration import Example
from service.api.resources.examples import EXPIRY, GAME, SECOND_TOKEN, SECRET, page
from service.api.resources.story import AT, Story

_TOKEN = {
    "id": SECOND_TOKEN,
    "label": "bot",
    "scopes": ["read", "play"],
    "game": None,
    "seat": None,
    "created_at": AT,
    "expires_at": EXPIRY,
}
_NAMED = {"token": SECOND_TOKEN}


def create_token(story: Story) -> Example:
    bodies = {
        "for_a_bot": {"label": "bot", "scopes": ["read", "play"], "expires_at": EXPIRY},
        "for_one_seat": {"label": "one game", "scopes": ["read", "play"], "game": GAME},
    }
    return Example(bodies=bodies, answers={"issued": {**_TOKEN, "token": SECRET}})


def list_tokens(story: Story) -> Example:
    return Example(answers=page(_TOKEN))


def get_token(story: Story) -> Example:
    return Example(_NAMED, answers={"token": _TOKEN})


def revoke_token(story: Story) -> Example:
    return Example(_NAMED)
