"""The OpenAPI 3.1 document, generated from the operations' declarations.

Flask-smorest and apispec describe routes, parameters and envelopes; msgspec describes actions, views, effects and
combats; what follows from an operation's declaration (problems, security, headers, examples, links) is added here.
"""

from __future__ import annotations

import copy
import inspect
from http import HTTPStatus
from typing import Any
from uuid import UUID

import marshmallow as ma
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]

from service.api.openapi.problems import ProblemAnswer
from service.api.operation.declaration import OPERATIONS, NumberConverter, Operation
from service.api.operation.gate import INVITATION, Access
from service.api.operation.idempotency import Keyed
from service.api.problems.documents import CONTENT_TYPE
from service.api.problems.table import PROBLEMS
from service.api.resources.blueprints import BLUEPRINTS
from service.api.resources.events.schemas import HouseEvent
from service.api.resources.examples import OVER_GAME, Example, examples
from service.api.resources.rulesets.components import components, with_components
from service.api.resources.story import tell
from service.api.resources.submissions.schemas import DryRun
from service.engine.patterns import END
from service.languages.catalogue import LANGUAGES

from .links import LINKS
from .problem_examples import problem_examples

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

HEADERS = {
    "Location": {"description": "Where the thing that was made is found.", "schema": {"type": "string"}},
    "Link": {"description": 'The next page, as `rel="next"` (RFC 8288).', "schema": {"type": "string"}},
    "Content-Language": {
        "description": "The language of the texts in the answer.",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    "ETag": {"description": "The tag of this answer, for If-None-Match.", "schema": {"type": "string"}},
    "X-Request-ID": {"description": "The request's id: yours, or one made for it.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "How to authenticate (RFC 6750).", "schema": {"type": "string"}},
    "Allow": {"description": "The methods that the address takes.", "schema": {"type": "string"}},
}
PARAMETERS = {
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "Makes the call happen once: the same key and body give the first answer again, for 24 hours, as"
        " it was then, whatever has changed since.",
        "schema": {"type": "string", "pattern": rf"^[\x21-\x7e]{{1,255}}{END}"},
    },
    "IfNoneMatch": {
        "in": "header",
        "name": "If-None-Match",
        "description": "The ETag of the answer that you have.",
        "schema": {"type": "string"},
    },
    "AcceptLanguage": {
        "in": "header",
        "name": "Accept-Language",
        "description": "The language of what people read in the answer: English (`en`), French (`fr`) or Dutch (`nl`).",
        "schema": {"type": "string"},
        "example": "fr-BE, nl;q=0.8",
    },
    "Invitation": {
        "in": "header",
        "name": INVITATION,
        "description": "The secret of an invitation, to look at a private game that you have no seat in.",
        "schema": {"type": "string"},
    },
}
ABOUT = {
    "webhook": "The webhook's id.",
    "delivery": "The message's id.",
    "player": "The player's id.",
    "token": "The token's id, not its secret.",  # nosec B105 # a sentence, no secret
    "ruleset": "The ruleset's name, such as `{ruleset}`.",
    "game": "The game's id.",
    "seat": "The seat's number, from 0.",
    "submission": "The submission's id.",
    "invitation": "The invitation's id, not its secret.",
    "number": "The combat's number in its game, from 1.",
}
"""What the parameters of paths are."""
_PAGED = (
    "getLeaderboard",
    "listGames",
    "listMyGames",
    "listTokens",
    "listCombats",
    "listEvents",
    "listWebhooks",
    "listDeliveries",
    "listInvitations",
)

_TRANSLATED = ("getRuleset",)
"""What holds sentences besides problems."""


def _name(schema: Any) -> str:
    """The component's name of a schema: its class's, without `Answer`."""
    cls: type[ma.Schema] = resolve_schema_cls(schema)  # type: ignore[assignment]
    return cls.__name__.removesuffix("Answer") or cls.__name__


class OpenApi(Api):  # type: ignore[misc]
    """Flask-smorest's collector of operations, without its own pages, responses and error handler."""

    ERROR_SCHEMA = ProblemAnswer

    def _register_error_handlers(self) -> None:
        """Errors are handled in `problems`."""

    def _register_doc_blueprint(self) -> None:
        """The document and its page are served by `operations`."""


def document(base: str = "") -> dict[str, Any]:
    """The whole document of the service whose addresses begin with `base`; equal for equal code."""
    app = Flask("holmgang", static_folder=None)
    app.config.update(API_TITLE="Holmgang", API_VERSION=API_VERSION, OPENAPI_VERSION="3.1.0")
    app.url_map.converters["number"] = NumberConverter
    api = OpenApi(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_name)})
    api.register_converter(NumberConverter, lambda _: {"type": "integer", "minimum": 0, "maximum": 999_999_999})
    for schema in (HouseEvent, DryRun):
        api.spec.components.schema(_name(schema), schema=schema)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    written: dict[str, Any] = api.spec.to_dict()
    for key, name in api.ma_plugin.converter.refs.items():
        described = key[0].__dict__.get("__doc__")
        if described:
            written["components"]["schemas"][name]["description"] = inspect.cleandoc(described)
    return _completed(written, base)


