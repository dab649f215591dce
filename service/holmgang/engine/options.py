"""The options of games: each is stated once, as a field of a Struct, with its type, its default and its rule's id.

JSON Schema, checks, refusals and the form that commitments cover follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, Self, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct

from .errors import InvalidOption
from .messages import Said, listed, say
from .misfits import found_there, misfit, nearest, quoted, type_info
from .numbers import whole
from .turn import Seat

RANDOM = "random"
FIRST = "first_player"
UNKNOWN = "C1"
"""The rule that a name breaks which is no option's."""
_ORDER = ("description", "type", "enum", "anyOf", "minItems", "maxItems", "uniqueItems", "items")
"""In which schemas tell their first keys; all others follow, and the default is last."""
_PLAIN = frozenset({str, int, bool, float, type(None)})

Read = Callable[[Any, int, bool], Any]
"""Makes a field's value of a JSON value, given the number of seats and whether the game is new; InvalidOption for a
value that will not do. A check that came when games had been played keeps to new ones."""


class Option:
    """What a field's type does not say of an option; made by `option`."""

    def __init__(
        self,
        rule: str,
        about: str,
        schema: Mapping[str, Any] | Callable[[int], Mapping[str, Any]] | None,
        read: Read | None,
        told: Callable[[Any], Any] | None,
        usual: Callable[[int], Any] | None,
    ) -> None:
        self.rule, self.about = rule, about
        self.schema, self.read, self.told, self.usual = schema, read, told, usual


def option(
    rule: str,
    about: str,
    *,
    schema: Mapping[str, Any] | Callable[[int], Mapping[str, Any]] | None = None,
    read: Read | None = None,
    told: Callable[[Any], Any] | None = None,
    usual: Callable[[int], Any] | None = None,
) -> Option:
    """An option, in the `Annotated` type of its field: the rule's id and what the option is, for its description.

    Refusals cite the rule, of several the first. JSON Schema and checks are the type's, unless `schema` (a schema, or
    what makes one for the greatest number of seats) and `read` are better. `told` makes a JSON value of the field's,
    `usual` the field's value where the default depends on the number of seats.
    """
    return Option(rule, about, schema, read, told, usual)


class GameOptions(Struct, frozen=True, kw_only=True):
    """The checked options of a game, a field each, and its number of seats. A game without options needs no other."""

    seats: int

    @classmethod
    def kept(cls, board: Any) -> Self:
        """The options that a state keeps: each under its name, but `first_player` as `first_option`, -1 for chance, and
        the seats as `players`."""
        values = {field.name: getattr(board, field.name) for field in _fields(cls) if field.name != FIRST}
        if FIRST in cls.__struct_fields__:
            values[FIRST] = None if board.first_option < 0 else board.first_option
        return cls(seats=board.players, **values)

    def told(self) -> dict[str, Any]:
        """All options by their names as JSON values, in canonical form: what the commitment covers."""
        return {field.name: field.tell(getattr(self, field.name)) for field in _by_name(type(self))}


Options = TypeVar("Options", bound=GameOptions)


class _Field(NamedTuple):
    name: str
    option: Option
    type: Any
    default: Any

    def tell(self, value: Any) -> Any:
        return _as_json(value) if self.option.told is None else self.option.told(value)

    def usual(self, seats: int) -> Any:
        return self.default if self.option.usual is None else self.option.usual(seats)

    def read(self, value: Any, seats: int, new: bool) -> Any:
        if self.option.read is not None:
            return self.option.read(value, seats, new)
        return read_as(self.type, self.name, self.option.rule.partition(",")[0], value)

    def schema(self, most_seats: int) -> dict[str, Any]:
        made = self.option.schema
        made = msgspec.json.schema(self.type) if made is None else made(most_seats) if callable(made) else made
        found: dict[str, Any] = {"description": f"{self.option.rule}: {self.option.about}", **made}
        if self.option.usual is None:
            found["default"] = self.tell(self.default)
        return {key: found[key] for key in sorted(found, key=_place)}


def _place(key: str) -> int:
    return _ORDER.index(key) if key in _ORDER else len(_ORDER) + (key == "default")


