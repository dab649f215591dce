"""An example of who is there."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import GAME, LATER

_SEATS = [
    {"seat": 0, "status": "here", "away_since": None},
    {"seat": 1, "status": "away", "away_since": LATER},
    {"seat": 2, "status": "hidden", "away_since": None},
]
GET_PRESENCE = Example({"game": GAME}, answers={"seats": {"game": GAME, "seats": _SEATS}})
