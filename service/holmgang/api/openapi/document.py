"""The OpenAPI 3.1 document, generated from the operations' declarations.

Flask-smorest and apispec describe routes, parameters and envelopes; msgspec describes actions, views, effects and
combats; what follows from an operation's declaration (problems, security, headers, examples, links) is added here.
"""

import inspect
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

import marshmallow as ma
from apispec import APISpec, BasePlugin
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]
from msgspec import json, to_builtins

from holmgang.api.operation.declaration import OPERATIONS, NumberConverter
from holmgang.api.operation.gate import INVITATION, Access
from holmgang.api.operation.schemas import answered, name_of
from holmgang.api.operation.terms import PAGE, Example, Links
from holmgang.api.resources.blueprints import BLUEPRINTS
from holmgang.api.resources.examples import OVER_GAME, Story, tell
from holmgang.api.resources.rulesets.components import components
from holmgang.app.records.play import DryRun, HouseEvent
from holmgang.engine.patterns import END
from holmgang.languages.catalogue import LANGUAGES

from .problems import Problem, answered_by, answers, examples
from .sharing import share_examples, share_parameters, unwrapped

API_VERSION = "1.0.0"
SUMMARY = "Viking board games for people and bots, over HTTP."
DESCRIPTION = """\
Holmgang hosts board games. Clients poll turns and post moves; games, submissions and combats are resources.

Register with `POST /v1/players` and keep the token; send it as `Authorization: Bearer <token>`. Create a game
or take a seat in an open one. `GET /v1/me/turns` lists the turns that wait for you, `GET /v1/games/{game}/turn`
says what is asked and what is legal, `POST /v1/games/{game}/submissions` makes your choice.

Everything is JSON with times in UTC (RFC 3339). Ignore fields that you do not know. Requests are read strictly:
unknown fields and parameters, repeated keys, NUL characters and numbers beyond 64 bits are refused. In a body `2.0`
and `2e0` are the integer 2; in a query string integers are digits only. Errors are
problem documents (RFC 9457) with a stable `code`, and lead to a page that says what to do. What people read in
problems and rules comes in English, French or Dutch, by `Accept-Language`; names, codes and ids never change.
Lists are paged: follow `next`, or the `Link` header. Poll with `If-None-Match`: an answer without news is 304 and
costs nothing. POSTs with an `Idempotency-Key` happen once. Send `X-Request-ID` to find your request in the server's
log; each answer has one.
"""


