"""The laws about actions off the wire: those of the right shape are legal, or refused by a rule; others malformed."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect

from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.game import Game
from holmgang.engine.misfits import bare, span
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await

from .interface import cited
from .walks import Walk, expect

NO_ACTIONS: tuple[Any, ...] = (None, 1, "text", [], {}, {"type": 1}, {"type": "no such type"})
MOST_ENTRIES = 4
MOST_NUMBER = 1 << 16
"""How far numbers go that an action's type does not bound."""


def shapes_are_refused(rules: AnyRules) -> None:
    """What has the shape of no action of a kind of turn is malformed; what other turns ask for is illegal here (C2)."""
    for kind, union in rules.turn_kinds.items():
        own = {each.__struct_config__.tag: each for each in members(union)}
        for value in (*NO_ACTIONS, *({"type": tag, "no such field": 1} for tag in own)):
            _refused(rules, kind, value, MalformedAction)
        for other, actions in rules.turn_kinds.items():
            for each in members(actions):
                tag = each.__struct_config__.tag
                if other != kind and tag not in own:
                    _refused(rules, kind, {"type": tag}, IllegalAction)


def _refused(rules: AnyRules, kind: str, value: Any, wanted: type[Exception]) -> None:
    told = msgspec.json.encode(value).decode()
    try:
        decoded = rules.decode(kind, value)
    except (IllegalAction, MalformedAction) as refusal:
        expect(type(refusal) is wanted, f"{told} raises {type(refusal).__name__} at '{kind}', not {wanted.__name__}")
        expect(refusal.detail, f"{told} is refused at '{kind}' without a word")
        return
    expect(False, f"'{kind}' takes {told} for {decoded}")


def refusals_cite_rules(game: Game, walk: Walk, rng: Rng, every: int = 1, tried: int = 12) -> None:
    """Whatever an action's type lets through is legal, or refused with a rule that RULES.md has and a sentence.

    Tried are actions made up by their types, and what seats chose at other moments.
    """
    chosen: dict[type, list[Any]] = {}
    for made in walk.decisions():
        chosen.setdefault(type(made.action), []).append(made.action)
    for moment in walk.decisions(every):
        turn = moment.turn
        assert type(turn) is Await
        assert moment.seat is not None
        space = walk.rules.moves(moment.before, moment.seat)
        kinds = members(walk.rules.turn_kinds[turn.kind])
        for number in range(tried):
            kind = kinds[number % len(kinds)]
            known = chosen.get(kind, ())
            action = known[rng.randrange(len(known))] if known and number % 3 == 2 else made_up(kind, rng)
            if action is None:
                continue
            fault = space.why_not(action)
            expect((action in space) == (fault is None), f"{action} is in its space, but refused: {fault}")
            if fault is not None:
                cited(game, fault.rule, f"the refusal of {action}")
                expect(fault.detail, f"{action} is refused without a word")


def members(union: Any) -> tuple[Any, ...]:
    return getattr(union, "__args__", None) or (union,)


class CannotMakeUp(Exception):
    """A part of a type that nothing tells examples of."""


def made_up(kind: type, rng: Rng) -> Any:
    """An action of a type, by chance; None where it has parts that this cannot make up."""
    try:
        return msgspec.convert(_value(inspect.type_info(kind), rng), kind)
    except (CannotMakeUp, msgspec.ValidationError):
        return None


def _value(wanted: inspect.Type, rng: Rng) -> Any:
    wanted, told = bare(wanted)
    match wanted:
        case inspect.StructType():
            fields = {field.encode_name: field for field in wanted.fields}
            made = {name: _value(field.type, rng) for name, field in fields.items()}
            return made if wanted.tag_field is None else {wanted.tag_field: wanted.tag, **made}
        case inspect.UnionType():
            return _value(wanted.types[rng.randrange(len(wanted.types))], rng)
        case inspect.LiteralType():
            return list(wanted.values)[rng.randrange(len(wanted.values))]
        case inspect.BoolType():
            return bool(rng.randrange(2))
        case inspect.NoneType():
            return None
        case inspect.IntType():
            least, most = span(wanted)
            least = -MOST_NUMBER if least is None else least
            most = max(least, MOST_NUMBER) if most is None else most
            return least + rng.randrange(most - least + 1)
        case inspect.FloatType():
            low = wanted.ge if wanted.gt is None else wanted.gt
            high = wanted.le if wanted.lt is None else wanted.lt
            low = (0.0 if high is None else high - 1) if low is None else low
            high = low + 1 if high is None else high
            numbers = [low + (high - low) * part / 8 for part in range(1, 8)]
            numbers += [float(end) for end in (wanted.ge, wanted.le) if end is not None]
            return numbers[rng.randrange(len(numbers))]
        case inspect.EnumType():
            return list(wanted.cls)[rng.randrange(len(wanted.cls))].value
        case inspect.StrType():
            examples = told.get("examples", [] if wanted.pattern else ["", "x"])
            if not examples:
                raise CannotMakeUp
            return examples[rng.randrange(len(examples))]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [_value(wanted.item_type, rng) for _ in range(_length(wanted, rng))]
        case inspect.TupleType():
            return [_value(each, rng) for each in wanted.item_types]
        case inspect.DictType():
            pairs = ((wanted.key_type, wanted.value_type) for _ in range(_length(wanted, rng)))
            return {_value(key, rng): _value(value, rng) for key, value in pairs}
    raise CannotMakeUp


def _length(wanted: Any, rng: Rng) -> int:
    least = wanted.min_length or 0
    most = max(least, MOST_ENTRIES if wanted.max_length is None else min(wanted.max_length, MOST_ENTRIES))
    return least + rng.randrange(most - least + 1)
