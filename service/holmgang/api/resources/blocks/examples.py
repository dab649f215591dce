"""Examples of blocks."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, BLOCKED, OTHER, page

_NAMED = {"player": BLOCKED}
_BLOCK = {"player": BLOCKED, "name": "Ulf", "created_at": AT}
BLOCK_PLAYER = Example({"player": OTHER}, {"whole": {}}, {"blocked": {**_BLOCK, "player": OTHER, "name": "Sigrid"}})
LIST_BLOCKS = Example(answers=page(_BLOCK))
GET_BLOCK = Example(_NAMED, answers={"blocked": _BLOCK})
UNBLOCK_PLAYER = Example(_NAMED)
