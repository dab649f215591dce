"""A running game as its players meet it: the view and the turn."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from service.api.http.tags import form_at, nothing_new, tag_of, unchanged
from service.api.operation.answers import private
from service.api.operation.costs import Cost
from service.api.operation.declaration import Poll, operation
from service.api.operation.description import Links, described, links
from service.api.operation.gate import Access, Call
from service.api.operation.schemas import refs
from service.api.resources.games.routes import games
from service.api.resources.turns.schemas import TurnQuery, ViewQuery
from service.app.reading import history, queries
from service.app.records.play import Turn

from . import examples

VIEW = "v1"
"""The form of views in tags; the number changes when what they show does. So it is of turns."""


def _form(query: TurnQuery) -> str:
    return "tv1" if query.include == "view" else "t1"


def _submit(called: str, action: str) -> Links:
    return links("submit", called=called, body={"turn": "/turn", "action": action}, game="/game")


@operation(
    games,
    "GET /games/<uuid:game>/view",
    Access.SIGHT,
    {"anyOf": refs("View")},
    query=ViewQuery,
    cost=Cost(at=40),
    polls=Poll(lambda _query: VIEW, fast=("",), started=True),
)
@described(examples.get_view, problems="game_not_active game_not_over")
def get_view(call: Call, query: ViewQuery, game: UUID) -> Response:
    """See the game as your seat, or a spectator, may see it

    Poll it with If-None-Match. With `wait` as well, the request is held until the view changes. With `at` you see a
    finished game as it was after that row of the log, as your seat saw it, or with `as_seat` as any other seat did. The
    record holds all of this, too.
    """
    at, as_seat = query.at, query.as_seat
    if at is not None:
        context = call.view_context(game, None)
        tag = tag_of(context.caller, f"{VIEW}.{form_at(at, as_seat)}")
        same = nothing_new(context, tag, past=True)
        return same or private(history.view_at(call.tables, context, at, as_seat), ETag=tag)
    context = call.view_context(game, as_seat)
    tag = tag_of(context.caller, VIEW)
    return nothing_new(context, tag) or private(queries.view(call.tables, context), ETag=tag)


@operation(
    games,
    "GET /games/<uuid:game>/turn",
    Access.SIGHT,
    Turn,
    query=TurnQuery,
    polls=Poll(_form, fast=("", "include=view"), asks=True),
)
@described(examples.get_turn, _submit("submitListed", "/legal/actions/0"), _submit("submitSample", "/legal/sample"))
def get_turn(call: Call, query: TurnQuery, game: UUID) -> Response:
    """Read what the game asks now, of whom, and what you may answer

    `legal` lists all your legal actions if they are 200 or fewer; otherwise it counts and describes them and gives one.
    Poll it with If-None-Match, and with `wait` to get news at once. Without If-None-Match a request that waits is held
    until you are asked, or anything else has happened.
    """
    with_view = query.include == "view"
    context = call.turn_context(game, query.as_seat)
    tag = tag_of(context.caller, _form(query))
    return unchanged(tag) or private(queries.turn(call.tables, context, with_view=with_view), ETag=tag)
