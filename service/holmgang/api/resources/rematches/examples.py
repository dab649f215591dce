"""Examples of rematches."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import EXPIRY, OVER_GAME

_NAMED = {"game": OVER_GAME}
_REMATCH = {"game": OVER_GAME, "agreed": [0], "missing": [1], "expires_at": EXPIRY, "next": None}
AGREE_TO_REMATCH = Example(_NAMED, {"whole": {}}, {"agreed": _REMATCH})
GET_REMATCH = Example(_NAMED, answers={"pending": _REMATCH})
TAKE_BACK_REMATCH = Example(_NAMED)