def _completed(written: dict[str, Any], base: str) -> dict[str, Any]:
    schemas, names = components(written["components"]["schemas"])
    written = with_components(written, names)
    found = written["components"]
    for schema in found["schemas"].values():
        for member in schema.get("properties", {}).values():
            _one_of_or_null(member)
    found["schemas"] |= copy.deepcopy(dict(schemas))
    found.pop("responses", None)
    found["schemas"].pop("PaginationMetadataSchema", None)  # of paging that is not ours
    found["headers"] = copy.deepcopy(HEADERS)
    found["parameters"] = copy.deepcopy(PARAMETERS)
    story = tell(UUID(OVER_GAME))
    found["examples"] = {
        code: {"summary": PROBLEMS[code].title, "value": v} for code, v in problem_examples(story, base).items()
    }
    found["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A player's token, from registration."}
    }
    known = examples(story, base)
    for path in written["paths"].values():
        shared = path.pop("parameters", [])
        for described in path.values():
            declared = OPERATIONS[described["operationId"]]
            described["parameters"] = copy.deepcopy(shared) + described.get("parameters", [])
            _complete(described, declared, known[declared.name], story.rules.ruleset)
    written["info"] |= {
        "summary": SUMMARY,
        "description": DESCRIPTION,
        "license": {"name": "MIT", "identifier": "MIT"},
    }
    written["servers"] = [{"url": base or "/"}]
    ordered: dict[str, Any] = _sorted(written)
    return ordered


def _one_of_or_null(schema: dict[str, Any]) -> None:
    """A choice that may be null, as two schemas: of one with both, generators make types without a name."""
    if None in schema.get("enum", ()):
        kind = next(kind for kind in schema.pop("type") if kind != "null")
        values = [value for value in schema.pop("enum") if value is not None]
        schema["anyOf"] = [{"type": kind, "enum": values}, {"type": "null"}]


def _complete(described: dict[str, Any], declared: Operation, example: Example, ruleset: str) -> None:
    needs: dict[Access, list[dict[str, list[str]]]] = {
        Access.OPEN: [],
        Access.PUBLIC: [{}, {"token": []}],
        Access.GAME: [{}, {"token": []}],
        Access.VIEWER: [{}, {"token": []}],
        Access.SIGHT: [{}, {"token": []}],
        Access.PLAYER: [{"token": []}],
        Access.SEAT: [{"token": []}],
    }
    described["security"] = needs[declared.access]
    if declared.scope is not None:
        described["description"] = (
            described.get("description", "") + f"\n\nA token needs the scope `{declared.scope}`."
        ).strip()
    responses = {str(status): described["responses"][str(status)] for status in declared.statuses}
    for status, response in responses.items():
        _complete_success(response, status, declared, example)
    responses |= _problem_responses(declared)
    described["responses"] = responses
    tagged = "304" in responses
    if declared.keyed in (Keyed.KEPT, Keyed.SECRET):
        described["parameters"].append({"$ref": "#/components/parameters/IdempotencyKey"})
    described["parameters"].append({"$ref": "#/components/parameters/AcceptLanguage"})
    if tagged:
        described["parameters"].append({"$ref": "#/components/parameters/IfNoneMatch"})
    if declared.access in (Access.GAME, Access.VIEWER, Access.SIGHT):
        described["parameters"].append({"$ref": "#/components/parameters/Invitation"})
    for parameter in described["parameters"]:
        if parameter.get("in") == "path":
            parameter["description"] = ABOUT[parameter["name"]].format(ruleset=ruleset)
        if parameter.get("in") == "query":
            _never_null(parameter["schema"])
        if parameter.get("name") in example.parameters:
            parameter["example"] = example.parameters[parameter["name"]]
    if declared.has_body:
        described["requestBody"]["required"] = True
        described["requestBody"]["content"]["application/json"]["examples"] = {
            name: {"value": value} for name, value in example.bodies.items()
        }


def _never_null(schema: dict[str, Any]) -> None:
    """A query has no null, though marshmallow takes one wherever None stands for what is left out."""
    if schema.get("default", 0) is None:
        del schema["default"]
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
        if "enum" in schema:
            schema["enum"] = [value for value in schema["enum"] if value is not None]


def _complete_success(response: dict[str, Any], status: str, declared: Operation, example: Example) -> None:
    headers = ["X-Request-ID"]
    if status == "201":
        headers.append("Location")
    if "304" in map(str, declared.statuses):
        headers.append("ETag")
    if declared.name in _TRANSLATED and status == "200":
        headers.append("Content-Language")
    if declared.name in _PAGED and status == "200":
        headers.append("Link")
    response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
    response["description"] = HTTPStatus(int(status)).phrase
    if status in example.answers:
        contents = response.setdefault("content", {})
        content_type = next(iter(contents), "application/json")
        contents.setdefault(content_type, {})["examples"] = {
            name: {"value": value} for name, value in example.answers[status].items()
        }
    if (declared.name, status) in LINKS:
        response["links"] = copy.deepcopy(LINKS[declared.name, status])


def _problem_responses(declared: Operation) -> dict[str, Any]:
    """The problems of an operation by status, each with its example."""
    by_status: dict[str, list[str]] = {}
    for code in dict.fromkeys(declared.problems):
        by_status.setdefault(str(int(PROBLEMS[code].status)), []).append(code)
    responses = {}
    for status, codes in by_status.items():
        headers = ["X-Request-ID", "Content-Language"]
        headers += {"401": ["WWW-Authenticate"], "503": ["Retry-After"]}.get(status, [])
        responses[status] = {
            "description": "; ".join(f"`{code}`: {PROBLEMS[code].title}" for code in sorted(codes)),
            "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
            "content": {
                CONTENT_TYPE: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in sorted(codes)},
                }
            },
        }
    return responses


def _sorted(value: Any) -> Any:
    """With keys in order, so that equal documents are written alike."""
    if isinstance(value, dict):
        return {str(name): _sorted(value[name]) for name in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_sorted(member) for member in value]
    return value
