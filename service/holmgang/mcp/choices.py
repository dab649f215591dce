"""What a seat may do, as numbered lines. A number means the same action for as long as the turn lasts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import msgspec

from holmgang.terminal.choosers import fits

from .refusals import Refusal
from .sight import Sight
from .words import filled

ROOM = 3800
"""Characters of a list."""
ROOM_OF_MANY = 1500
"""Of a list of more than MANY, which nobody reads to its end."""
BOUNDS = 1200
"""Characters of what tells the bounds of choices that are too many for a list."""
SCANNED = 20_000
"""Choices that are looked through for words; it takes a second at most."""
WORDS = 100
"""Characters of words to look for."""
REACH = 100_000
"""Numbers that a choice may have; what lies behind is put together as JSON."""
MANY = 200


@dataclass(frozen=True)
class Choice:
    number: int
    words: str
    action: Any


class Choices:
    """Of a turn that is the player's. Without the game's rules, which another version may have, as the service lists
    them."""

    def __init__(self, sight: Sight) -> None:
        assert sight.turn["legal"] is not None
        self.sight = sight
        self.legal = sight.turn["legal"]
        self.space = None
        if sight.rules is not None:
            state = sight.rules.determinize(sight.view, Random(0))  # noqa: S311 # any state that fits will do
            self.space = sight.rules.moves(state, sight.me)
        self.count = self.legal["count"] if self.space is None else self.space.count()

    def __iter__(self) -> Iterator[Any]:
        if self.space is None:
            yield from self.legal.get("actions") or [self.legal["sample"]]
        else:
            yield from self.space

    def take(self, number: int) -> Any:
        """The action as JSON. Raises Refusal."""
        found = list(islice(self, number - 1, number)) if 0 < number <= REACH else []
        if not found:
            there = "" if self.count is None else f" from 1 to {self.count}"
            raise Refusal(f"There is no choice {number}: `legal` lists them with their numbers{there}.")
        return msgspec.to_builtins(found[0])

    def text(self, start: int, words: str) -> str:
        """The list from number `start` on, or of what has the words; and how else to choose."""
        start = min(max(1, start), REACH)
        many = self.count is None or self.count > MANY
        listed, more = filled(self._lines(start, words[:WORDS]), ROOM_OF_MANY if many and not words else ROOM)
        count = "more choices than can be counted" if self.count is None else f"{self.count} choices"
        told = [f"Turn {self.sight.turn['turn']}: {count}. Give `move` a number, or JSON as in {self._example()}"]
        told += listed or ["None" + (f" with the words {words[:60]!r}." if words else f" from number {start} on.")]
        if more:
            told.append(f"More follow: `legal` with start={int(listed[-1].partition('.')[0]) + 1}, or with `words`.")
        if many:
            told.append(self._bounds())
            if words and (self.count is None or self.count > SCANNED):
                told.append(f"Only {SCANNED} choices from number {start} on were looked through for the words.")
        return "\n".join(told)

    def _lines(self, start: int, words: str) -> Iterator[str]:
        for choice in self._each(start, SCANNED if words else None):
            if not words or fits(choice.words, words):
                yield f"{choice.number}. {choice.words}"

    def _each(self, start: int, most: int | None) -> Iterator[Choice]:
        stop = None if most is None else start - 1 + most
        for number, action in enumerate(islice(self, start - 1, stop), start):
            yield Choice(number, self.words(action), action)

    def words(self, action: Any) -> str:
        face, view = self.sight.face, self.sight.view
        if face is None:
            return json.dumps(action, ensure_ascii=False)
        return face.words(action, view, self.sight.people)

    def _example(self) -> str:
        first = self.legal.get("sample") or next(iter(self), None)
        return json.dumps(msgspec.to_builtins(first), ensure_ascii=False)

    def _bounds(self) -> str:
        bounds = json.dumps(self.legal.get("grammar"), ensure_ascii=False)
        if len(bounds) > BOUNDS:
            bounds = bounds[:BOUNDS] + "…"
        return f"Within these bounds you may also put an action together, and try it by `dry_run`: {bounds}"
