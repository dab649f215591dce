"""Pictures as answers: SVG documents that run nothing and fetch nothing."""

from functools import cache
from typing import Annotated

from marshmallow import validate
from msgspec import Meta

from holmgang.engine.palette import THEMES, style_hash

SVG = "image/svg+xml"
DOCUMENT = {"type": "string", "description": "An SVG document."}
Theme = Annotated[
    str,
    Meta(
        description="The colours; `auto` follows what the reader's system prefers.",
        extra={"validate": [validate.OneOf(THEMES)]},
    ),
]


@cache
def policy(theme: str) -> str:
    """The Content-Security-Policy of a picture: its own style sheet and nothing else, wherever it is opened."""
    return (
        f"default-src 'none'; style-src '{style_hash(theme)}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; sandbox"
    )
