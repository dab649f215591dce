"""The laws about what a game's rules are, before anything is played: names, types, options, and what they import."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import util
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct

from holmgang.engine.errors import InvalidOption
from holmgang.engine.game import Game
from holmgang.engine.rulebook import read_rules
from holmgang.engine.rules import AnyRules, Combat, Reconstructed, Rules
from holmgang.registry.discovery import MOST_LETTERS, NAME, misnamed

from .walks import expect, walk

_IMPURE = """
    asyncio concurrent ctypes datetime http io logging multiprocessing os pathlib random secrets select shutil signal
    socket sqlite3 ssl subprocess sys tempfile threading time urllib uuid
"""
IMPURE = frozenset(_IMPURE.split())
"""Modules of the standard library that bring clock, chance, files, network or the process into the rules."""
HOUSE = "holmgang.engine"
"""All that rules may import of the house."""
IMPURE_CALLS = frozenset({"open", "input", "print", "exec", "eval", "__import__"})
"""Builtins that do the same."""


def rules_are_whole(rules: AnyRules) -> None:
    """Each attribute of `Rules` is there, and each of its methods takes what it is called with."""
    kind = type(rules).__name__
    for name in Rules.__annotations__:
        expect(hasattr(rules, name), f"{kind} has no '{name}'")
    for name, wanted in inspect.getmembers(Rules, inspect.isfunction):
        if name.startswith("_"):
            continue
        method = getattr(rules, name, None)
        expect(callable(method), f"{kind} has no method '{name}'")
        assert method is not None
        taken = list(inspect.signature(wanted).parameters.values())[1:]
        given = [None for parameter in taken if parameter.kind is not parameter.KEYWORD_ONLY]
        named = {parameter.name: None for parameter in taken if parameter.kind is parameter.KEYWORD_ONLY}
        try:
            inspect.signature(method).bind(*given, **named)
        except TypeError as error:
            told = inspect.signature(wanted)
            expect(False, f"'{name}' of {kind} cannot be called as {name}{told} is: {error}")


def names_are_plain(game: Game, rules: AnyRules) -> None:
    """What the game is called, and how many may play it."""
    plain = NAME.fullmatch(rules.ruleset) and len(rules.ruleset) <= MOST_LETTERS
    expect(plain, f"'{rules.ruleset}' is not of at most {MOST_LETTERS} small letters, digits and single underscores")
    expect(rules.ruleset == game.name, f"the ruleset '{rules.ruleset}' is not what the game is called: '{game.name}'")
    odd = misnamed(rules)
    expect(odd is None, odd or "")
    for seats in rules.seat_counts:
        sides = rules.teams(seats)
        told = sorted(seat for side in sides for seat in side)
        expect(told == list(range(seats)), f"the teams of {seats} players are {sides}: not each seat once")


def types_are_frozen(game: Game, rules: AnyRules) -> None:
    """What is passed around cannot be changed, and what comes off the wire is told apart by its `type`."""
    for name in ("state_type", "view_type", "combat_type"):
        _frozen(getattr(rules, name), f"'{name}'")
    expect(issubclass(rules.combat_type, Combat), f"{rules.combat_type.__name__} extends no Combat")
    effects = {effect.__name__ for effect in _tagged(rules.effect_type, "'effect_type'")}
    unknown = sorted(game.laws.reveals - effects)
    expect(not unknown, f"'reveals' of laws.py names {', '.join(unknown)}: no classes of 'effect_type'")
    kinds = rules.turn_kinds
    expect(isinstance(kinds, Mapping) and kinds, f"'turn_kinds' is {kinds!r}")
    for kind, union in kinds.items():
        expect(isinstance(kind, str) and kind, f"the kind of turn {kind!r} is no name")
        for action in _tagged(union, f"the kind of turn '{kind}'"):
            strict = action.__struct_config__.forbid_unknown_fields
            expect(strict, f"{action.__name__} takes unknown fields: it lacks forbid_unknown_fields=True")


def _tagged(union: Any, what: str) -> tuple[type[Struct], ...]:
    members = get_args(union) or (union,)
    tags = []
    for member in members:
        _frozen(member, what)
        config = member.__struct_config__
        told = isinstance(config.tag, str) and config.tag_field == "type"
        expect(told, f"{member.__name__} of {what} has no tag=..., by which its 'type' is known")
        tags.append(config.tag)
    expect(len(set(tags)) == len(tags), f"two types of {what} have one tag: {sorted(tags)}")
    return members


def _frozen(kind: Any, what: str) -> None:
    kind = get_origin(kind) or kind
    expect(isinstance(kind, type) and issubclass(kind, Struct), f"{what} names {kind!r}, which is no msgspec Struct")
    expect(kind.__struct_config__.frozen, f"{kind.__name__} of {what} can be changed: it lacks frozen=True")


def options_are_checked(game: Game, rules: AnyRules, seats: int) -> None:
    """Defaults are taken, unknown names refused, and the whole options give the same game as those that were given."""
    schema = msgspec.json.decode(msgspec.json.encode(rules.options_schema))
    known = schema.get("properties", {})
    for given in ({}, *game.laws.options):
        config = rules.configure(seats, given)
        expect(getattr(config, "seats", None) == seats, f"the config of {seats} players tells other 'seats'")
        whole = rules.options(config)
        expect(set(whole) == set(known), f"'options' gives {sorted(whole)}, the schema has {sorted(known)}")
        for name, each in known.items():
            left_out = name not in given and "default" in each
            usual = f"'{name}' left out of {given} is {whole[name]!r}, where the schema says {each.get('default')!r}"
            expect(not left_out or whole[name] == each["default"], usual)
        plain = msgspec.json.decode(msgspec.json.encode(whole))
        expect(plain == whole, f"the options {whole} change on their way through JSON")
        expect(rules.configure(seats, plain) == config, f"the options {plain} give another game than {given}")
        expect(rules.configure(seats, plain, new=False) == config, f"{plain} are refused to a game that goes on")
        expect(rules.initial(config) == rules.initial(config), f"the options {plain} do not settle how a game begins")
    for name, each in known.items():
        if "default" in each:
            rules.configure(seats, {name: each["default"]})
        for value in _bounds(each):
            _play_with(rules, seats, {name: value})
        _misfit(game, rules, seats, name)
    for name in ("no such option", *(f"{name}x" for name in known)):
        try:
            rules.configure(seats, {name: 1})
        except InvalidOption as refusal:
            cited(game, refusal.rule, f"the refusal of the option '{name}'")
            expect(refusal.detail, f"the option '{name}' is refused without a word")
        else:
            expect(False, f"there is no option '{name}', and it is taken")


def _bounds(schema: Mapping[str, Any]) -> Iterator[Any]:
    """The least and the most that an option may be, or each of its choices."""
    yield from (schema[key] for key in ("const", "minimum", "maximum") if key in schema)
    yield from schema.get("enum", ())
    if schema.get("type") == "boolean":
        yield from (False, True)
    for each in schema.get("anyOf", ()):
        yield from _bounds(each)


def _play_with(rules: AnyRules, seats: int, options: Mapping[str, Any]) -> None:
    """A random game with options that the schema allows; not all go with every number of seats."""
    try:
        config = rules.configure(seats, options)
    except InvalidOption:
        return
    try:
        walk(rules, config, random.Random(0))  # noqa: S311 # trials are to be repeatable
    except Exception as error:
        error.add_note(f"it is played with the options {dict(options)}")
        raise


def _misfit(game: Game, rules: AnyRules, seats: int, name: str) -> None:
    """A value that will hardly do is refused by a rule, if it is."""
    try:
        rules.configure(seats, {name: {"no": "value"}})
    except InvalidOption as refusal:
        cited(game, refusal.rule, f"the refusal of {name} = {{'no': 'value'}}")


HOUSE_RULES = frozenset(f"C{number}" for number in range(1, 8))
"""What holds in every game, and is cited by what the engine brings: RULES.md need not say it again."""


@cache
def rule_ids(game: Game) -> frozenset[str]:
    """The ids that the game's RULES.md has; none where there is no such file."""
    return frozenset(rule["id"] for rule in read_rules(game.rulebook))


