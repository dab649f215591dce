"""Marshmallow schemas of Structs: flask-smorest reads requests by them, and the document describes both ways by them.

A Struct says all of what is sent or answered: types, `Annotated` bounds, defaults; its docstring, and those below its
fields, describe it. `Meta(extra=...)` says what msgspec has no words for: `rules` (see `of_rules`), `holds` the Struct
that raw JSON is of, `field` the marshmallow field to read by, `validate` further checks.
"""

import ast
import builtins
import inspect
import sys
import typing
from collections import abc
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, partial
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin
from uuid import UUID

import marshmallow as ma
from marshmallow import fields, validate
from msgspec import NODEFAULT, UNSET, Meta, Raw, Struct, StructMeta, UnsetType, structs

from .fields import Anything, Count, Flag, Ident, Moment, QueryCount, QueryFlag

COMPONENT = "#/components/schemas/"
ANY = COMPONENT + "Any"

Field = fields.Field[Any]
Kinds = dict[Any, type[Field]]

_FIELDS: Kinds = {
    Any: Anything,
    Raw: Anything,
    UUID: Ident,
    bool: Flag,
    datetime: Moment,
    float: fields.Float,
    int: Count,
    str: fields.String,
}
_QUERY_FIELDS: Kinds = {**_FIELDS, bool: QueryFlag, int: QueryCount}


class Answer(ma.Schema):
    """What is answered, to which fields may be added. Handlers give Structs, which msgspec writes as they are."""

    class Meta:
        unknown = ma.EXCLUDE  # which the document says nothing of: there may be more

    def dump(self, obj: Any, **_: Any) -> Any:
        return obj


class Body(ma.Schema):
    """What is sent. Unknown fields are refused; what was read is the Struct."""

    class Meta:
        unknown = ma.RAISE

    of: ClassVar[type[Struct]]

    @ma.post_load
    def made(self, read: dict[str, Any], **_: Any) -> Struct:
        return self.of(**read)


def answered(of: Any) -> Any:
    """The schema of an answer; JSON Schemas and None stay as they are."""
    return of if of is None or isinstance(of, dict) else _answer(of)


@cache
def _answer(of: Any) -> type[Answer]:
    return _schema(of, Answer, _FIELDS)


@cache
def body(of: type[Struct]) -> type[Body]:
    return _schema(of, Body, _FIELDS)


@cache
def query(of: type[Struct]) -> type[Body]:
    return _schema(of, Body, _QUERY_FIELDS)


def refs(of: str) -> list[dict[str, str]]:
    """A reference to the component that stands for the `View`, `Effect`, `Combat` or `Options` of any ruleset, or for
    the actions of any kind of turn, `Action`. Which rulesets there are is asked when the document is made."""
    return [{"$ref": ANY + of}]


def name_of(of: Any) -> str:
    """A component's name: its Struct's, without `Answer`; of a page, with its items' before it."""
    prefix = "".join(map(name_of, get_args(of)))
    name: str = (get_origin(of) or of).__name__
    return prefix + name.removesuffix("Answer")


def _schema(of: Any, base: type[Any], kinds: Kinds) -> type[Any]:
    struct = get_origin(of) or of
    told = {name: text for each in reversed(struct.__mro__) for name, text in _docstrings(each).items()}
    members = {
        member.encode_name: _field(member.type, kinds, told.get(member.name), **_presence(member, base, kinds))
        for member in structs.fields(of)
    }
    return type(name_of(of), (base,), {"__doc__": vars(struct).get("__doc__"), "of": of, **members})


def _docstrings(struct: type[Any]) -> dict[str, str]:
    """What the docstrings below the fields say."""
    return _docstrings_in(struct.__module__).get(struct.__name__, {}) if isinstance(struct, StructMeta) else {}


@cache
def _docstrings_in(module: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for each in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(each, ast.ClassDef):
            for pair in pairwise(each.body):
                match pair:
                    case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                        found.setdefault(each.name, {})[name] = " ".join(text.split())
    return found


def _presence(member: structs.FieldInfo, base: type[Any], kinds: Kinds) -> dict[str, Any]:
    if base is Answer:
        return {"required": member.default is not UNSET}
    if member.required:
        return {"required": True}
    if kinds is _QUERY_FIELDS and member.default is None:
        return {"allow_none": False}  # a query has no null: the Struct knows what it is where it is left out
    return {"load_default": member.default if member.default_factory is NODEFAULT else member.default_factory}


def _field(of: Any, kinds: Kinds, told: str | None = None, **settings: Any) -> Field:
    metadata: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    checks: list[validate.Validator] = []
    while (origin := get_origin(of)) in (Annotated, Union, UnionType):
        if origin is Annotated:
            of, *metas = get_args(of)
            for meta in metas:
                checks += _checks(meta)
                extra |= meta.extra or {}
                metadata |= _described(meta)
        else:
            settings.setdefault("allow_none", NoneType in get_args(of))
            (of,) = (each for each in get_args(of) if each not in (NoneType, UnsetType))
    if "rules" in extra:
        others = [{"$ref": COMPONENT + name_of(other)} for other in extra["others"]]
        metadata["anyOf"] = others + refs(extra["rules"])
    if told:
        metadata["description"] = told
    if origin is Literal:
        checks.append(validate.OneOf(get_args(of)))
    make = extra.get("field") or _maker(extra.get("holds", of), kinds)
    field: Field = make(validate=[*checks, *extra.get("validate", ())], metadata=metadata, **settings)
    return field


def _maker(of: Any, kinds: Kinds) -> Callable[..., Field]:
    """What makes the field of a type."""
    args = get_args(of)
    match get_origin(of):
        case builtins.list | builtins.tuple | abc.Sequence:
            return partial(fields.List, _field(args[0], kinds))
        case builtins.dict if args[1] is not Any:
            return partial(fields.Dict, values=_field(args[1], kinds))
        case builtins.dict:
            return fields.Dict
        case typing.Literal:
            return kinds[type(args[0])]
    return partial(fields.Nested, _answer(of)) if isinstance(of, StructMeta) else kinds[of]


def _checks(meta: Meta) -> Iterator[validate.Validator]:
    if meta.ge is not None or meta.le is not None:
        yield validate.Range(min=meta.ge, max=meta.le)
    if meta.min_length is not None or meta.max_length is not None:
        yield validate.Length(min=meta.min_length, max=meta.max_length)


def _described(meta: Meta) -> dict[str, Any]:
    described = {"description": meta.description} if meta.description else {}
    return {**described, **(meta.extra_json_schema or {})}