def _as_json(value: Any) -> Any:
    """What JSON would make of it: lists for tuples, objects for Structs. Every view tells options, so it is quick."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [each if type(each) in _PLAIN else _as_json(each) for each in value]
    if kind is dict:
        return {key: _as_json(each) for key, each in value.items()}
    return _as_json(msgspec.to_builtins(value))


@lru_cache(maxsize=64)
def _fields(kind: type[GameOptions]) -> tuple[_Field, ...]:
    found = []
    for field in msgspec.structs.fields(kind):
        if field.name == "seats":
            continue
        said = next((one for one in getattr(field.type, "__metadata__", ()) if isinstance(one, Option)), None)
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        if said is None:
            raise TypeError(f"{kind.__name__}.{field.name} says no `option` in its type")
        if default is NODEFAULT and said.usual is None:
            raise TypeError(f"{kind.__name__}.{field.name} has no default, nor says what is usual")
        found.append(_Field(field.name, said, field.type, default))
    return tuple(found)


@lru_cache(maxsize=64)
def _by_name(kind: type[GameOptions]) -> tuple[_Field, ...]:
    return tuple(sorted(_fields(kind), key=attrgetter("name")))


def schema_of(kind: type[GameOptions], most_seats: int) -> dict[str, Any]:
    """JSON Schema of a game's options, in the order of their fields."""
    properties = {field.name: field.schema(most_seats) for field in _fields(kind)}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def read_options(
    kind: type[Options], title: str, seats: int, options: Mapping[str, Any], *, new: bool = True
) -> Options:
    """Check JSON values and fill in what is usual. A float without a fraction is an integer; InvalidOption for a name
    that is no option's, or a value that will not do."""
    fields = _fields(kind)
    known = [field.name for field in fields]
    for name in options:
        if name not in known:
            pointer = "/" + name.replace("~", "~0").replace("/", "~1")
            raise InvalidOption(pointer, UNKNOWN, _unknown(title, name, known))
    given: Mapping[str, Any] = whole(options)
    values = {
        field.name: field.read(given[field.name], seats, new) if field.name in given else field.usual(seats)
        for field in fields
    }
    return kind(seats=seats, **values)


def _unknown(title: str, name: str, known: list[str]) -> Said:
    if not known:
        return say("{title} has no option '{name}'. It has none.", title=title, name=name[:40])
    there, meant = listed(quoted(known)), nearest(name, known)
    if meant is None:
        return say("{title} has no option '{name}'. It has {options}.", title=title, name=name[:40], options=there)
    return say(
        "{title} has no option '{name}'. It has {options}. Did you mean '{meant}'?",
        title=title,
        name=name[:40],
        options=there,
        meant=meant,
    )


def read_as(wanted: Any, name: str, rule: str, value: Any) -> Any:
    """The value of an option as a type; InvalidOption, by the rule, for a JSON value that does not fit it."""
    found = misfit(value, type_info(wanted), (name,))
    if found is not None:
        raise InvalidOption(found.pointer, rule, found.detail)
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:  # what the words of misfits do not tell
        raise InvalidOption(
            f"/{name}", rule, say("'{name}' cannot be {found}.", name=name, found=found_there(value))
        ) from None


def _first_schema(most_seats: int) -> dict[str, Any]:
    return {"anyOf": [{"const": RANDOM}, {"type": "integer", "minimum": 0, "maximum": most_seats - 1}]}


def _first(first: Any, seats: int, new: bool) -> Seat | None:  # noqa: ARG001 # as games with limits of their own take it
    if first == RANDOM:
        return None
    if type(first) is not int or not 0 <= first < seats:
        raise InvalidOption(
            "/first_player",
            "C1",
            say(
                "'first_player' must be a seat from 0 to {last} or '{random}', not {found}.",
                last=seats - 1,
                random=RANDOM,
                found=found_there(first),
            ),
        )
    return first


def _first_told(first: Seat | None) -> Any:
    return RANDOM if first is None else first


def first_player(rules: str) -> Option:
    """The option `first_player`, a seat or None for chance, which is the default (C1). `rules` are cited in its
    description: a game says `first_player: Annotated[Seat | None, first_player("C1, X2.1")] = None`."""
    about = f"the seat that starts, or `{RANDOM}`."
    return option(rules, about, schema=_first_schema, read=_first, told=_first_told)


FirstPlayer = Annotated[Seat | None, first_player("C1")]
