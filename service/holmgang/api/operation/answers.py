"""Answers as bytes: JSON by msgspec, pages and their links, and what of it is compressed (gzip).

If text of one person and secrets of another are compressed together, the size of the result reveals something about the
secrets (BREACH). So an answer is compressed only if everyone who can put text into it may see all of it.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Flask, Response, request
from flask.json.provider import JSONProvider

from holmgang.api.operation.gate import INVITATION
from holmgang.api.operation.service import service
from holmgang.app.pauses import with_pauses
from holmgang.engine.codec import encode_json
from holmgang.representation import pack

from .shapes import Page
from .showing import unhidden
from .terms import Packs

CALLER = "holmgang.caller"
"""The key of a request's environment that holds who was answered about a game."""
PRIVATE = {
    "Cache-Control": "private, no-cache",
    "Vary": f"Accept, Accept-Encoding, Accept-Language, Authorization, {INVITATION}",
}
"""Headers of answers that differ by viewer."""


class MsgspecJSON(JSONProvider):
    """Flask's JSON by msgspec, which knows times, ids and Structs."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return encode_json(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return msgspec.json.decode(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(encode_json(self._prepare_response_obj(args, kwargs)), mimetype="application/json")


def install_json(app: Flask) -> None:
    app.json = MsgspecJSON(app)


def private(value: Any, **headers: str) -> Response:
    """An answer that differs by viewer."""
    return Response(encode_json(value), headers={**PRIVATE, **headers}, content_type="application/json")


def nothing(headers: Mapping[str, str] | None = None, status: int = HTTPStatus.NO_CONTENT) -> Response:
    """An answer without a body."""
    response = Response(status=status, headers=headers)
    del response.headers["Content-Type"]
    return response


def address(path: str) -> str:
    return service().base + path


def next_page(more: bool, **parameters: Any) -> str | None:
    """The address of the next page: the same query with these parameters."""
    if not more:
        return None
    query = {**request.args.to_dict(), **{name: str(value) for name, value in parameters.items()}}
    return address(f"{request.path}?{urlencode(query)}")


def page_of(
    found: Sequence[Any],
    limit: int,
    show: Callable[[Any], Any] = lambda found: found,
    cursor: Callable[[Any], Any] = attrgetter("id"),
    headers: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Page[Any], dict[str, str]]:
    """A page of `limit` of what was found, and its headers. `found` has one more if there is a next page, which begins
    after the `cursor` of the last one shown."""
    shown, more = found[:limit], len(found) > limit
    following = next_page(more, cursor=cursor(shown[-1]) if more else None)
    return Page([show(each) for each in with_pauses(shown)], following), {**headers, **link(following)}


def link(following: str | None) -> dict[str, str]:
    """The Link header (RFC 8288) of a page."""
    return {} if following is None else {"Link": f'<{following}>; rel="next"'}


def packing(handler: Callable[..., Response], packs: Packs) -> Callable[..., Response]:
    """The handler, with its answers compressed as declared. It runs outside the gate, without a connection."""
    if packs is Packs.NEVER:
        return handler

    @functools.wraps(handler)
    def packed(**path: Any) -> Response:
        response = handler(**path)
        if packs is Packs.ALWAYS:
            response.vary.add("Accept-Encoding")  # answers that differ by viewer vary anyway
            return pack(response)
        return pack(response) if unhidden(request.environ[CALLER]) else response

    return packed
