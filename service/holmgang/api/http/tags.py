"""Entity tags and conditional requests (RFC 9110, 8.8.3 and 13): a client that names the tag of what it has gets 304.

A tag is made of what everyone may count: the game's version, the caller's seat, the revision of that seat, the form of
the answer, and the release of a package's game. It is never a digest of hidden things, which could be guessed.
A request that waits keeps what its tag was made of, and only that, to be compared when the game changes.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response, request

from holmgang import registry
from holmgang.api.operation.answers import PRIVATE, nothing, private
from holmgang.api.operation.declaration import declared
from holmgang.api.operation.gate import Call
from holmgang.api.operation.service import service
from holmgang.api.operation.showing import Body, KeptBodies, Shown
from holmgang.app.ports import NAMES
from holmgang.app.records.contexts import GameCaller
from holmgang.app.records.play import Waiting
from holmgang.app.records.players import Principal
from holmgang.engine.codec import encode_json
from holmgang.negotiation import matches

WAITED = "holmgang.waited"
"""The key of a request's environment that holds for how many seconds it was ready to wait, if it did."""


def tag_of(caller: GameCaller, form: str) -> str:
    """The weak tag of an answer to `caller`."""
    release = registry.release(caller.ruleset)
    shown = f"{form}.{release}" if release else form
    return f'W/"{caller.version}.{"s" if caller.seat is None else caller.seat}.{caller.revision}.{shown}"'


def tag_of_turns(player: Principal, turns: Sequence[Waiting]) -> str:
    """The weak tag of a player's waiting turns, of all that is shown of each."""
    digest = hashlib.blake2b(player.player.bytes, digest_size=12)
    digest.update(encode_json(turns))
    return f'W/"{digest.hexdigest()}"'


def tag_of_revision(call: Call, ident: UUID, form: str = "") -> tuple[str, int]:
    """The weak tag of what is no game, in this form, as the caller sees it, and its revision. It is another one as soon
    as anybody is called otherwise."""
    revision, names = call.tables.revisions([ident, NAMES])
    digest = hashlib.blake2b(ident.bytes, digest_size=9)
    if call.principal is not None:
        digest.update(call.principal.player.bytes)
    return f'W/"{revision}.{names}.{digest.hexdigest()}{form}"', revision


def revised(call: Call, show: Callable[[], Any], headers: Mapping[str, str] = PRIVATE, form: str = "") -> Response:
    """What is shown of that which the operation polls (`Poll.of`), or 304 to those who have it: who may not see it, or
    not any more, is refused before. The answer is made of nothing but the thing, who calls, the address, and the form.
    What is shown is JSON unless it is a Response; headers may come with it."""
    operation = declared(request.endpoint)
    assert operation is not None
    assert operation.polls is not None
    assert operation.polls.of is not None
    tag, _ = tag_of_revision(call, operation.polls.of(call, **(request.view_args or {})), form)  # before it is read
    if (same := unchanged(tag, headers)) is not None:
        return same
    call.look_again()  # the gate has looked before the tag was known
    shown, more = found if isinstance(found := show(), tuple) else (found, {})
    answer = shown if isinstance(shown, Response) else private(shown)
    answer.headers.update({**headers, **more, "ETag": tag})
    return answer


def unchanged(tag: str, headers: Mapping[str, str] = PRIVATE) -> Response | None:
    """304 if the request names `tag`, else None. `headers` are those of the full answer."""
    wanted = request.environ.get("HTTP_IF_NONE_MATCH")
    if wanted is None or not matches(wanted, tag):
        return None
    return not_modified(tag, headers)


def shown_as(shown: Shown, mimetype: str = "application/json", **headers: str) -> Response:
    """The answer that shows it, or 304 if the client has it."""
    same = unchanged(shown.tag) if shown.there else None
    if same is not None:
        return same
    content = service().kept.body(shown).content
    return Response(content, mimetype=mimetype, headers={**PRIVATE, "ETag": shown.tag, **headers})


def given(
    kept: KeptBodies, caller: GameCaller, tag: str, body: Body, accept_encoding: str
) -> tuple[bytes, list[tuple[str, str]]]:
    """The bytes and headers of what is shown, without the framework."""
    content, packed = kept.written(caller, tag, body, accept_encoding)
    headers = [
        *PRIVATE.items(),
        ("ETag", tag),
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(content))),
    ]
    if packed:
        headers.append(("Content-Encoding", "gzip"))
    return content, headers


def not_modified(tag: str, headers: Mapping[str, str] = PRIVATE) -> Response:
    return nothing({"ETag": tag, **headers}, HTTPStatus.NOT_MODIFIED)