def _text(description: str, **schema: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS = {
    "Location": _text("Where the thing that was made is found."),
    "Link": _text('The next page, as `rel="next"` (RFC 8288).'),
    "Content-Language": _text("The language of the texts in the answer.", enum=list(LANGUAGES)),
    "ETag": _text("The tag of this answer, for If-None-Match."),
    "X-Request-ID": _text("The request's id: yours, or one made for it."),
    "Retry-After": _text("Seconds to wait.", type="integer"),
    "WWW-Authenticate": _text("How to authenticate (RFC 6750)."),
    "Allow": _text("The methods that the address takes."),
}
_KEY = (
    "Makes the request happen once: the same key and body give the first answer again, for 24 hours, as it was then, "
    "whatever has changed since."
)
_LANGUAGE = "The language of what people read in the answer: English (`en`), French (`fr`) or Dutch (`nl`)."
_INVITATION = (
    "The secret of an invitation, to look at a private game or tournament that you are not in. That of a tournament "
    "shows its games, too."
)
PARAMETERS = {
    "IdempotencyKey": {"name": "Idempotency-Key", **_text(_KEY, pattern=rf"^[\x21-\x7e]{{1,255}}{END}")},
    "IfNoneMatch": {"name": "If-None-Match", **_text("The ETag of the answer that you have.")},
    "AcceptLanguage": {"name": "Accept-Language", **_text(_LANGUAGE), "example": "fr-BE, nl;q=0.8"},
    "InvitationSecret": {"name": INVITATION, **_text(_INVITATION)},
}
SHOWN = (Access.GAME, Access.VIEWER, Access.SIGHT, Access.TOURNAMENT)
"""Who may call what an invitation shows."""
TOKEN = {"type": "http", "scheme": "bearer", "description": "A player's token, from registration."}


class Schemas(MarshmallowPlugin):
    """Apispec's reader of marshmallow's schemas, with what is ours to say of them."""

    def init_spec(self, spec: APISpec) -> None:
        super().init_spec(spec)
        assert self.converter is not None
        self.converter.add_attribute_function(_choices)  # type: ignore[no-untyped-call]

    def schema_helper(self, name: Any, _: Any, schema: Any = None, **more: Any) -> Any:  # type: ignore[override]
        written: dict[str, Any] | None = super().schema_helper(name, _, schema, **more)  # type: ignore[no-untyped-call]
        told = schema and resolve_schema_cls(schema).__dict__.get("__doc__")
        return {**written, "description": inspect.cleandoc(told)} if written and told else written


def _choices(_: Any, field: ma.fields.Field[Any], *, ret: dict[str, Any]) -> dict[str, Any]:
    """A choice of one is `const`. One that may be null is two schemas: of one with both, generators make types without
    a name."""
    if "enum" not in ret:
        return {}
    listed = ret.pop("enum")
    values = [value for value in listed if value is not None]
    chosen: dict[str, Any] = {"const": values[0]} if len(values) == 1 else {"enum": values}
    if None not in listed:
        return chosen
    kind = next(kind for kind in ret.pop("type") if kind != "null")
    return {"anyOf": [{"type": kind, **chosen}, {"type": "null"}]}


class Declarations(BasePlugin):
    """Adds to what flask-smorest has written of an operation the headers that it reads, its problems, its links, and
    its examples, which are functions of the story."""

    def __init__(self, story: Story) -> None:
        self.story = story

    def path_helper(self, path: Any = None, operations: Any = None, parameters: Any = None, **_: Any) -> None:
        """What is said of a path is said of its operation: its example is the operation's own."""
        (described,) = operations.values()
        operation = OPERATIONS[described["operationId"]]
        headers = [
            ("IdempotencyKey", operation.keeps),
            ("AcceptLanguage", True),
            ("IfNoneMatch", operation.tagged),
            ("InvitationSecret", operation.invited or operation.access in SHOWN),
        ]
        read = [name for name, is_read in headers if is_read]
        described["parameters"] = [*parameters, *described.get("parameters", ()), *read]
        parameters.clear()

    def operation_helper(self, path: Any = None, operations: Any = None, **_: Any) -> None:
        (described,) = operations.values()
        operation = OPERATIONS[described["operationId"]]
        shown = operation.described.examples
        example = shown if isinstance(shown, Example) else shown(self.story)
        values = {"limit": PAGE, **example.parameters}
        for parameter in described["parameters"]:
            if isinstance(parameter, str):
                continue
            if parameter["in"] == "path":
                parameter["description"] = parameter["description"].format(ruleset=self.story.rules.ruleset)
            if parameter["name"] in values:
                parameter["example"] = values[parameter["name"]]
        if "requestBody" in described:
            _show(described["requestBody"], example.bodies or {"empty": {}})
        answer = described["responses"][operation.status]
        _show(answer, example.answers)
        _show(described["responses"].get(HTTPStatus.OK, {}), example.again)
        for links in operation.described.links:
            answer.setdefault("links", {}).update(_written(links))
        described["responses"].update(answered_by(operation))


def _written(links: Links) -> dict[str, dict[str, Any]]:
    def pointed(pointers: Mapping[str, str]) -> dict[str, str]:
        return {name: to if to.startswith("$") else f"$response.body#{to}" for name, to in pointers.items()}

    link: dict[str, Any] = {"parameters": pointed(links.parameters)}
    if links.body is not None:
        link["requestBody"] = pointed(links.body)
    named = links.operations.split() or [
        name for name, each in OPERATIONS.items() if set(each.things) == set(links.parameters) and not each.needs_body
    ]
    return {links.called or name: {"operationId": name, **link} for name in named}


def _show(described: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Give a body or an answer these examples."""
    for content in described.get("content", {}).values() if values else ():
        content["examples"] = {name: {"value": to_builtins(value)} for name, value in values.items()}


class OpenApi(Api):  # type: ignore[misc]
    """Flask-smorest's collector of operations, without its own pages, responses, headers and error handler."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _nothing(self) -> None:
        """There is our own."""

    _register_error_handlers = _register_doc_blueprint = _register_responses = _nothing
    _register_etag_headers = _register_pagination_header = _nothing


def document(base: str = "") -> dict[str, Any]:
    """The whole document of the service whose addresses begin with `base`; equal for equal code."""
    story = tell(UUID(OVER_GAME), base)
    app = Flask("holmgang", static_folder=None)
    app.config.update(API_TITLE="Holmgang", API_VERSION=API_VERSION, OPENAPI_VERSION="3.1.0")
    app.url_map.converters["number"] = NumberConverter
    info = {"summary": SUMMARY, "description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}
    plugins = {"marshmallow_plugin": Schemas(), "extra_plugins": [Declarations(story)]}
    api = OpenApi(app, spec_kwargs={**plugins, "info": info, "servers": [{"url": base or "/"}]})
    api.register_converter(NumberConverter, lambda _: {"type": "integer", "minimum": 0, "maximum": 999_999_999})
    parts = api.spec.components
    for of in (HouseEvent, DryRun):
        parts.schema(name_of(of), schema=answered(of))
    more = {"additionalProperties": True}  # its extension members (RFC 9457, 3.2)
    parts.schema(name_of(Problem), more, schema=answered(Problem))
    for name, header in HEADERS.items():
        parts.header(name, header)
    for name, parameter in PARAMETERS.items():
        parts.parameter(name, "header", parameter)
    for code, value in examples(story).items():
        parts.example(code, {"value": value})
    for name, answer in answers().items():
        parts.response(name, answer)
    parts.security_scheme("token", TOKEN)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    for name, schema in components(parts.schemas).items():
        parts.schema(name, schema)
    written = unwrapped(api.spec.to_dict())
    share_parameters(written)
    share_examples(written)
    ordered: dict[str, Any] = json.decode(json.encode(written, order="sorted"))  # equal documents are written alike
    return ordered
