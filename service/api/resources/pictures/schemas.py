"""What is asked about pictures."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.schemas import Body, as_seat, at
from service.engine.palette import THEMES


class PictureQuery(Body):
    as_seat = as_seat()
    at = at()
    theme = fields.String(
        load_default="auto",
        validate=validate.OneOf(THEMES),
        metadata={"description": "The colours; `auto` follows what the reader's system prefers."},
    )
