"""What is asked about combats."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from service.api.operation.fields import MAX_INT
from service.api.operation.shapes import PLACE, PageQuery


class NumberQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[int, Meta(ge=0, le=MAX_INT), PLACE] = 0
