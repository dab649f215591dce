"""The words and numbers of games that bring none: made of the types of their actions, and of whatever a view holds."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any

import msgspec

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .language import MOST_OFTEN, Language
from .sheet import Sheet
from .spelled import spelled, words_of
from .spelling import Listed, Spelling, Words

LISTED, SAMPLED = 500, 200
"""Up to so many legal actions can all be spelled; of more, so many draws."""
SEEN, WRITTEN = 2048, 256
"""How many numbers tell what a view holds, and which words were written where."""
LONG = 400
"""Texts up to so long are told character by character, as boards are written."""
SCALE = 4.0
"""A number of this size is told as 3/4."""


class PlainLanguage(Language):
    """Any game. An action is spelled as its type is made: its tag, then its parts in their order.

    A view is told by hashed features: each of its values, with the place where it stands, has a number of the vector.
    Which, follows from the digest of place and value, so that it is the same in every process and version.
    """

    def __init__(self, rules: AnyRules, config: Any) -> None:
        super().__init__(rules, config)
        self.words = words_of(rules.turn_kinds.values())
        self._number = {word: n for n, word in enumerate(self.words)}

    def spell(self, me: Seat, action: Any) -> Words:
        value = msgspec.to_builtins(action, order="deterministic")
        return tuple(self._number[word] for word in spelled(type(action), value))

    def spelling(self, view: Any, space: MoveSpace[Any]) -> Spelling:
        """All legal actions, or so many draws from them that follow from the view alone."""
        count, me = space.count(), view.seat
        if count is not None and count <= LISTED:
            actions = list(space)
        else:
            seen = blake2b(msgspec.json.encode(view, order="deterministic"), digest_size=8).digest()
            rng = Random(int.from_bytes(seen, "big"))  # noqa: S311 # training is to be repeatable
            actions = [space.sample(rng) for _ in range(SAMPLED)]
        return Listed(actions, lambda action: self.spell(me, self.rules.canonical(me, action)))

    def observe(self, view: Any, written: Words) -> Sheet:
        sheet = Sheet()
        sheet.one_of("own seat", view.seat, self.seats)
        sheet.tally("written", written, len(self.words), MOST_OFTEN)
        sheet.one_of("last written", written[-1] if written else None, len(self.words))
        places = [0.0] * WRITTEN
        for n, word in enumerate(written):
            places[hashed(f"{n}:{self.words[word]}") % WRITTEN] = 1.0
        sheet.shares("written in places", places)
        seen = [0.0] * SEEN
        found: list[tuple[str, float]] = []
        gather(msgspec.to_builtins(view, order="deterministic"), "", found)
        for name, value in found:
            place = hashed(name) % SEEN
            if value > seen[place]:
                seen[place] = value
        sheet.shares("seen", seen)
        return sheet


def gather(told: Any, where: str, found: list[tuple[str, float]]) -> None:
    """Add the values of a JSON value with their places: numbers by their size and as what they are, others as what they
    are."""
    if isinstance(told, dict):
        for key, each in told.items():
            gather(each, f"{where}/{key}", found)
    elif isinstance(told, list) or (isinstance(told, str) and 1 < len(told) <= LONG):
        found.append((f"{where}#{len(told)}", 1.0))
        for n, each in enumerate(told):
            gather(each, f"{where}/{n}", found)
    else:
        found.append((f"{where}={told}", 1.0))
        if isinstance(told, int | float) and not isinstance(told, bool):
            found.append((f"{where}<>", 0.5 + 0.5 * told / (SCALE + abs(told))))


@lru_cache(maxsize=1 << 16)
def hashed(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=4).digest(), "big")
