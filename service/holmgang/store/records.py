"""Records from rows: a field is read from the column of its name, wherever in the row that stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import EnumType
from inspect import signature
from itertools import count
from operator import itemgetter
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

T = TypeVar("T")

_MAKERS = (tuple, frozenset, msgspec.Raw)
"""What is made of the driver's lists and texts where a field wants it, as are enumerations."""


class MisfitError(Exception):
    """The columns of a statement are not what its records are made of."""


def reader(record: type[T], columns: Sequence[str], apart: Collection[str] = ()) -> Callable[[Sequence[Any]], T]:
    """Give what makes a `record` of a row with these columns: a Struct, or else the value of the only column.

    A field that is a Struct, or holds some, is made of a column of JSON; a Struct else of columns of the same row. A
    column belongs to every field of its name, at any depth; where two are not the same, the name of the outer field
    comes first: `principal_game` is the field `game` of the field `principal`. A Struct that may be None is None where
    the first of its own columns that must have a value is NULL. Fields named in `apart` come from elsewhere; they have
    a default.

    Raises MisfitError where a field has no column or a column has no field.
    """
    if not _is_struct(record):
        if len(columns) != 1:
            raise MisfitError(f"one column is to be read as {record.__name__}, not {', '.join(columns)}")
        return itemgetter(0)
    source = _Source(columns, apart)
    made = source.struct(record, "")
    if strangers := set(columns) - source.used:
        raise MisfitError(f"{record.__name__} has no field for {', '.join(sorted(strangers))}")
    # Compiled, as `dataclasses` and `namedtuple` do: closures that call each other take three times as long.
    read: Callable[[Sequence[Any]], T] = eval(f"lambda row: {made}", source.names)  # noqa: S307 # names of fields
    return read


class _Source:
    """Python expressions that make records of `row`."""

    def __init__(self, columns: Sequence[str], apart: Collection[str]) -> None:
        self._at = {column: position for position, column in enumerate(columns)}
        if len(self._at) != len(columns):
            raise MisfitError(f"two columns have one name: {', '.join(columns)}")
        self._apart = apart
        self._number = count()
        self.names: dict[str, Any] = {"convert": msgspec.convert}
        self.used: set[str] = set()

    def struct(self, record: type, prefix: str, *, optional: bool = False) -> str:
        name = self._named(record)
        # Many keywords are slow: each is searched for among all fields.
        by_position = all(one.kind is not one.KEYWORD_ONLY for one in signature(record).parameters.values())
        given, key = [], None
        for field in msgspec.structs.fields(record):
            kind, may_be_none = _kind(field.type)
            if (column := self._column(field.name, prefix)) is not None:
                value = f"row[{column}]"
                if not may_be_none and key is None:
                    key = value
                value = _unless_null(value, self._made(value, kind), may_be_none)
            elif _is_struct(kind):
                value = self.struct(kind, f"{field.name}_", optional=may_be_none)
            elif field.name in self._apart:
                by_position = False
                continue
            else:
                raise MisfitError(f"there is no column for {record.__name__}.{field.name}")
            given.append(value if by_position else f"{field.name}={value}")
        if optional and key is None:
            raise MisfitError(f"no column tells whether there is a {record.__name__}")
        return _unless_null(key, f"{name}({', '.join(given)})", optional)

    def _made(self, value: str, kind: Any) -> str:
        if _is_struct(kind) or any(map(_is_struct, get_args(kind))):
            return f"convert({value}, {self._named(kind)})"
        made = get_origin(kind) or kind
        return f"{self._named(made)}({value})" if made in _MAKERS or isinstance(made, EnumType) else value

    def _named(self, made: type) -> str:
        name = f"made_{next(self._number)}"
        self.names[name] = made
        return name

    def _column(self, field: str, prefix: str) -> int | None:
        for name in (prefix + field, field):
            if name in self._at:
                self.used.add(name)
                return self._at[name]
        return None


def _unless_null(column: str | None, value: str, may_be_null: bool) -> str:
    return f"(None if {column} is None else {value})" if may_be_null and value != column else value


def _kind(annotation: Any) -> tuple[Any, bool]:
    """A field's type without what is said of it, and whether it may be None."""
    if get_origin(annotation) is Annotated:
        return _kind(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        optional = len(kinds) < len(get_args(annotation))
        return (_kind(kinds[0])[0] if len(kinds) == 1 else annotation), optional
    return annotation, False


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
