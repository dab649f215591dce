"""What has no action's shape is refused with what was expected there, in plain words, in each language."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from holmgang import registry
from holmgang.api.operation.input import errors_of
from holmgang.api.operation.schemas import Body
from holmgang.engine.errors import IllegalAction, InvalidOption, MalformedAction
from holmgang.engine.misfits import misfit, type_info
from holmgang.languages.catalogue import LANGUAGES, sentence
from tests.documents import bodies
from tests.fuzz.mutating import ENDS, ODD, mutated
from tests.fuzz.targets import positions
from tests.languages.checking import check_said

from .shapes import Build, build

PYTHON = re.compile(
    r"`|\$\.|\[\.\.\.\]|regex|Expected|\b(?:int|str|float|bool|dict|tuple|NoneType|enum|struct|array)\b"
)
NEW: tuple[Any, ...] = (*ODD, 2.5, float("nan"), float("inf"), 10**30, "'x'", {"a": [1]}, "\udcff")


def _changed(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Copies of a JSON value, each with one part replaced, dropped, added to, or with an end that is not there."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, member in members:
        for odd in NEW:
            yield (at,), _with(value, at, odd)
        if isinstance(member, str):
            for end in ENDS:
                yield (at,), _with(value, at, member + end)
                yield (at,), _with(value, at, end + member)
        less = copy.copy(value)
        del less[at]
        yield (at,), less
        for path, changed in _changed(member):
            yield (at, *path), _with(value, at, changed)
    if isinstance(value, dict):
        yield (), {**value, "more": 1}
        for name in value:
            for end in ENDS:
                yield (), {f"{key}{end}" if key == name else key: member for key, member in value.items()}
    if isinstance(value, list) and value:
        yield (), value * 120


def _with(value: Any, at: Any, member: Any) -> Any:
    changed = copy.copy(value)
    changed[at] = member
    return changed


def _plain(detail: str) -> None:
    check_said(detail)
    for language in LANGUAGES:
        assert not PYTHON.search(sentence(detail, language)), sentence(detail, language)


def _wire(action: Any) -> Any:
    return json.loads(msgspec.json.encode(action))


@pytest.mark.parametrize("name", sorted(positions()))
def test_every_change_of_a_legal_action_is_judged_or_told_in_plain_words(name: str) -> None:
    """What decodes has a meaning, whatever it is: no look-up fails on it."""
    rules, state, seat = positions()[name]
    kind, rng = name.partition("/")[2], random.Random(name)
    space = rules.moves(state, seat)
    for _ in range(4):
        wire = _wire(space.sample(rng))
        changes = [changed for _, changed in _changed(wire)] + [mutated(wire, rng) for _ in range(100)] + [*NEW]
        for changed in changes:
            try:
                action = rules.decode(kind, changed)
            except MalformedAction as fault:
                _plain(fault.detail)
                continue
            except IllegalAction as fault:
                check_said(fault.detail)
                continue
            rules.canonical(seat, action)
            assert misfit(_wire(action), _struct(rules, kind, action)) is None
            assert not any(end.strip(" ") in text for end in "\n\r\0" for text in _texts(_wire(action))), action
            if (why := space.why_not(action)) is not None:
                check_said(why.detail)


def _struct(rules: Any, kind: str, action: Any) -> Any:
    union: Any = type_info(rules.turn_kinds[kind])
    return next(each for each in getattr(union, "types", (union,)) if each.cls is type(action))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    members = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    for member in members:
        yield from _texts(member)


def _ints(kind: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every whole number below a type, by its keys, where `*` is any key or place in a list."""
    kind = getattr(kind, "type", kind)
    if isinstance(kind, msgspec.inspect.IntType):
        yield path, kind
    for field in getattr(kind, "fields", ()):
        yield from _ints(field.type, (*path, field.encode_name))
    for each in getattr(kind, "types", ()):
        yield from _ints(each, path)
    for part in ("value_type", "item_type"):
        if hasattr(kind, part):
            yield from _ints(getattr(kind, part), (*path, "*"))