def cited(game: Game, rule: str, who: str) -> None:
    """A rule is named, and where the game has a RULES.md, it is there."""
    ids = rule_ids(game)
    expect(isinstance(rule, str) and rule, f"{who} cites no rule")
    expect(not ids or rule in ids | HOUSE_RULES, f"{who} cites {rule}, which RULES.md has not")


def rulebook_is_read(game: Game, rules: AnyRules) -> None:
    """Ids in RULES.md are there once, and what the rules cite is among them."""
    ids = [rule["id"] for rule in read_rules(game.rulebook)]
    if game.rulebook:
        expect(ids, "no rule of RULES.md has an id: a line such as `- **X1** Whoever ...`")
    twice = sorted({each for each in ids if ids.count(each) > 1})
    expect(not twice, f"RULES.md has {', '.join(twice)} more than once")
    for each in rules.reconstructed:
        expect(isinstance(each, Reconstructed), f"{each!r} of 'reconstructed' is no Reconstructed")
        cited(game, each.rule, f"'{each.what}' of 'reconstructed'")
        known = each.option is None or each.option in rules.options_schema.get("properties", {})
        expect(known, f"'{each.what}' of 'reconstructed' names the option '{each.option}', which there is not")


def rules_are_pure(game: Game, rules: AnyRules) -> None:
    """The modules of the rules import no clock, chance, files or network, and of the house only its engine."""
    todo, seen = [type(rules).__module__], set()
    while todo:
        module = todo.pop()
        seen.add(module)
        for name, line in _imports(module):
            where = f"line {line} of {module}"
            root = name.partition(".")[0]
            expect(root not in IMPURE, f"{where} imports {name}: chance comes from Chance turns, nothing else comes in")
            if f"{name}.".startswith(f"{game.package}."):
                if name not in seen and name not in todo:
                    todo.append(name)
            elif root == "holmgang":
                engine = f"{name}.".startswith(f"{HOUSE}.")
                expect(engine or name == "holmgang", f"{where} imports {name}: of the house, rules may import {HOUSE}")


def _imports(module: str) -> Iterator[tuple[str, int]]:
    """What a module imports when it runs, with line numbers; builtins that are not pure, as if they were modules."""
    spec = util.find_spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return
    with open(spec.origin, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    parent = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    for node in _run(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found = util.resolve_name("." * node.level + (node.module or ""), parent)
            yield found, node.lineno
            yield from ((each, node.lineno) for alias in node.names if _is_module(each := f"{found}.{alias.name}"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            expect(False, f"line {node.lineno} of {module} calls {node.func.id}(): rules are pure functions")


def _is_module(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ImportError:
        return False


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers look at."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _run(child)
