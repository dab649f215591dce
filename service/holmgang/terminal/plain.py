"""The face of games that bring none: their board as text, and choices made of the types of their actions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from holmgang import registry
from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.moves import MoveSpace
from holmgang.engine.rulebook import read_rules
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await

from .choosers import Chooser, Narrowing, Option, Unclear
from .fitting import picture
from .forms import Form, in_words
from .table import People

LISTED = 300
"""Up to so many choices are a list, which is narrowed down; more are put together in a form."""
_CITED = re.compile(r"^([A-Z]+\d+(?:\.\d+)*)\b[:,]?\s*")


class PlainFace:
    """Knows of a game what its rules tell: `render`, the types of actions with their docstrings, and the rulebook.

    A docstring that begins with a rule's id says what is asked, and by which rule.
    """

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.boards_at = frozenset(rules.turn_kinds)
        texts = {rule["id"]: rule["text"] for rule in read_rules(registry.game(rules.ruleset).rulebook)}
        rule_of: dict[str, str] = {}
        self._asks: dict[str, str] = {}
        for kind, actions in rules.turn_kinds.items():
            types = getattr(actions, "__args__", (actions,))
            about = [" ".join((each.__doc__ or "").split("\n\n")[0].split()) for each in types]
            cited = [found[1] for each in about if (found := _CITED.match(each)) and found[1] in texts]
            if cited:
                rule_of[kind] = cited[0]
            if len(types) == 1 and about[0]:
                self._asks[kind] = _CITED.sub("", about[0])
        self.rule_of: Mapping[str, str] = rule_of

    def board(self, view: Any, people: People) -> RenderableType:
        seats = "; ".join(f"seat {seat}: {people.name(seat)}" for seat in range(len(people.names)))
        return Group(Text(seats), picture(Text(self.rules.render(view))))

    def question(self, view: Any, people: People) -> str:
        kind = self._turn(view).kind
        said = kind.replace("_", " ")
        asks = self._asks.get(kind, "what will you do?")
        return f"{said[:1].upper()}{said[1:]}: {asks}"

    def words(self, action: Any, view: Any, people: People) -> str:
        """Its type, and its parts by their names."""
        told = msgspec.to_builtins(action)
        if not isinstance(told, dict):
            return in_words(told)
        tag = told.pop("type", None)
        return ": ".join(part for part in (str(tag or "").replace("_", " "), in_words(told)) if part)

    def chooser(self, view: Any, people: People, space: MoveSpace[Any]) -> Chooser:
        count = space.count()
        if count is not None and count <= LISTED:
            return self._list(view, people, space)
        kind = self._turn(view).kind

        def check(value: Any) -> Any:
            try:
                action = self.rules.decode(kind, value)
            except IllegalAction as fault:
                raise Unclear(fault.detail, fault.rule) from None
            except MalformedAction as fault:
                raise Unclear(fault.detail) from None
            if (against := space.why_not(action)) is not None:
                raise Unclear(against.detail, against.rule)
            return action

        sample = space.sample(Random(0))  # noqa: S311 # an example
        bounds = json.dumps(msgspec.to_builtins(space.grammar()), ensure_ascii=False)
        return Form(self.rules.turn_kinds[kind], check, self.words(sample, view, people), bounds)

    def typed(self, line: str, view: Any) -> Any:
        """None: nobody has said what the words of the game are."""
        return None

    def _turn(self, view: Any) -> Await:
        turn = self.rules.turn(self.rules.determinize(view, Random(0)))  # noqa: S311 # any state that fits will do
        assert type(turn) is Await
        return turn

    def _list(self, view: Any, people: People, space: MoveSpace[Any]) -> Narrowing:
        """A list with a column for each part of an action, by which a long one is narrowed down."""
        rows = [(action, _parts(msgspec.to_builtins(action))) for action in space]
        columns = list(dict.fromkeys(name for _, parts in rows for name in parts))
        options = [
            Option(action, self.words(action, view, people), tuple(parts.get(name, "none") for name in columns))
            for action, parts in rows
        ]
        return Narrowing(options, tuple(f"Which {name}?" for name in columns))


def _parts(told: Any, name: str = "") -> Mapping[str, str]:
    """The single values of an action by where they are."""
    if isinstance(told, dict):
        nested = [_parts(each, f"{name} {key}".strip()) for key, each in told.items()]
    elif isinstance(told, list):
        nested = [_parts(each, f"{name} {n}") for n, each in enumerate(told, start=1)]
    else:
        return {name.replace("_", " "): in_words(told)}
    return {key: part for parts in nested for key, part in parts.items()}
