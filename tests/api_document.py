"""The API document as the tests look at it: made once in each of their processes, and changed by nobody."""

from __future__ import annotations

from functools import cache
from typing import Any

from service.api.openapi.document import document


@cache
def api_document() -> dict[str, Any]:
    return document()
