"""Strict input: a request that is not exactly right is refused before a use case sees it."""

import codecs
import json
from typing import Any, NoReturn
from urllib.parse import parse_qsl, unquote_to_bytes

import marshmallow as ma
from flask import Request, request
from webargs.flaskparser import FlaskParser

from holmgang.api.problems.faults import InvalidRequest, MalformedRequest, UnsupportedMediaType, fault
from holmgang.engine import strict_json
from holmgang.engine.messages import Said, say, template
from holmgang.engine.misfits import nearest
from holmgang.engine.sentences import Sentences

MAX_DEPTH = 64

_SENTENCES = Sentences(
    template("Unknown field."),
    template("Missing data for required field."),
    template("Field may not be null."),
    template("Not a valid UUID."),
    template("Must be greater than or equal to {least} and less than or equal to {most}."),
    template("Must be greater than or equal to {least}."),
    template("Must be less than or equal to {most}."),
    template("Length must be between {least} and {most}."),
    template("Shorter than minimum length {least}."),
    template("Longer than maximum length {most}."),
    template("Must be one of: {choices}."),
    template("String does not match expected pattern."),
)
"""What marshmallow says of our fields."""
_PLAIN = {
    "Not a valid string.": say("Must be a text."),
    "Not a valid list.": say("Must be a list."),
    "Not a valid mapping type.": say("Must be a JSON object."),
    "Invalid input type.": say("Must be a JSON object."),
}
"""What it says in words of Python, in plain words."""
_CODES = {"Unknown field.": "unknown_field", "Missing data for required field.": "missing_field"}
_BYTE_ORDER_MARKS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32"}
"""Encodings that begin with a mark. Editors on Windows write one; JSON has none (RFC 8259, 8.1)."""


def read_json(body: bytes) -> Any:
    """The value of a JSON text (RFC 8259). MalformedRequest if it is not JSON or beyond our limits."""
    if (mark := _BYTE_ORDER_MARKS.get(json.detect_encoding(body))) is not None:
        raise MalformedRequest(
            say(
                "The body begins with a byte order mark ({encoding}). Send it in UTF-8, without the mark.",
                encoding=mark,
            )
        )
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise MalformedRequest(say("The body is not UTF-8 at byte {start}.", start=error.start)) from None
    try:
        return strict_json.loads(text, MAX_DEPTH)
    except json.JSONDecodeError as error:
        raise MalformedRequest(
            say("The body is not JSON at line {line}, column {column}.", line=error.lineno, column=error.colno)
        ) from None
    except strict_json.NotStrict as error:
        raise MalformedRequest(error.args[0]) from None


def read_query(query: bytes) -> dict[str, str]:
    """The parameters of a query string; each may occur once."""
    if not query:
        return {}
    if codecs.BOM_UTF8 in unquote_to_bytes(query):
        raise MalformedRequest(say("The query string holds a byte order mark (U+FEFF)."))
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        raise MalformedRequest(say("The query string is not UTF-8 or holds too many parameters.")) from None
    read = dict(pairs)
    if any("\0" in name or "\0" in value for name, value in pairs):
        raise MalformedRequest(say("The query string holds a NUL character."))
    if len(read) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidRequest([fault(f"?{twice[:100]}", "repeated", say("This parameter may stand once."))])
    return read


def refuse_query(query: bytes) -> None:
    """Refuse any parameter, for operations that have none."""
    unknown = read_query(query)
    if unknown:
        raise InvalidRequest([fault(f"?{name[:100]}", "unknown_field", say("Unknown parameter.")) for name in unknown])


def errors_of(messages: Any, schema: ma.Schema, location: str, pointer: str = "") -> list[dict[str, Any]]:
    """Marshmallow's nested messages as a flat list of pointers, codes and sentences."""
    if isinstance(messages, dict):
        found = []
        for name, member in messages.items():
            if name == "_schema":
                found += errors_of(member, schema, location, pointer)
                continue
            step = str(name)[:100]
            at = f"?{step}" if location == "query" else f"{pointer}/{step.replace('~', '~0').replace('/', '~1')}"
            found += errors_of(member, schema, location, at)
        return found
    entries = []
    for message in messages:
        code = _CODES.get(message, "invalid_value")
        detail = message if isinstance(message, Said) else _PLAIN.get(message) or _SENTENCES(message)
        name = pointer[1:]  # none of the schemas nests
        if code == "unknown_field" and (meant := nearest(name, schema.load_fields)) is not None:
            detail = say("Unknown field. Did you mean '{meant}'?", meant=meant)
        entries.append(fault(pointer, code, detail))
    return entries


_REFUSED = {"json": ma.RAISE, "query": ma.RAISE}


class StrictParser(FlaskParser):
    """Webargs over the readers above; its errors are ours."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, **_REFUSED}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._unasked: dict[ma.Schema, Any] = {}

    def parse(self, argmap: Any, req: Request | None = None, *, location: str | None = None, **more: Any) -> Any:
        """Most queries are empty and read the same every time. Their values are immutable."""
        if location != "query" or request.query_string:
            return super().parse(argmap, req, location=location, **more)
        known = self._unasked.get(argmap)
        if known is None:
            known = self._unasked[argmap] = super().parse(argmap, req, location=location, **more)
        return known

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        codings = {coding.strip(" \t").lower() for coding in req.headers.get("Content-Encoding", "").split(",")}
        if req.mimetype != "application/json" or not codings <= {"", "identity"}:
            raise UnsupportedMediaType(say("Send the body as 'Content-Type: application/json', uncompressed."))
        if req.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise UnsupportedMediaType(say("Send the body in UTF-8."))
        value = read_json(req.get_data())
        if not isinstance(value, dict):
            raise InvalidRequest([fault("", "invalid_value", say("The body must be a JSON object."))])
        return value

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        return read_query(req.query_string)

    def _on_validation_error(  # the public hook gets no location
        self, error: ma.ValidationError, req: Request, schema: ma.Schema, location: str, **_: Any
    ) -> NoReturn:
        raise InvalidRequest(errors_of(error.messages, schema, location))
