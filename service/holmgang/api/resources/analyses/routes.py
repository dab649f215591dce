"""What a bot thinks of games that are over: /v1/games/{game}/analysis."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import PLAYS, Access, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import Nothing, WaitQuery
from holmgang.api.operation.terms import Cost, described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.access import find_caller
from holmgang.app.reading import analyses
from holmgang.app.records.analyses import Analysis

from . import examples


def _analysed(call: Call, game: UUID) -> UUID:
    return analyses.ident_of(analyses.kept(call.tables, game).game)


@operation(
    games,
    "PUT /games/<uuid:game>/analysis",
    PLAYS,
    Analysis,
    body=Nothing,
    invited=True,
    status=HTTPStatus.ACCEPTED,
    also={HTTPStatus.OK: Analysis},
    cost=Cost(5),
)
@described(
    examples.ask_for_analysis,
    links("getAnalysis getRecord", game="/game"),
    problems="spectators_excluded game_not_over ruleset_unavailable limit_reached",
)
def ask_for_analysis(call: Call, body: Nothing, game: UUID) -> Any:
    """Have a finished game analysed

    The built-in bot `search` judges each position and each choice of the game, and says what it would have done
    instead. It knows of a choice what the seat that chose could know. A worker does that in the background, in a minute
    or so once its turn has come, and it is kept with the game: whoever may read the record may read the analysis. 202
    while it is not done, 200 once it is. Again is the same; one that failed goes on. So many may wait that you have
    asked for. The body is an empty object.
    """
    caller = find_caller(call.tables, call.bearer, game, call.invitation)
    found = analyses.ask(call.tables, call.me, caller, most=service().settings.analyses_per_player)
    return found, HTTPStatus.OK if found.status == "done" else HTTPStatus.ACCEPTED, PRIVATE


@operation(
    games,
    "GET /games/<uuid:game>/analysis",
    Access.VIEWER,
    Analysis,
    query=WaitQuery,
    polls=Poll(of=_analysed),
    cost=Cost(3),
)
@described(examples.get_analysis, links("getRecord", game="/game"))
def get_analysis(call: Call, query: WaitQuery, game: UUID) -> Response:
    """Read what the bot `search` thinks of a finished game

    404 until somebody has asked for it. While it is `running` the answer has what has been judged so far. Poll it with
    If-None-Match. With `wait` the request is held until it changes.
    """
    return revised(call, lambda: analyses.look(call.tables, game))
