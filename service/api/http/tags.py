"""Conditional polls: a client that names the tag of what it has is told at once that nothing is new (RFC 9110, 13).

A tag is made of what everyone may count: the game's version, the caller's seat, that seat's own revision, the form of
the answer, and for a package's game which release of it answers. It is never a digest of hidden things, which could be
guessed. Whoever waits keeps the very things that the tag was made of, to have them compared: what `tag_of` and
`tag_of_turns` are given, and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from flask import Response, request

from service import registry
from service.api.operation.answers import PRIVATE
from service.app.records.contexts import GameCaller, ViewContext
from service.app.records.play import Waiting
from service.app.records.players import Principal
from service.engine.codec import encode_json
from service.negotiation import matches

WAITED = "holmgang.waited"
"""Where a request that was held, and so looked already, keeps how long it was ready to wait, in seconds."""


def tag_of(caller: GameCaller, form: str) -> str:
    """The weak tag of an answer to `caller`."""
    release = registry.release(caller.ruleset)
    shown = f"{form}.{release}" if release else form
    return f'W/"{caller.version}.{"s" if caller.seat is None else caller.seat}.{caller.revision}.{shown}"'


def tag_of_turns(player: Principal, turns: Sequence[Waiting]) -> str:
    """The weak tag of a set of waiting turns: of all that is shown of each."""
    digest = hashlib.blake2b(player.player.bytes, digest_size=12)
    digest.update(encode_json(turns))
    return f'W/"{digest.hexdigest()}"'


def unchanged(tag: str, headers: Mapping[str, str] = PRIVATE) -> Response | None:
    """304 if the request names `tag`, else None. `headers` are those of the answer in full."""
    wanted = request.environ.get("HTTP_IF_NONE_MATCH")
    if wanted is None or not matches(wanted, tag):
        return None
    return not_modified(tag, headers)


def form_at(at: int, as_seat: int | None) -> str:
    """The form of an answer about a finished game as it was: after which row, and whose view."""
    return f"at{at}" if as_seat is None else f"at{at}.{as_seat}"


def nothing_new(context: ViewContext, tag: str, *, past: bool = False) -> Response | None:
    """The same for what there is only once the game has started, or of its `past`, once it is over: before that there
    is nothing that `*` could mean."""
    there = context.snapshot.status == "over" if past else context.snapshot.started
    return unchanged(tag) if there else None


def not_modified(tag: str, headers: Mapping[str, str] = PRIVATE) -> Response:
    response = Response(status=304, headers={"ETag": tag, **headers})
    del response.headers["Content-Type"]
    return response
