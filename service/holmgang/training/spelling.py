"""Choices spelled as words: each legal action is one sequence of words, and no sequence begins another.

So a choice out of thousands is made in a few steps out of few words, none is left out, and none comes twice. The words
of a set are written in ascending order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

Words: TypeAlias = tuple[int, ...]


class Spelling(Protocol):
    """The legal actions of one decision."""

    def following(self, written: Words) -> Sequence[int]:
        """The words that may come next, ascending; none when the action is whole."""
        ...

    def action(self, written: Words) -> Any:
        """The action, as the rules know it, if it is whole; None if it is not."""
        ...


class Listed:
    """Actions that are few enough to be listed, each with its spelling."""

    def __init__(self, actions: Iterable[Any], spell: Callable[[Any], Words]) -> None:
        self._whole: dict[Words, Any] = {}
        after: dict[Words, set[int]] = {}
        for action in actions:
            words = spell(action)
            self._whole[words] = action
            for n, word in enumerate(words):
                after.setdefault(words[:n], set()).add(word)
        self._after = {begun: sorted(words) for begun, words in after.items()}

    def following(self, written: Words) -> Sequence[int]:
        return self._after.get(written, ())

    def action(self, written: Words) -> Any:
        return self._whole.get(written)


class Picked:
    """So many of a pool of words, which may hold a word more than once; of some groups of words only so many."""

    def __init__(
        self,
        pool: Iterable[int],
        wanted: int,
        make: Callable[[Words], Any],
        groups: Mapping[int, int] | None = None,
        most: Mapping[int, int] | None = None,
    ) -> None:
        """`groups` is by word, `most` by group. Without them all words are of one group, and any may be picked."""
        self._pool = sorted(pool)
        self._wanted = wanted
        self._make = make
        self._group = dict.fromkeys(self._pool, 0) if groups is None else groups
        self._most = {0: wanted} if most is None else most

    def following(self, written: Words) -> Sequence[int]:
        left = self._wanted - len(written)
        used = Counter(written)
        quota = dict(self._most)
        for word in written:
            quota[self._group[word]] -= 1
        last = written[-1] if written else -1
        found: list[int] = []
        behind: Counter[int] = Counter()
        """How many there are of each group from here on: those that may still follow."""
        for word in reversed(self._pool):
            if word < last:
                break
            if used[word]:
                used[word] -= 1  # any one of them: they are alike
                continue
            group = self._group[word]
            reach = sum(min(quota[g] - (g == group), n) for g, n in behind.items())
            if quota[group] and left and reach >= left - 1:
                found.append(word)
            behind[group] += 1
        return sorted(set(found))

    def action(self, written: Words) -> Any:
        return self._make(written) if len(written) == self._wanted else None
