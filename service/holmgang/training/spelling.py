"""Choices spelled as words: each legal action is one sequence of words, and no sequence begins another.

So a choice out of thousands is made in a few steps out of few words, none is left out, and none comes twice. The words
of a set are written in ascending order.
"""

from __future__ import annotations

from bisect import bisect_left
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
        self._whole = {spell(action): action for action in actions}
        self._after: dict[Words, tuple[int, ...]] = {}
        """What follows, for beginnings that were asked for: most never are."""

    def following(self, written: Words) -> Sequence[int]:
        found = self._after.get(written)
        if found is None:
            n = len(written)
            found = self._after[written] = tuple(
                sorted({words[n] for words in self._whole if len(words) > n and words[:n] == written})
            )
        return found

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
        self._groups, self._most = groups, most

    def following(self, written: Words) -> Sequence[int]:
        left = self._wanted - len(written)
        if not left:
            return ()
        last = written[-1] if written else -1
        if self._groups is None or self._most is None:
            first = bisect_left(self._pool, last) + written.count(last)
            return list(dict.fromkeys(self._pool[first : len(self._pool) - left + 1]))
        groups, quota, used = self._groups, dict(self._most), Counter(written)
        for word in written:
            quota[groups[word]] -= 1
        found: list[int] = []
        behind: Counter[int] = Counter()
        """How many there are of each group from here on: those that may still follow."""
        for word in reversed(self._pool):
            if word < last:
                break
            if used[word]:
                used[word] -= 1  # any one of them: they are alike
                continue
            group = groups[word]
            reach = sum(min(quota[g] - (g == group), n) for g, n in behind.items())
            if quota[group] and reach >= left - 1:
                found.append(word)
            behind[group] += 1
        return sorted(set(found))

    def action(self, written: Words) -> Any:
        return self._make(written) if len(written) == self._wanted else None
