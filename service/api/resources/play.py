"""A running game as its players meet it: view, turn, submissions, combats, events, and the record at its end."""

from __future__ import annotations

from http import HTTPStatus
from operator import attrgetter
from typing import Any
from uuid import UUID

import msgspec
from flask import Response

from service.api.http.streams import ENDED, event_answer, stream
from service.api.http.tags import EVENTS, TURN, TURN_WITH_VIEW, VIEW, form_at, nothing_new, tag_of, unchanged
from service.api.http.waiting import wants_stream
from service.api.operation.answers import address, link, next_page, page_of, private
from service.api.operation.declaration import operation
from service.api.operation.gate import Access, Call
from service.api.operation.idempotency import Keyed
from service.api.operation.packing import Packs
from service.api.resources.rulesets.components import refs
from service.app.access import look_as
from service.app.play import history, queries, submissions
from service.app.values import CombatRow, Submission

from . import bodies, envelopes
from .games import games

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
    "GET",
    "/games/<uuid:game>/view",
    name="getView",
    access=Access.SIGHT,
    scope="read",
    query=bodies.ViewQuery,
    packs=Packs.UNHIDDEN,
    answer={"anyOf": refs("View")},
    also={HTTPStatus.NOT_MODIFIED: None},
    problems=("not_yours", "game_not_active", "game_not_over", "ruleset_unavailable"),
)
def get_view(call: Call, query: dict[str, Any], game: UUID) -> Response:
    """See the game as your seat, or a spectator, may see it

    Poll it with If-None-Match; with `wait` as well, the request is held until the view changes. With `at` you see a
    finished game as it was after that row of the log, as your seat saw it, or with `as_seat` any other: all that is in
    the record, too.
    """
    at, as_seat = query["at"], query["as_seat"]
    if at is not None:
        sight = call.look(game, None)
        tag = tag_of(sight.caller, f"{VIEW}.{form_at(at, as_seat)}")
        same = nothing_new(sight, tag, past=True)
        return same or private(history.view_at(call.tables, sight, at, as_seat), ETag=tag)
    sight = call.look(game, as_seat)
    tag = tag_of(sight.caller, VIEW)
    return nothing_new(sight, tag) or private(queries.view(call.tables, sight), ETag=tag)


@operation(
    games,
    "GET",
    "/games/<uuid:game>/turn",
    name="getTurn",
    access=Access.SIGHT,
    scope="read",
    query=bodies.TurnQuery,
    packs=Packs.UNHIDDEN,
    answer=envelopes.Turn,
    also={HTTPStatus.NOT_MODIFIED: None},
    problems=(
        "not_yours",
        "ruleset_unavailable",
    ),
)
def get_turn(call: Call, query: dict[str, Any], game: UUID) -> Response:
    """Read what is asked now, of whom, and what you may answer

    `legal` lists all your legal actions where they are 200 or fewer; else it counts and describes them and gives one.
    Poll it with If-None-Match, and with `wait` to hear at once of what is new. Without If-None-Match a request that
    waits is held until you are asked, or anything else has happened.
    """
    with_view = query["include"] == "view"
    sight = call.look_at_turn(game, query["as_seat"])
    tag = tag_of(sight.caller, TURN_WITH_VIEW if with_view else TURN)
    return unchanged(tag) or private(queries.turn(call.tables, sight, with_view=with_view), ETag=tag)


