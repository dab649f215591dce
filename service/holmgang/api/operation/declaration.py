"""How an operation is declared: all that routing, gate, limits, waiting and document know of it, in one place."""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from uuid import UUID

from flask import request
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import fields
from werkzeug.routing import IntegerConverter

from holmgang.api.operation.gate import Access, Call, admitted, bearer, need_bearer
from holmgang.api.operation.service import service
from holmgang.api.problems.faults import (
    InvalidRequest,
    KeyNotTaken,
    MalformedRequest,
    PayloadTooLarge,
    UnsupportedMediaType,
)
from holmgang.api.problems.table import PROBLEMS
from holmgang.app.access import find_caller, player_seat
from holmgang.app.accounts.tokens import authenticate, need, need_free
from holmgang.app.ports import Tables
from holmgang.engine.messages import say

from . import schemas
from .answers import CALLER, packing
from .idempotency import key_of_request, once
from .input import StrictParser, refuse_query
from .showing import Shown
from .terms import PAGE_OF_ROWS, PLAIN, Cost, Description, Keyed, Packs

Handler = Callable[..., Any]
Answer = Any
"""A Struct, a page of one, a JSON Schema, or None."""
Budget = Literal["requests", "moves", "registrations", "messages"]
_NONE: Mapping[Any, Any] = MappingProxyType({})
_STATUSES = {"POST": HTTPStatus.CREATED, "DELETE": HTTPStatus.NO_CONTENT}
_TOKEN = "invalid_token token_expired database_unavailable busy"  # noqa: S105 # codes, no secret
_SEEN = f"{_TOKEN} unauthenticated token_limited spectators_excluded"
_SEATED = "unauthenticated missing_scope token_limited not_seated game_not_active game_archived ruleset_unavailable"
_CODES = {
    Access.OPEN: "",
    Access.PUBLIC: _TOKEN,
    Access.GAME: _TOKEN,
    Access.TOURNAMENT: _TOKEN,
    Access.PLAYER: f"{_TOKEN} unauthenticated",
    Access.VIEWER: _SEEN,
    Access.SIGHT: f"{_SEEN} not_yours ruleset_unavailable",
    Access.SEAT: f"{_TOKEN} {_SEATED}",
}
"""Problems that follow from who may call."""


class Resources(Blueprint):  # type: ignore[misc]
    """A blueprint that reads its input strictly. `about` says what the parameters of its paths are."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, module: str, description: str, prefix: str | None = "/v1", **about: str) -> None:
        super().__init__(name, module, url_prefix=prefix, description=description)
        self.about = about


class NumberConverter(IntegerConverter):
    """A whole number in a path, of so few digits that it fits everywhere; anything else is another address.

    Werkzeug's own `int(max=...)` answers 405 rather than 404 for numbers beyond the maximum.
    """

    regex = r"[0-9]{1,9}"


class Poll(NamedTuple):
    """How an operation is polled. Whoever names the tag that they have, or waits, counts against the budget of polls.

    `form` gives what a query asks of a game as a form of tags, and `of` the id of something else that changes: without
    either the answer is the caller's waiting turns.
    """

    form: Callable[[Any], str] | None = None
    fast: tuple[str, ...] = ()
    """Query strings to which polls without news are answered before the application sees them."""
    started: bool = False
    """There is an answer only once the game has started."""
    asks: bool = False
    """Without a tag a request waits until the caller's choice is asked for."""
    streams: bool = False
    """There is a stream besides, which does not wait."""
    shows: Callable[[Call, Any, UUID], Shown] | None = None
    """What gives the answer to a query about a game. With it, requests that ask for nothing but a `fast` query are
    answered in full before the application sees them."""
    of: Callable[..., UUID] | None = None
    """Takes the call and the ids of the path, refuses whom the thing is not for, and gives the id under which the store
    counts its revisions (`RevisionsTable`). The handler answers by `tags.revised`, which asks it too, with the same
    `form`. A request waits if it names the tag that the client has; without one it is answered at once, unless it says
    `after` what it knows."""
    later: Callable[..., bool] | None = None
    """Takes the call, the query and the ids of the path: whether there is anything `after` what the client knows."""