@pytest.mark.parametrize("ruleset", registry.names())
def test_every_whole_number_of_every_action_names_its_key_and_bounds(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    for union in rules.turn_kinds.values():
        info = type_info(union)
        for struct in getattr(info, "types", (info,)):
            for path, bounds in _ints(struct):
                wrongs: tuple[Any, ...] = (bounds.ge - 1, bounds.le + 1, 2.5, "2", True, None, [], {})
                for wrong in wrongs:
                    found = misfit(_made(struct, path, wrong), struct)
                    assert found is not None
                    assert f"must be a whole number from {bounds.ge} to {bounds.le}, not " in found.detail
                    assert f"'{path[0]}" in found.detail
                    assert path[-1] == "*" or f"{path[-1]}' " in found.detail


def _made(kind: Any, path: tuple[str, ...] | None, wrong: Any = None) -> Any:
    """A JSON value of a type, that has `wrong` at the path."""
    kind = getattr(kind, "type", kind)
    if path == ():
        return wrong
    step, rest = (None, None) if path is None else (path[0], path[1:])
    if isinstance(kind, msgspec.inspect.StructType):
        made = {
            field.encode_name: _made(field.type, rest if field.encode_name == step else None, wrong)
            for field in kind.fields
            if field.required or field.encode_name == step
        }
        return made if kind.tag is None else {"type": kind.tag, **made}
    if isinstance(kind, msgspec.inspect.DictType):
        assert isinstance(kind.key_type, msgspec.inspect.LiteralType)
        return {kind.key_type.values[0]: _made(kind.value_type, rest, wrong)}
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return [_made(kind.item_type, rest, wrong)] + [_made(kind.item_type, None)] * ((kind.min_length or 1) - 1)
    if isinstance(kind, msgspec.inspect.IntType):
        return kind.ge
    if isinstance(kind, msgspec.inspect.LiteralType):
        return kind.values[0]
    return "c4" if "a-z" in kind.pattern else "1:boat"


SAID = {
    "nearest type": ("placement", {"type": "plce"}, "'type' must be 'place', not \"plce\". Did you mean 'place'?"),
    "types of this turn": ("initiative", {"type": "raid"}, "'type' must be 'fight' or 'besiege', not \"raid\"."),
    "no type": ("initiative", {"space": "A"}, "The action has no 'type': it must be 'fight' or 'besiege'."),
    "type is no text": ("initiative", {"type": 3}, "'type' must be 'fight' or 'besiege', not 3."),
    "no object": ("amulets", [], "An action is a JSON object whose 'type' is 'exchange' or 'stand', not a list."),
    "a count beyond its bound": (
        "placement",
        {"type": "place", "fields": {"A": 9}, "sieges": []},
        "'fields/A' must be a whole number from 1 to 8, not 9.",
    ),
    "a fraction": (
        "placement",
        {"type": "place", "fields": {"A": 2.5}, "sieges": []},
        "'fields/A' must be a whole number from 1 to 8, not 2.5.",
    ),
    "a line break": (
        "placement",
        {"type": "place", "fields": {}, "sieges": ["1:boat\n"]},
        "'sieges/0' must be a name such as '1:boat', not \"1:boat\\n\".",
    ),
    "too many": (
        "placement",
        {"type": "place", "fields": {}, "sieges": ["1:boat"] * 16},
        "'sieges' must be a list of 0 to 15 entries, not of 16.",
    ),
    "a missing key": (
        "placement",
        {"type": "place", "fields": {}},
        "'sieges' is missing: it must be a list of 0 to 15 entries.",
    ),
    "an unknown key": (
        "placement",
        {"type": "place", "feilds": {}, "sieges": []},
        "The key 'feilds' is unknown: the keys here are 'type', 'fields', 'sieges'. Did you mean 'fields'?",
    ),
    "an unknown field": (
        "placement",
        {"type": "place", "fields": {"H": 1}, "sieges": []},
        "The key 'fields/H' is unknown: the keys here are 'A', 'B', 'C', 'D', 'E', 'F', 'G'.",
    ),
    "not a number": (
        "battle_card",
        {"type": "play", "card": "3"},
        "'card' must be a whole number from 1 to 6, not \"3\".",
    ),
    "letters of any script": (
        "placement",
        {"type": "placé\u202e"},
        "'type' must be 'place', not \"placé\\u202e\". Did you mean 'place'?",
    ),
    "several words": (
        "building",
        {"type": "build", "stones": [{"stone": "камень", "wall": 1}]},
        "'stones/0/stone' must be 'clay', 'grass', 'stone' or 'wood', not \"камень\".",
    ),
    "a word": (
        "amulets",
        {"type": "stand", "until": "turn"},
        "'until' must be 'round' or null, not \"turn\".",
    ),
}


@pytest.mark.parametrize(("kind", "action", "detail"), SAID.values(), ids=SAID)
def test_what_was_expected(kind: str, action: Any, detail: str) -> None:
    with pytest.raises(MalformedAction) as malformed:
        registry.latest("eketorp").decode(kind, action)
    assert malformed.value.detail == detail


def test_parts_of_any_type_are_told_in_plain_words() -> None:
    wire = _wire(build())
    assert misfit(wire, type_info(Build)) is None
    told = set()
    for path, changed in _changed(wire):
        try:
            msgspec.convert(changed, Build)
        except (msgspec.ValidationError, UnicodeEncodeError):
            found = misfit(changed, type_info(Build))
            if path != ("type",):
                assert found is not None, changed
                _plain(found.detail)
                assert not path or found.pointer.startswith(f"/{path[0]}")
                told.add(re.sub(r", not .*", "", found.detail))
    assert told >= {
        "'at' must be a list of 2 entries",
        "'at/1' must be a whole number from 0 to 2",
        "'colour' must be 'red' or 'blue'",
        "'colour' is missing: it must be 'red' or 'blue'.",
        "'weight' must be a number from 0 to 1",
        "'share' must be a number > 0",
        "'way/1/0' must be a whole number from 0 to 2",
        "'walls' must be a list of 0 to 3 entries",
    }


@pytest.mark.parametrize("ruleset", registry.names())
def test_every_change_of_the_options_is_told_in_plain_words(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    for seats in rules.seat_counts:
        options = json.loads(json.dumps(rules.options(rules.configure(seats, {}))))
        told: list[tuple[tuple[Any, ...], str]] = []
        for path, changed in _changed(options):
            try:
                config = rules.configure(seats, changed)
            except InvalidOption as fault:
                _plain(fault.detail)
                told.append((path, fault.pointer))
                continue
            whole = rules.options(config)
            assert rules.configure(seats, whole) == config
            assert not any(end in text for end in "\n\r\0" for text in _texts(whole))
        assert [pointer for path, pointer in told if path and pointer.split("/")[1] != path[0]] == []


def test_an_option_that_was_probably_meant() -> None:
    with pytest.raises(InvalidOption, match="Did you mean 'first_player'"):
        registry.latest("claim").configure(2, {"first_plyer": 1})


@pytest.mark.parametrize("body", bodies())
def test_every_fault_of_a_body_or_a_query_is_told_in_plain_words(body: type[Body]) -> None:
    schema = body()
    said = 0
    for name, field in schema.load_fields.items():
        for odd in (*NEW, [odd for odd in NEW if not isinstance(odd, list)]):
            if odd != odd or odd in (float("inf"), 10**30, "\udcff"):
                continue  # which is no JSON, or refused as such
            if body.__name__.endswith("Query") and not isinstance(odd, str):
                continue  # a query holds text alone
            errors = schema.validate({name: odd}, partial=True)
            for error in errors_of(errors, schema, "json"):
                _plain(error["detail"])
                said += 1
        meant = errors_of(schema.validate({f"{name}s": 1}, partial=True), schema, "json")
        assert meant[0]["detail"] == f"Unknown field. Did you mean '{name}'?" or f"{name}s" in schema.load_fields
        assert meant[0]["code"] == "unknown_field"
        assert field.data_key is None
    assert said or not schema.load_fields
