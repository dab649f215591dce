"""Examples of tokens."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, EXPIRY, GAME, SECOND_TOKEN, SECRET, page

_TOKEN = {
    "id": SECOND_TOKEN,
    "label": "bot",
    "scopes": ["read", "play"],
    "game": None,
    "seat": None,
    "created_at": AT,
    "expires_at": EXPIRY,
    "last_used_at": "2026-11-29T11:00:00Z",
}
_NAMED = {"token": SECOND_TOKEN}
CREATE_TOKEN = Example(
    bodies={
        "for_a_bot": {"label": "bot", "scopes": ["read", "play"], "expires_at": EXPIRY},
        "for_one_seat": {"label": "one game", "scopes": ["read", "play"], "game": GAME},
    },
    answers={"issued": {**_TOKEN, "last_used_at": None, "token": SECRET}},
)
LIST_TOKENS = Example(answers=page(_TOKEN))
GET_TOKEN = Example(_NAMED, answers={"token": _TOKEN})
REVOKE_TOKEN = Example(_NAMED)
