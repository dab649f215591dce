"""JSON values with something changed in them, by chance that can be repeated."""

from __future__ import annotations

import copy
import random
from typing import Any

NUMBERS = (0, -1, 1, 2**31, 2**63 - 1, -(2**63), 1.5, -0.0, 2.0, 1e300)
TEXTS = ("", " ", "a", "A", "0", "-1", "é", "\u202e", "x" * 300, "place", "stop")
ENDS = ("\n", "\r\n", "\r", "\u2028", "\u0085", "\x0b", " ", "\t", "\0")
"""What patterns may take for the end of a text."""
ODD: tuple[Any, ...] = (None, True, False, *NUMBERS, *TEXTS, [], [[]], {}, {"type": "place"}, {"": None}, [None] * 50)


def mutated(value: Any, rng: random.Random) -> Any:
    """A copy with one to three changes: a part replaced, dropped, repeated, moved, a number off by one or written with
    a fraction, a text or a key with more at one of its ends."""
    changed = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        changed = _once(changed, rng)
    return changed


def _once(value: Any, rng: random.Random) -> Any:
    places = list(_places(value))
    if not places or rng.random() < 0.05:
        return copy.deepcopy(rng.choice(ODD))
    holder, at = rng.choice(places)
    kind = rng.random()
    if kind < 0.1 and _written(holder, at, rng):
        return value
    if kind < 0.4:
        holder[at] = copy.deepcopy(rng.choice(ODD))
    elif kind < 0.55:
        del holder[at]
    elif kind < 0.7 and isinstance(holder[at], int | float) and not isinstance(holder[at], bool):
        holder[at] += rng.choice((-1, 1, 10, 0.5))
    elif kind < 0.8:
        other, there = rng.choice(places)
        holder[at] = copy.deepcopy(other[there]) if _has(other, there) else None
    elif isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(holder[at]))
    else:
        holder[rng.choice(("more", "type", "a" * 70, f"{at}"))] = copy.deepcopy(rng.choice(ODD))
    return value


def _written(holder: Any, at: Any, rng: random.Random) -> bool:
    """Write a number with a fraction, or a text or its key with more at an end; whether there was one."""
    there = holder[at]
    if isinstance(there, int) and not isinstance(there, bool) and abs(there) < 2**53:
        holder[at] = float(there)
    elif isinstance(there, str):
        holder[at] = rng.choice((f"{there}{rng.choice(ENDS)}", f"{rng.choice(ENDS)}{there}"))
    elif isinstance(holder, dict):
        holder[f"{at}{rng.choice(ENDS)}"] = holder.pop(at)
    else:
        return False
    return True


def _has(holder: Any, at: Any) -> bool:
    return at in holder if isinstance(holder, dict) else at < len(holder)


def _places(value: Any) -> Any:
    """Every part of a value, as its holder and where in it."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, member in list(members):
        yield value, at
        yield from _places(member)