@dataclass(eq=False)
class Operation:
    """One operation: `call` is its method and rule, and its handler is what this decorates. The handler gets the Call,
    the body, the query, and the ids of the path by name; its own name is the operation's, in camel case.

    Unless it is said otherwise: a POST answers 201, keeps its answer by the Idempotency-Key, and a DELETE answers 204.
    A token needs the scope `read` where a game is seen, and one that is limited to a seat is refused where a scope is
    needed of a player. What is done stands or falls together, but for moves, which are a single statement.
    """

    resources: Resources
    call: str
    who: Access | tuple[Access, str]
    """Who may call it, and by which scope of their token."""
    answer: Answer = None
    _: KW_ONLY
    name: str = ""
    query: type[Struct] | None = None
    body: type[Struct] | None = None
    one_seat: bool = False
    """Tokens that are limited to a seat will do as well."""
    invited: bool = False
    """It is for those whom an invitation shows the game, too; what is for whoever may see a game is so anyway."""
    sees: Handler | None = None
    """Gets what the handler gets, and refuses whom the things that the request names are not for: it is asked before a
    kept answer is looked for. Of seats that is known without it."""
    keyed: Keyed = Keyed.NO
    packs: Packs = Packs.NEVER
    status: int = 0
    also: Mapping[int, Answer] = field(default_factory=dict)
    """What else it answers than by its status, or by 304."""
    content_type: str | None = None
    tagged: bool = False
    """Answers have a tag, and one that is named is answered by 304."""
    polls: Poll | None = None
    plain: Callable[[Call, Any, UUID], tuple[Answer, str | None]] | None = None
    """What does it in a game for a body alone, without query and key, before the application sees the request: gives
    the answer, and the path of what was made. Of the things in the rule there is the game alone."""
    budget: Budget | None = "requests"
    """The rate limit that it counts against; None for what watches over the service."""
    cost: Cost = PLAIN

    def __post_init__(self) -> None:
        self.method, self.rule = self.call.split(" ")
        self.things = re.findall(r"<(?:\w+:)?(\w+)>", self.rule)
        self.status = self.status or _STATUSES.get(self.method, HTTPStatus.OK)
        if self.method == "POST" and self.keyed is Keyed.NO:
            self.keyed = Keyed.KEPT
        self.access, self.scope = self.who if isinstance(self.who, tuple) else (self.who, "")
        if self.access in (Access.VIEWER, Access.SIGHT):
            self.scope, self.packs = "read", Packs.UNHIDDEN
        self.endpoint = ""
        self.asks = None if self.query is None else schemas.query(self.query)()
        self.paged = self.asks is not None and "limit" in self.asks.fields
        if self.paged and self.cost is PLAIN:
            self.cost = PAGE_OF_ROWS
        self.tagged = self.tagged or self.polls is not None
        self.needs_body = self.body is not None and any(each.required for each in fields(self.body))
        self.keeps = self.keyed in (Keyed.KEPT, Keyed.SECRET)
        self.limited = bool(self.scope) and self.access is Access.PLAYER and not self.one_seat
        """Whether tokens that are limited to a seat are refused."""

    def read(self, query: Mapping[str, str]) -> Any:
        """What the parameters of a query ask for. Raises ValidationError for what the operation would refuse."""
        assert self.asks is not None
        return self.asks.load(query)

    @functools.cached_property
    def nothing_asked(self) -> Any:
        """What is asked by an empty query."""
        return self.read({})

    def admit(self, tables: Tables, secret: str | None, path: dict[str, Any]) -> Call:
        """The call of who may make it, by whom they are and by their token; refused otherwise."""
        call = admitted(tables, self.access, secret, path)
        if call.principal is not None:
            if self.scope:
                need(call.principal, self.scope)
            if self.limited:
                need_free(call.principal)
        return call

    def _codes(self) -> str:
        """The codes that follow from the rest of the declaration."""
        return " ".join(
            codes
            for codes, follow in (
                ("malformed_request invalid_request internal_error", True),
                ("too_many_requests", self.budget is not None),
                (_CODES[self.access], True),
                ("missing_scope", self.scope),
                ("token_limited", self.limited),
                ("not_found", self.things),
                ("payload_too_large unsupported_media_type", self.body),
                ("idempotency_in_flight idempotency_mismatch", self.keeps),
                ("secret_already_shown", self.keyed is Keyed.SECRET),
            )
            if follow
        )

    def __call__(self, handler: Handler) -> Handler:
        first, *more = handler.__name__.split("_")
        self.name = self.name or first + "".join(map(str.capitalize, more))
        known = not self.things or self.access is Access.SEAT or self.sees is not None
        assert known or not self.keeps, f"who may be answered {self.name}?"
        self.endpoint = f"{self.resources.name}.{self.name}"
        OPERATIONS[self.name] = self
        self.described: Description = vars(handler).get("described", Description())
        self.codes = {*self._codes().split(), *self.described.problems.split()}
        """Of all its problems."""
        assert self.codes <= set(PROBLEMS)
        headers = self._headers(self.status)
        shown = schemas.answered(self.answer)
        handled = self.resources.response(self.status, shown, content_type=self.content_type, headers=headers)(handler)
        if self.keyed is not Keyed.NO:
            handled = self._once(handled)
        if self.asks is not None:
            handled = self.resources.arguments(self.asks, location="query")(handled)
        if self.body is not None:
            handled = self.resources.arguments(schemas.body(self.body)())(handled)
        view = self._documented(packing(self._gated(handled), self.packs))
        things = [{"in": "path", "name": name, "description": self.resources.about[name]} for name in self.things]
        self.resources.route(self.rule, methods=[self.method], endpoint=self.name, parameters=things)(view)
        return handler

    def _headers(self, status: int) -> dict[str, str] | None:
        """Names of components, by the names of the headers that answers with this status have besides X-Request-ID."""
        names = {
            "Location": status == HTTPStatus.CREATED or self.keyed is Keyed.SECRET,
            "ETag": self.tagged,
            "Content-Language": self.described.translated and status == HTTPStatus.OK,
            "Link": self.paged and status == HTTPStatus.OK,
        }
        return {name: name for name, sent in names.items() if sent} or None

    def _documented(self, view: Handler) -> Handler:
        """The view, with what the document says of it. Nothing of that is on the way of its calls."""
        described: Handler = functools.wraps(view)(lambda: None)
        for status, answer in self.also.items():
            headers = self._headers(status)
            schema = schemas.answered(answer)
            described = self.resources.alt_response(status, schema=schema, headers=headers)(described)
        security: list[dict[str, list[str]]] = [] if self.access is Access.OPEN else [{"token": []}]
        if security and self.access not in (Access.PLAYER, Access.SEAT):
            security.insert(0, {})
        view._apidoc = self.resources.doc(operationId=self.name, security=security)(described)._apidoc  # type: ignore[attr-defined]
        if self.scope:
            view.__doc__ = f"{inspect.cleandoc(view.__doc__ or '')}\n\nA token needs the scope `{self.scope}`."
        return view

    def _gated(self, handler: Handler) -> Handler:
        """The handler behind its gate: first who calls, then what is asked, then the handler itself."""
        access, keyed = self.access, self.keyed
        refuses_query, has_body = self.asks is None, self.body is not None
        transaction = self.method != "GET" and access is not Access.SEAT

        def enter(tables: Tables, secret: str | None, path: dict[str, Any]) -> Any:
            call = self.admit(tables, secret, path)
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

    def _once(self, handler: Handler) -> Handler:
        """The handler, whose answer is kept by the request's key, and given again only to who would be let in now.

        This is behind the gate and behind the reading of the input. Nothing of a key is looked up before the rest of
        what the handler would refuse the caller for is asked too: their seat, and what they may see. Else a token for
        one seat would be answered its player's other games, and who may see a game no more what they got when they
        might.
        """

        @functools.wraps(handler)
        def handled(call: Call, *given: Any, **path: Any) -> Any:
            if "HTTP_IDEMPOTENCY_KEY" not in request.environ:
                return handler(call, *given, **path)
            if self.keyed is Keyed.REFUSED:
                raise KeyNotTaken(say("Anonymous calls take no key."))
            if self.access is Access.SEAT:
                caller = find_caller(call.tables, call.bearer, path["game"])
                player_seat(caller)
                call.principal = caller.principal
            elif self.sees is not None:
                self.sees(call, *given, **path)
            return once(
                call.tables, call.me.player, key_of_request(), self.keyed, lambda: handler(call, *given, **path)
            )

        return handled


operation = Operation
"""As it is read where it decorates."""

OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name, which is its operationId."""


def declared(endpoint: str | None) -> Operation | None:
    """The operation of an endpoint, if it is one's."""
    return None if endpoint is None else OPERATIONS.get(endpoint.rpartition(".")[2])


def _read_body() -> None:
    """Refuse what is too large. The edge has taken the body in, cut off one byte beyond the limit."""
    limit = service().settings.max_body_bytes
    if len(request.get_data()) > limit:
        raise PayloadTooLarge(say("Bodies end at {limit} bytes.", limit=limit))
