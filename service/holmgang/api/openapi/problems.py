"""Problems as the document describes them, with an example of each."""

import re
from collections import Counter
from collections.abc import Collection
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from holmgang.api.operation.declaration import OPERATIONS, Operation
from holmgang.api.operation.schemas import name_of
from holmgang.api.problems.documents import CONTENT_TYPE, document
from holmgang.api.problems.table import PROBLEMS
from holmgang.api.resources.examples import GAME, OTHER, SUBMISSION, THIRD, Story, Values

Codes = tuple[str, ...]

UNCHANGED = "NotModified"
_MORE_HEADERS = {HTTPStatus.UNAUTHORIZED: ["WWW-Authenticate"], HTTPStatus.SERVICE_UNAVAILABLE: ["Retry-After"]}


class ProblemEntry(Struct, frozen=True, kw_only=True):
    pointer: str
    """JSON pointer (RFC 6901) into the body, `?name` for a parameter, or a header."""
    code: str
    detail: str


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable; `detail` is for people."""

    type: Annotated[str, Meta(extra_json_schema={"format": "uri-reference"})]
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool
    """Whether the same request may succeed later."""
    errors: list[ProblemEntry] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    """The id of the rule that was broken."""
    scope: str | UnsetType = UNSET
    """The scope that the token lacks."""
    current_turn: int | UnsetType | None = UNSET
    """The turn that the game is at; null once it is over."""
    receipt: str | UnsetType = UNSET
    """The address of the current submission."""
    revision: int | UnsetType = UNSET
    """The revision that the submission is at."""


def examples(story: Story) -> dict[str, Values]:
    """A problem document of every code. What a game refuses is taken from one that is really played."""
    title, fewest, most = story.rules.title, story.rules.seat_counts[0], story.rules.seat_counts[-1]
    option, action = story.option_fault, story.action_fault
    pointed = {
        "invalid_field": ("/seats", f"{title} takes {fewest} to {most} players, not {most + 3}."),
        "invalid_option": ("/options" + option.pointer, str(option.detail)),
        "malformed_action": ("/action" + getattr(action, "pointer", ""), str(action.detail)),
    }
    extras: dict[str, Values] = {
        "invalid_request": {"errors": [{"pointer": "/nmae", "code": "unknown_field", "detail": "Unknown field."}]},
        "illegal_action": {"rule": story.broken},
        "missing_scope": {"scope": "play"},
        "stale_turn": {"current_turn": 8},
        "already_submitted": {
            "game": GAME,
            "submission": SUBMISSION,
            "revision": 1,
            "receipt": f"{story.base}/v1/games/{GAME}/submissions/{SUBMISSION}",
        },
        "revision_conflict": {"revision": 2},
        "limit_reached": {"what": "webhooks", "limit": 20},
        "seat_taken": {"free": [2]},
        "ambiguous_name": {"name": "Sigrid", "players": [OTHER, THIRD]},
        "no_rematch": {"next": GAME},
        "challenge_over": {"challenge_status": "accepted", "game": GAME},
        "already_seated": {"seat": 1},
        "not_found": {"what": "game"},
    }
    for code, (pointer, detail) in pointed.items():
        extras[code] = {"errors": [{"pointer": pointer, "code": code, "detail": detail}]}
    extras["invalid_option"]["rule"] = option.rule
    ident = "019a0c56-aa00-7000-8000-000000000001"
    return {
        code: document(code, f"{row.title}.", ident, story.base, extra=extras.get(code))
        for code, row in PROBLEMS.items()
    }


def answers() -> dict[str, Values]:
    """The answers without a success, by the names of their components: for each status `Problem409` has the codes that
    most operations with this status have, and `Problem409Any` those of all, where they are more."""
    unchanged = {"description": "Nothing has changed.", "headers": _headers("X-Request-ID", "ETag")}
    of_status = {_usual(status): codes for status, codes in _usual_codes().items()}
    of_status |= {_any(status): codes for status, codes in _all_codes().items() if codes != _usual_codes()[status]}
    return {UNCHANGED: unchanged} | {
        name: {
            "description": _listed(codes),
            "headers": _headers("X-Request-ID", "Content-Language", *_MORE_HEADERS.get(PROBLEMS[codes[0]].status, ())),
            "content": {CONTENT_TYPE: {"schema": name_of(Problem), "examples": {code: code for code in codes}}},
        }
        for name, codes in of_status.items()
    }


def answered_by(operation: Operation) -> dict[HTTPStatus, Any]:
    """What an operation answers without a success: those components, and where only some of the codes are this
    operation's, which."""
    found: dict[HTTPStatus, Any] = {HTTPStatus.NOT_MODIFIED: UNCHANGED} if operation.tagged else {}
    for status, codes in _by_status(operation.codes).items():
        usual, every = _usual_codes()[status], _all_codes()[status]
        told = usual if codes == usual else every
        found[status] = {"$ref": "#/components/responses/" + (_usual(status) if told == usual else _any(status))}
        if codes != told:
            found[status]["description"] = _listed(codes)
    return found


@cache
def _all_codes() -> dict[HTTPStatus, Codes]:
    return _by_status({code for operation in OPERATIONS.values() for code in operation.codes})


@cache
def _usual_codes() -> dict[HTTPStatus, Codes]:
    uses = Counter(each for operation in OPERATIONS.values() for each in _by_status(operation.codes).items())
    return dict(each for each, _ in reversed(uses.most_common()))


def _by_status(codes: Collection[str]) -> dict[HTTPStatus, Codes]:
    found: dict[HTTPStatus, Codes] = {}
    for code in sorted(codes):
        status = PROBLEMS[code].status
        found[status] = (*found.get(status, ()), code)
    return found


def _usual(status: HTTPStatus) -> str:
    """Python's own names of some statuses change with its version."""
    return f"Problem{status.value}"


def _any(status: HTTPStatus) -> str:
    return _usual(status) + "Any"


def _listed(codes: Codes) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def codes(description: str) -> list[str]:
    """Those that the description of an answer lists."""
    return re.findall("`(.+?)`", description)


def _headers(*names: str) -> dict[str, str]:
    """Names of components, by the names of the headers."""
    return {name: name for name in names}
