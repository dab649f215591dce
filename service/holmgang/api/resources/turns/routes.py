"""A running game as its players meet it: the view, the turn, and the board as a picture."""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

from flask import Response, request
from msgspec import Struct

from holmgang.api.http.tags import shown_as, tag_of
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.pictures import DOCUMENT, SVG, Theme, policy
from holmgang.api.operation.schemas import refs
from holmgang.api.operation.shapes import AfterTurn, AsSeat, At, Wait, WaitQuery
from holmgang.api.operation.showing import Body, Shown, body_with_time
from holmgang.api.operation.terms import Cost, Links, described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.reading import history, pictures, queries
from holmgang.app.records.contexts import ViewContext
from holmgang.app.records.play import Turn
from holmgang.engine.codec import encode_json
from holmgang.languages.catalogue import tongue
from holmgang.languages.negotiation import language_of

from . import examples


class ViewQuery(WaitQuery, frozen=True, kw_only=True):
    as_seat: AsSeat | None = None
    at: At | None = None
    after_turn: AfterTurn | None = None


class TurnQuery(Struct, frozen=True, kw_only=True):
    include: Literal["view"] | None = None
    """`view` adds the view, and saves a request."""
    wait: Wait | None = None
    as_seat: AsSeat | None = None


class PictureQuery(Struct, frozen=True, kw_only=True):
    as_seat: AsSeat | None = None
    at: At | None = None
    after_turn: AfterTurn | None = None
    theme: Theme = "auto"


PICTURE = "p2"
"""The form of pictures in tags; the number changes when what they show does."""


def _shown(context: ViewContext, form: str, query: ViewQuery | PictureQuery, make: Callable[[], bytes]) -> Shown:
    """Before the start of a game there is nothing that `*` could match, nor of its past before the end."""
    there = context.snapshot.started
    if query.at is not None:
        form = f"{form}.at{query.at}" if query.as_seat is None else f"{form}.at{query.at}.{query.as_seat}"
        there = context.snapshot.status == "over"
    elif query.after_turn is not None:
        form = f"{form}.after{query.after_turn}"
        there = query.after_turn < context.snapshot.turn
    return Shown(context.caller, tag_of(context.caller, form), there, lambda: Body(make()))


@operation(
    games,
    "GET /games/<uuid:game>/board.svg",
    Access.SIGHT,
    DOCUMENT,
    query=PictureQuery,
    content_type=SVG,
    tagged=True,
    cost=Cost(3, at=40),
)
@described(examples.get_board_picture, problems="game_not_active game_not_over", translated=True)
def get_board_picture(call: Call, query: PictureQuery, game: UUID) -> Response:
    """See the board as a picture

    The picture shows what your view shows, and nothing else: equal views give equal pictures. Its description is the
    board as text. The words in both, `lang` and the tag follow `Accept-Language`. It has no scripts and fetches
    nothing. Poll it with If-None-Match; it does not wait. With `at` it shows the board of a finished game as it was
    after that row of the log; with `after_turn` that of any game as you saw it once that turn had ended.
    """
    at, as_seat, after, theme = query.at, query.as_seat, query.after_turn, query.theme
    context = call.view_context(game, as_seat if at is None else None)
    language = language_of(request.environ)

    def draw() -> bytes:
        spoken = tongue(language, context.snapshot.ruleset)
        if at is not None:
            drawn = pictures.picture_at(call.tables, context, theme, spoken, at, as_seat)
        elif after is not None:
            drawn = pictures.picture_after(call.tables, context, theme, spoken, after)
        else:
            drawn = pictures.picture(call.tables, context, theme, spoken)
        return drawn.encode()

    shown = _shown(context, f"{PICTURE}.{theme}.{language}", query, draw)
    return shown_as(shown, mimetype=SVG, **{"Content-Language": language, "Content-Security-Policy": policy(theme)})


VIEW = "v1"
"""The form of views in tags; the number changes when what they show does. So it is of turns."""


def _form(query: TurnQuery) -> str:
    return "tv3" if query.include == "view" else "t3"


def _submit(called: str, action: str) -> Links:
    return links("submit", called=called, body={"turn": "/turn", "action": action}, game="/game")


def _view(call: Call, query: ViewQuery, game: UUID) -> Shown:
    at, as_seat, after = query.at, query.as_seat, query.after_turn
    context = call.view_context(game, as_seat if at is None else None)

    def see() -> bytes:
        if at is not None:
            return encode_json(history.view_at(call.tables, context, at, as_seat))
        if after is not None:
            return encode_json(history.view_after(call.tables, context, after))
        return encode_json(queries.view(call.tables, context))

    return _shown(context, VIEW, query, see)


def _turn(call: Call, query: TurnQuery, game: UUID) -> Shown:
    context = call.turn_context(game, query.as_seat)

    def ask() -> Body:
        turn = queries.turn(call.tables, context, with_view=query.include == "view")
        return body_with_time(encode_json(turn), "server_time", turn.server_time)

    return Shown(context.caller, tag_of(context.caller, _form(query)), True, ask)


@operation(
    games,
    "GET /games/<uuid:game>/view",
    Access.SIGHT,
    {"anyOf": refs("View")},
    query=ViewQuery,
    cost=Cost(at=40),
    polls=Poll(lambda _query: VIEW, fast=("",), started=True, shows=_view),
)
@described(examples.get_view, problems="game_not_active game_not_over")
def get_view(call: Call, query: ViewQuery, game: UUID) -> Response:
    """See the game as your seat, or a spectator, may see it

    Poll it with If-None-Match. With `wait` as well, the request is held until the view changes. With `at` you see a
    finished game as it was after that row of the log, as your seat saw it, or with `as_seat` as any other seat did. The
    record holds all of this, too. With `after_turn` you see any game as you saw it once that turn had ended.
    """
    return shown_as(_view(call, query, game))


@operation(
    games,
    "GET /games/<uuid:game>/turn",
    Access.SIGHT,
    Turn,
    query=TurnQuery,
    polls=Poll(_form, fast=("", "include=view"), asks=True, shows=_turn),
)
@described(examples.get_turn, _submit("submitListed", "/legal/actions/0"), _submit("submitSample", "/legal/sample"))
def get_turn(call: Call, query: TurnQuery, game: UUID) -> Response:
    """Read what the game asks now, of whom, and what you may answer

    `legal` lists all your legal actions if they are 200 or fewer; otherwise it counts and describes them and gives one.
    Poll it with If-None-Match, and with `wait` to get news at once. Without If-None-Match a request that waits is held
    until you are asked, or anything else has happened.
    """
    return shown_as(_turn(call, query, game))
