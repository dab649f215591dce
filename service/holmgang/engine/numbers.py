"""What is an integer in JSON: by its value, not by how it is written (JSON Schema 2020-12, core, 4.2.3).

Many clients know no integers and write `2.0` or `2e0`.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from .messages import say

INT_RANGE = range(-(2**63), 2**63)


def integer(text: str) -> int:
    """The integer that JSON writes without fraction or exponent. OverflowError with a sentence beyond 64 bits."""
    if len(text) > 20 or int(text) not in INT_RANGE:
        raise OverflowError(say("An integer lies beyond 64 bits."))
    return int(text)


def number(text: str) -> int | float:
    """The number that a JSON text writes with a fraction or an exponent: an int where it is one, exactly.

    What floats are too coarse to tell from an integer becomes the next larger float. OverflowError beyond 64 bits for
    integers, beyond the range of floats for others, with a sentence.
    """
    value = float(text)
    if not value:
        return 0 if _is_zero(text) else math.nextafter(0.0, 1.0)
    if not value.is_integer():
        if math.isinf(value):
            raise OverflowError(say("A number is too large."))
        return value
    if not -(2**64) < value < 2**64:
        raise OverflowError(say("An integer lies beyond 64 bits."))
    exact = Decimal(text)  # of bounded cost, since the value is
    if int(exact) != exact:
        return math.nextafter(value, math.inf)
    if int(exact) not in INT_RANGE:
        raise OverflowError(say("An integer lies beyond 64 bits."))
    return int(exact)


def _is_zero(text: str) -> bool:
    """Of any exponent."""
    return not text.lower().partition("e")[0].strip("-0.")


def whole(value: Any) -> Any:
    """The same JSON value with an int for each float that is one; `value` itself where there is none."""
    if type(value) is float:
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        members = {name: whole(member) for name, member in value.items()}
        return members if any(members[name] is not value[name] for name in value) else value
    if isinstance(value, list | tuple):
        entries = [whole(entry) for entry in value]
        return entries if any(new is not old for new, old in zip(entries, value, strict=True)) else value
    return value
