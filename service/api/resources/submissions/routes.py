"""Submissions: choices made, replaced and read."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response

from service.api.operation.answers import address, private
from service.api.operation.declaration import operation
from service.api.operation.gate import Access, Call
from service.api.operation.idempotency import Keyed
from service.api.resources.games.routes import games
from service.api.resources.submissions.schemas import NewSubmission, Receipt, Replacement, SubmissionQuery
from service.app.play import submissions

MOVE_PROBLEMS = (
    "game_not_active",
    "game_archived",
    "stale_turn",
    "not_awaited",
    "malformed_action",
    "illegal_action",
    "missing_scope",
    "ruleset_unavailable",
)


@operation(
    games,
    "POST",
    "/games/<uuid:game>/submissions",
    name="submit",
    access=Access.SEAT,
    query=SubmissionQuery,
    body=NewSubmission,
    answer=Receipt,
    status=HTTPStatus.CREATED,
    also={HTTPStatus.OK: {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Receipt", "DryRun")]}},
    keyed=Keyed.KEPT,
    problems=("already_submitted", *MOVE_PROBLEMS),
)
def submit(call: Call, body: dict[str, Any], query: dict[str, Any], game: UUID) -> Response:
    """Make your choice for the current turn

    The same choice for the same turn again changes nothing and answers 200 with the current receipt, even after the
    turn was resolved: repeating a call whose answer was lost is safe. With an Idempotency-Key the first answer comes
    again as it was, also after a replacement: what stands is at its `Location`. A choice that is taken while your seat
    is absent is your return, which the event `seat_returned` tells. With `dry_run` the choice is only checked.
    """
    if query["dry_run"]:
        return private(submissions.check(call.tables, call.bearer, game, body["turn"], body["action"]))
    receipt, new = submissions.submit(call.tables, call.bearer, game, body["turn"], body["action"])
    answer = private(receipt)
    if new:
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = address(f"/v1/games/{game}/submissions/{receipt.id}")
    return answer


@operation(
    games,
    "GET",
    "/games/<uuid:game>/submissions/<uuid:submission>",
    name="getSubmission",
    access=Access.GAME,
    answer=Receipt,
    problems=("unauthenticated", "missing_scope", "token_limited", "not_seated", "not_yours", "spectators_excluded"),
)
def get_submission(call: Call, game: UUID, submission: UUID) -> Response:
    """Read a submission

    Your own at any time, others' once the game is over.
    """
    return private(submissions.submission(call.tables, call.here, submission))


@operation(
    games,
    "PUT",
    "/games/<uuid:game>/submissions/<uuid:submission>",
    name="replaceSubmission",
    access=Access.SEAT,
    body=Replacement,
    answer=Receipt,
    problems=("revision_conflict", *MOVE_PROBLEMS),
)
def replace(call: Call, body: dict[str, Any], game: UUID, submission: UUID) -> Response:
    """Replace your choice while it is sealed

    Nobody else notices. The body names the revision that is replaced.
    """
    receipt = submissions.replace(
        call.tables, call.bearer, game, submission, body["revision"], body["turn"], body["action"]
    )
    return private(receipt)
