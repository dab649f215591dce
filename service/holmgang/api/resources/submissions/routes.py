"""Submissions: choices made, replaced and read."""

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from msgspec import Meta, Struct

from holmgang.api.operation.answers import address, private
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.fields import MAX_INT
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import Cost, described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.play import submissions
from holmgang.app.records.play import Receipt
from holmgang.engine.rules import of_rules

from . import examples

Turn = Annotated[int, Meta(ge=0, le=MAX_INT, description="The number of the turn that this answers.")]
Action = Annotated[
    Any, of_rules("Action"), Meta(description="By the schema of the turn's kind; see `kind` in the turn.")
]


class NewSubmission(Struct, frozen=True, kw_only=True):
    turn: Turn
    action: Action


class Replacement(Struct, frozen=True, kw_only=True):
    turn: Turn
    revision: Annotated[int, Meta(ge=1, le=MAX_INT)]
    """The revision that this replaces."""
    action: Action


class SubmissionQuery(Struct, frozen=True):
    dry_run: bool = False
    """Only check whether the action would be accepted now."""


MOVE_PROBLEMS = "stale_turn not_awaited malformed_action illegal_action"
_STANDS = {"turn": "/turn", "revision": "/revision", "action": "/action"}
_REPLACED = links("replaceSubmission", body=_STANDS, game="/game", submission="/id")


def _submit(call: Call, body: NewSubmission, game: UUID) -> tuple[Receipt, str | None]:
    receipt, new = submissions.submit(call.tables, call.bearer, game, body.turn, body.action)
    return receipt, f"/v1/games/{game}/submissions/{receipt.id}" if new else None


@operation(
    games,
    "POST /games/<uuid:game>/submissions",
    Access.SEAT,
    Receipt,
    query=SubmissionQuery,
    body=NewSubmission,
    also={HTTPStatus.OK: {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Receipt", "DryRun")]}},
    plain=_submit,
    budget="moves",
    cost=Cost(trial=1),
)
@described(
    examples.submit, links(game="/game", submission="/id"), _REPLACED, problems=f"already_submitted {MOVE_PROBLEMS}"
)
def submit(call: Call, body: NewSubmission, query: SubmissionQuery, game: UUID) -> Response:
    """Make your choice for the current turn

    Sending the same choice for the same turn again changes nothing and answers 200 with the current receipt, even after
    the turn was resolved: it is safe to repeat a request whose answer was lost. With an Idempotency-Key you get the
    first answer again as it was, even after a replacement; the current submission is at its `Location`. A choice that
    is accepted while your seat is absent is your return, which the event `seat_returned` tells. With `dry_run` the
    choice is only checked.
    """
    if query.dry_run:
        return private(submissions.check(call.tables, call.bearer, game, body.turn, body.action))
    receipt, path = _submit(call, body, game)
    answer = private(receipt)
    if path is not None:
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = address(path)
    return answer


@operation(games, "GET /games/<uuid:game>/submissions/<uuid:submission>", Access.GAME, Receipt)
@described(
    examples.get_submission,
    _REPLACED,
    problems="unauthenticated missing_scope token_limited not_seated not_yours spectators_excluded",
)
def get_submission(call: Call, game: UUID, submission: UUID) -> Response:
    """Read a submission

    You may read your own at any time, and those of others once the game is over.
    """
    return private(submissions.submission(call.tables, call.here, submission))


@operation(
    games,
    "PUT /games/<uuid:game>/submissions/<uuid:submission>",
    Access.SEAT,
    Receipt,
    body=Replacement,
    budget="moves",
)
@described(examples.replace_submission, problems=f"revision_conflict {MOVE_PROBLEMS}")
def replace_submission(call: Call, body: Replacement, game: UUID, submission: UUID) -> Response:
    """Replace your choice while it is sealed

    Others do not notice. The body names the revision that is replaced.
    """
    receipt = submissions.replace(call.tables, call.bearer, game, submission, body.revision, body.turn, body.action)
    return private(receipt)
