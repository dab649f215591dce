"""What is asked about pictures."""

from __future__ import annotations

from typing import Annotated

from marshmallow import validate
from msgspec import Meta, Struct

from service.api.operation.shapes import AsSeat, At
from service.engine.palette import THEMES


class PictureQuery(Struct, frozen=True, kw_only=True):
    as_seat: AsSeat | None = None
    at: At | None = None
    theme: Annotated[str, Meta(extra={"validate": [validate.OneOf(THEMES)]})] = "auto"
    """The colours; `auto` follows what the reader's system prefers."""
