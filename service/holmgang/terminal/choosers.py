"""How a choice is made by typing: lists that are narrowed down, and choices that are put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

FEW, PAGE = 9, 20
"""Up to FEW choices are listed at once; of a longer list, PAGE lines."""


class Unclear(Exception):
    """What was typed cannot be taken; the sentence says why, and `rule` names the rule that forbids it, if one does."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule


class Chooser(Protocol):
    """The making of one choice."""

    def lines(self) -> list[str]:
        """What has been chosen so far, and what may be typed next."""
        ...

    def hear(self, line: str) -> Any:
        """The whole action, or None while something is left to choose. Raises Unclear."""
        ...

    def undo(self) -> None:
        """Undo the last step."""
        ...

    def help(self) -> str: ...


@dataclass(frozen=True)
class Option:
    """A legal action in words, and in parts: the answers to the chooser's questions, one after another.

    `key` is what is typed for it, where that is not its number in the list.
    """

    action: Any
    words: str
    parts: tuple[str, ...] = ()
    key: str | None = None


@dataclass
class Narrowing:
    """Few options are a list. Of many, one part after another is asked for; typed words leave what has them all."""

    options: Sequence[Option]
    questions: Sequence[str] = ()
    steps: list[tuple[str, Any]] = field(default_factory=list)

    def left(self) -> list[Option]:
        found = list(self.options)
        for kind, value in self.steps:
            if kind == "words":
                found = [option for option in found if fits(option.words, value)]
            else:
                found = [option for option in found if option.parts[kind_number(kind)] == value]
        return found

    def _question(self, left: Sequence[Option]) -> int | None:
        """The first part in which the options differ, where they are too many for a list."""
        if len(left) <= FEW:
            return None
        for n in range(len(self.questions)):
            if len({option.parts[n] for option in left}) > 1:
                return n
        return None

    def _list(self) -> tuple[list[str], list[Any]]:
        """The lines that are numbered, and what choosing one means."""
        left = self.left()
        asked = self._question(left)
        if asked is None:
            return [option.words for option in left], left
        parts = list(dict.fromkeys(option.parts[asked] for option in left))
        counted = [sum(option.parts[asked] == part for option in left) for part in parts]
        words = [part if n == 1 else f"{part}  ({n})" for part, n in zip(parts, counted, strict=True)]
        return words, [(f"part {asked}", part) for part in parts]

    def _keys(self, things: Sequence[Any]) -> list[str]:
        keys = [thing.key if isinstance(thing, Option) else None for thing in things]
        return [str(n + 1) if None in keys else str(key) for n, key in enumerate(keys)]

    def lines(self) -> list[str]:
        words, things = self._list()
        asked = self._question(self.left())
        told = [f"So far: {'; '.join(str(value) for _, value in self.steps)}"] if self.steps else []
        if asked is not None:
            told.append(self.questions[asked])
        told += [f"{key:>3}  {each}" for key, each in zip(self._keys(things), words, strict=True)][:PAGE]
        if len(words) > PAGE:
            told.append(f"     and {len(words) - PAGE} more: type a part of the words to narrow them down.")
        return told

    def hear(self, line: str) -> Any:
        _, things = self._list()
        keys = self._keys(things)
        if line in keys:
            thing = things[keys.index(line)]
            if isinstance(thing, Option):
                return thing.action
            self.steps.append(thing)
            left = self.left()
            return left[0].action if len(left) == 1 else None
        if line.isdecimal():
            raise Unclear(f"There is no {line} in the list.")
        if not [option for option in self.left() if fits(option.words, line)]:
            raise Unclear(f"No legal action has the words '{line}'.")
        self.steps.append(("words", line))
        return None

    def undo(self) -> None:
        if self.steps:
            self.steps.pop()

    def help(self) -> str:
        return (
            "Type a number of the list, or a part of the words to see only what has them."
            " `undo` takes back the last step."
        )


def kind_number(kind: str) -> int:
    return int(kind.removeprefix("part "))


def fits(words: str, typed: str) -> bool:
    """Whether each typed word begins one of the words."""
    there = re.findall(r"[\w:]+", words.lower())
    return all(any(word.startswith(part) for word in there) for part in re.findall(r"[\w:]+", typed.lower()))


@dataclass
class Composing:
    """A choice that is put together of items. `read` turns a typed word or two into items, or raises Unclear;
    given what there is already; `make` makes the action; `told` says what there is so far. With `exactly`, it is done
    when so many are chosen; otherwise `ok` says so."""

    read: Callable[[list[str], list[Any]], list[Any]]
    make: Callable[[list[Any]], Any]
    told: Callable[[list[Any]], list[str]]
    how: str
    exactly: int | None = None
    items: list[Any] = field(default_factory=list)

    def lines(self) -> list[str]:
        return self.told(self.items)

    def hear(self, line: str) -> Any:
        words = re.findall(r"[\w:]+", line.lower())
        done = bool(words) and words[-1] in ("ok", "done")
        if done:
            words.pop()
        items = [*self.items, *(self.read(words, self.items) if words else [])]
        if self.exactly is not None and len(items) >= self.exactly:
            return self.make(items)
        if done:
            if self.exactly is not None:
                raise Unclear(f"{self.exactly} must be chosen; so far you have chosen {len(items)}.")
            return self.make(items)
        if items == self.items:
            raise Unclear(self.how)
        self.items = items
        return None

    def undo(self) -> None:
        if self.items:
            self.items.pop()

    def help(self) -> str:
        return f"{self.how} `undo` takes back the last one."
