"""How an operation is declared: address, access, input and answers at one place, for routing and document alike."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

import marshmallow as ma
from flask import request
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from werkzeug.routing import IntegerConverter

from service.api.operation.gate import Access, Call, admitted, bearer, need_bearer
from service.api.operation.service import service
from service.api.problems.faults import (
    InvalidRequest,
    KeyNotTaken,
    MalformedRequest,
    PayloadTooLarge,
    UnsupportedMediaType,
)
from service.api.problems.table import PROBLEMS
from service.app.access import player_seat, standing
from service.app.accounts.tokens import authenticate, need, need_free
from service.app.ports import Tables
from service.engine.messages import say

from .costs import COSTS, UNLIMITED
from .idempotency import Keyed, key_of_request, once
from .input import StrictParser, refuse_query
from .packing import CALLER, Packs, packing

Handler = Callable[..., Any]


class Resources(Blueprint):  # type: ignore[misc]
    """A blueprint that reads its input strictly."""

    ARGUMENTS_PARSER = StrictParser()


class NumberConverter(IntegerConverter):
    """A whole number in a path, of so few digits that it fits everywhere; anything else is another address.

    Werkzeug's own `int(max=...)` answers 405 rather than 404 for numbers beyond the maximum.
    """

    regex = r"[0-9]{1,9}"


class Operation(NamedTuple):
    """What the document needs to know of an operation besides what its schemas say."""

    name: str
    access: Access
    scope: str | None
    keyed: Keyed
    packs: Packs
    has_body: bool
    has_query: bool
    problems: tuple[str, ...]
    statuses: tuple[int, ...]


OPERATIONS: dict[str, Operation] = {}
"""Every operation by its operationId."""


def operation(
    resources: Resources,
    method: str,
    rule: str,
    *,
    name: str,
    access: Access,
    answer: type[ma.Schema] | dict[str, Any] | None,
    status: int = HTTPStatus.OK,
    also: Mapping[int, type[ma.Schema] | dict[str, Any] | None] | None = None,
    scope: str | None = None,
    unlimited: bool = False,
    query: type[ma.Schema] | None = None,
    body: type[ma.Schema] | None = None,
    keyed: Keyed = Keyed.NO,
    packs: Packs = Packs.NEVER,
    sees: Handler | None = None,
    transaction: bool = False,
    problems: tuple[str, ...] = (),
    content_type: str | None = None,
) -> Callable[[Handler], Handler]:
    """Declare `method rule`. The handler gets the Call, the body, the query, and the ids of the path by name.

    `scope` is what a token needs, `unlimited` that it must not be limited to one seat. With `transaction` all that the
    handler does stands or falls together. `sees` gets what the handler gets, and refuses whom the things that the
    request names are not for: it is asked before a kept answer is looked for. Of seats that is known without it.
    """
    names_things = access is not Access.SEAT and "<" in rule
    assert not (keyed in (Keyed.KEPT, Keyed.SECRET) and names_things and sees is None), f"who may be answered {name}?"
    found = _problems(access, scope, unlimited, keyed, body is not None, query is not None, rule)
    statuses = (int(status), *(also or {}))
    assert name in COSTS, "what it costs is declared there"
    OPERATIONS[name] = Operation(
        name, access, scope, keyed, packs, body is not None, query is not None, found + problems, statuses
    )

    def declare(handler: Handler) -> Handler:
        handled = resources.response(status, answer, content_type=content_type, description=None)(handler)
        for code, schema in (also or {}).items():
            handled = resources.alt_response(code, schema=schema, success=True)(handled)
        if keyed is not Keyed.NO:
            handled = _once(handled, access, keyed, sees)
        if query is not None:
            handled = resources.arguments(query(), location="query")(handled)
        if body is not None:
            handled = resources.arguments(body())(handled)
        gated = _gated(handled, access, scope, unlimited, query is None, body is not None, keyed, transaction)
        documented = resources.doc(operationId=name)(packing(gated, packs))
        resources.route(rule, methods=[method], endpoint=name)(documented)
        return handler

    return declare


def _problems(
    access: Access, scope: str | None, unlimited: bool, keyed: Keyed, body: bool, query: bool, rule: str
) -> tuple[str, ...]:
    """The codes that follow from the declaration alone."""
    codes = ["malformed_request", "invalid_request", "internal_error"]
    if rule not in UNLIMITED:
        codes += ["too_many_requests"]
    if access is not Access.OPEN:
        codes += ["invalid_token", "token_expired", "database_unavailable", "busy"]
    if access in (Access.PLAYER, Access.SEAT, Access.VIEWER, Access.SIGHT):
        codes += ["unauthenticated"]
    if scope is not None:
        codes += ["missing_scope"]
    if unlimited or access in (Access.SEAT, Access.VIEWER, Access.SIGHT):
        codes += ["token_limited"]
    if access in (Access.VIEWER, Access.SIGHT):
        codes += ["spectators_excluded"]
    if access is Access.SEAT:
        codes += ["not_seated"]
    if "<" in rule:
        codes += ["not_found"]
    if body:
        codes += ["payload_too_large", "unsupported_media_type"]
    if keyed in (Keyed.KEPT, Keyed.SECRET):
        codes += ["idempotency_in_flight", "idempotency_mismatch"]
    if keyed is Keyed.SECRET:
        codes += ["secret_already_shown"]
    assert all(code in PROBLEMS for code in codes)
    return tuple(codes)


def _gated(
    handler: Handler,
    access: Access,
    scope: str | None,
    unlimited: bool,
    refuses_query: bool,
    has_body: bool,
    keyed: Keyed,
    transaction: bool,
) -> Handler:
    """The handler behind its gate: first who calls, then what is asked, then the handler itself."""

    def enter(tables: Tables, secret: str | None, path: dict[str, Any]) -> Any:
        call = admitted(tables, access, secret, path)
        if call.principal is not None:
            if scope is not None:
                need(call.principal, scope)
            if unlimited:
                need_free(call.principal)
        try:
            if refuses_query:
                refuse_query(request.query_string)
            answer = handler(call, **path)
            request.environ[CALLER] = call.caller
            return answer
        except (InvalidRequest, MalformedRequest, UnsupportedMediaType):
            if access is Access.SEAT:
                authenticate(tables, need_bearer(secret))  # a bad token comes before a bad body
            elif access is Access.SIGHT:
                admitted(tables, Access.VIEWER, secret, path)  # likewise
            raise

    @functools.wraps(handler)
    def gated(**path: Any) -> Any:
        if access is Access.OPEN:
            if refuses_query:
                refuse_query(request.query_string)
            return handler(**path)
        secret = bearer(request.environ)
        if has_body:
            _read_body()
        store = service().store
        together = transaction or (keyed is not Keyed.NO and "HTTP_IDEMPOTENCY_KEY" in request.environ)
        with store.transaction() if together else store.reading() as tables:
            return enter(tables, secret, path)

    return gated


def _read_body() -> None:
    """Refuse what is too large. The edge has taken the body in, cut off one byte beyond the limit."""
    limit = service().settings.max_body_bytes
    if len(request.get_data()) > limit:
        raise PayloadTooLarge(say("Bodies end at {limit} bytes.", limit=limit))


def _once(handler: Handler, access: Access, keyed: Keyed, sees: Handler | None) -> Handler:
    """The handler, whose answer is kept by the request's key, and given again only to who would be let in now.

    This is behind the gate and behind the reading of the input. Nothing of a key is looked up before the rest of what
    the handler would refuse the caller for is asked too: his seat, and what he may see. Else a token for one seat would
    be answered its player's other games, and who may see a game no more what he got when he might.
    """

    @functools.wraps(handler)
    def handled(call: Call, *given: Any, **path: Any) -> Any:
        if "HTTP_IDEMPOTENCY_KEY" not in request.environ:
            return handler(call, *given, **path)
        if keyed is Keyed.REFUSED:
            raise KeyNotTaken(say("Anonymous calls take no key."))
        if access is Access.SEAT:
            caller = standing(call.tables, call.bearer, path["game"])
            player_seat(caller)
            call.principal = caller.principal
        elif sees is not None:
            sees(call, *given, **path)
        return once(call.tables, call.me.player, key_of_request(), keyed, lambda: handler(call, *given, **path))

    return handled
