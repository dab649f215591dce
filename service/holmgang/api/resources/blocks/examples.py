"""Examples of blocks."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, OTHER, THIRD, page

_NAMED = {"player": THIRD}
_BLOCK = {"player": THIRD, "name": "Torsten", "created_at": AT}
BLOCK_PLAYER = Example({"player": OTHER}, {"whole": {}}, {"blocked": {**_BLOCK, "player": OTHER, "name": "Sigrid"}})
LIST_BLOCKS = Example(answers=page(_BLOCK))
GET_BLOCK = Example(_NAMED, answers={"blocked": _BLOCK})
UNBLOCK_PLAYER = Example(_NAMED)