@operation(
    games,
    "POST",
    "/games/<uuid:game>/submissions",
    name="submit",
    access=Access.SEAT,
    query=bodies.SubmissionQuery,
    body=bodies.NewSubmission,
    answer=envelopes.Receipt,
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
        verdict = submissions.check(call.tables, call.bearer, game, body["turn"], body["action"])
        return private({"dry_run": True, **msgspec.structs.asdict(verdict)})
    receipt, new = submissions.submit(call.tables, call.bearer, game, body["turn"], body["action"])
    answer = _receipt(receipt)
    if new:
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = address(f"/v1/games/{game}/submissions/{receipt.id}")
    return answer


def _receipt(found: Submission) -> Response:
    answer = msgspec.structs.asdict(found)
    answer["action"] = msgspec.Raw(found.action.encode())
    return private(answer)


@operation(
    games,
    "GET",
    "/games/<uuid:game>/submissions/<uuid:submission>",
    name="getSubmission",
    access=Access.GAME,
    answer=envelopes.Receipt,
    problems=("unauthenticated", "missing_scope", "token_limited", "not_seated", "not_yours", "spectators_excluded"),
)
def get_submission(call: Call, game: UUID, submission: UUID) -> Response:
    """Read a submission

    Your own at any time, others' once the game is over.
    """
    return _receipt(submissions.submission(call.tables, call.here, submission))


@operation(
    games,
    "PUT",
    "/games/<uuid:game>/submissions/<uuid:submission>",
    name="replaceSubmission",
    access=Access.SEAT,
    body=bodies.Replacement,
    answer=envelopes.Receipt,
    problems=("revision_conflict", *MOVE_PROBLEMS),
)
def replace(call: Call, body: dict[str, Any], game: UUID, submission: UUID) -> Response:
    """Replace your choice while it is sealed

    Nobody else notices. The body names the revision that is replaced.
    """
    receipt = submissions.replace(
        call.tables, call.bearer, game, submission, body["revision"], body["turn"], body["action"]
    )
    return _receipt(receipt)


@operation(
    games,
    "GET",
    "/games/<uuid:game>/combats",
    name="listCombats",
    access=Access.VIEWER,
    scope="read",
    query=bodies.NumberQuery,
    packs=Packs.UNHIDDEN,
    answer=envelopes.CombatPage,
)
def list_combats(call: Call, query: dict[str, Any], game: UUID) -> Response:
    """List the game's combat resolutions, in the order they began"""
    limit = query["limit"]
    found = queries.combats(call.tables, call.here, query["cursor"], limit + 1)
    page, headers = page_of(found, limit, _combat, cursor=attrgetter("number"))
    return private(page, **headers)


@operation(
    games,
    "GET",
    "/games/<uuid:game>/combats/<number:number>",
    name="getCombat",
    access=Access.VIEWER,
    scope="read",
    packs=Packs.UNHIDDEN,
    answer=envelopes.Combat,
)
def get_combat(call: Call, game: UUID, number: int) -> Response:
    """Read one combat resolution"""
    return private(_combat(queries.combat(call.tables, call.here, number)))


def _combat(row: CombatRow) -> dict[str, Any]:
    answer = {name: getattr(row, name) for name in CombatRow.__struct_fields__}
    answer["record"] = msgspec.Raw(row.record.encode())
    return answer


@operation(
    games,
    "GET",
    "/games/<uuid:game>/events",
    name="listEvents",
    access=Access.VIEWER,
    scope="read",
    query=bodies.EventsQuery,
    packs=Packs.UNHIDDEN,
    answer=envelopes.EventPage,
    also={HTTPStatus.NO_CONTENT: None, HTTPStatus.NOT_MODIFIED: None},
    problems=("not_yours",),
)
def list_events(call: Call, query: dict[str, Any], game: UUID) -> Response:
    """Read what has happened, from any point on

    Events are numbered without gaps and never change; what you may not see of one is left out of its payload. Follow
    `next` to read on, with `wait` to be told at once. With `Accept: text/event-stream` they come as server-sent events
    (each with its number as `id`, so that `Last-Event-ID` goes on after it) until the game ends or is archived, which
    an event named `end` tells. With a `Last-Event-ID` after which nothing follows any more the answer is 204, so that
    an EventSource stops. A browser reads the stream with fetch: its EventSource cannot send a token.
    """
    after, limit = query["after"], query["limit"]
    if wants_stream():
        return stream(call, game, after)
    here = look_as(call.here, query["as_seat"])
    tag = tag_of(here, f"{EVENTS}.{after}.{limit}")
    if (same := unchanged(tag)) is not None:
        return same
    found = queries.events(call.tables, here, after, limit)
    last = found[-1].seq if found else after
    more = call.here.status not in ENDED or last < call.here.version
    following = next_page(more, after=last)
    return private({"items": list(map(event_answer, found)), "next": following}, ETag=tag, **link(following))


@operation(
    games,
    "GET",
    "/games/<uuid:game>/record",
    name="getRecord",
    access=Access.VIEWER,
    scope="read",
    packs=Packs.UNHIDDEN,
    answer=envelopes.Record,
    problems=("game_not_over", "ruleset_unavailable"),
)
def get_record(call: Call, game: UUID) -> Response:
    """Read the whole game, once it is over

    Seed, entropy, all choices and chance values, and a hash of every state: enough to play it again and to compare it
    with the commitment that was public before.
    """
    return private(queries.record(call.tables, call.here))
