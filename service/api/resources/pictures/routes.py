"""The board of a game as a picture."""

from __future__ import annotations

from functools import cache
from uuid import UUID

from flask import Response, request

from service.api.http.tags import form_at, nothing_new, tag_of
from service.api.operation.answers import PRIVATE
from service.api.operation.costs import Cost
from service.api.operation.declaration import operation
from service.api.operation.description import described
from service.api.operation.gate import Access, Call
from service.api.resources.games.routes import games
from service.api.resources.pictures.schemas import PictureQuery
from service.app.reading import pictures
from service.engine.palette import style_hash
from service.languages.catalogue import tongue
from service.languages.negotiation import language_of

from . import examples

SVG = "image/svg+xml"


PICTURE = "p2"
"""The form of pictures in tags; the number changes when what they show does."""


@cache
def policy(theme: str) -> str:
    """The Content-Security-Policy of a picture: its own style sheet and nothing else, wherever it is opened."""
    return (
        f"default-src 'none'; style-src '{style_hash(theme)}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; sandbox"
    )


@operation(
    games,
    "GET /games/<uuid:game>/board.svg",
    Access.SIGHT,
    {"type": "string", "description": "An SVG document."},
    query=PictureQuery,
    content_type=SVG,
    tagged=True,
    cost=Cost(3, at=40),
)
@described(examples.get_board_picture, problems="game_not_active game_not_over")
def get_board_picture(call: Call, query: PictureQuery, game: UUID) -> Response:
    """See the board as a picture

    The picture shows what your view shows, and nothing else: equal views give equal pictures. Its description is the
    board as text. The words in both, `lang` and the tag follow `Accept-Language`. It has no scripts and fetches
    nothing. Poll it with If-None-Match; it does not wait. With `at` it shows the board of a finished game as it was
    after that row of the log.
    """
    at, as_seat, theme = query.at, query.as_seat, query.theme
    context = call.view_context(game, as_seat if at is None else None)
    language = language_of(request.environ)
    form = f"{PICTURE}.{theme}.{language}"
    tag = tag_of(context.caller, form if at is None else f"{form}.{form_at(at, as_seat)}")
    if (same := nothing_new(context, tag, past=at is not None)) is not None:
        return same
    spoken = tongue(language, context.snapshot.ruleset)
    drawn = (
        pictures.picture(call.tables, context, theme, spoken)
        if at is None
        else pictures.picture_at(call.tables, context, theme, spoken, at, as_seat)
    )
    headers = {**PRIVATE, "ETag": tag, "Content-Language": language, "Content-Security-Policy": policy(theme)}
    return Response(drawn, mimetype=SVG, headers=headers)
