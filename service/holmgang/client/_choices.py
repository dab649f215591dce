"""A choice: any one that is legal, and what JSON holds of one."""

from __future__ import annotations

import json
import operator
import random
from typing import Any, TypeVar, cast, overload

from holmgang.answers import JSON, Legal

Action = TypeVar("Action")


@overload
def any_action(legal: Legal, rng: Any = random) -> JSON: ...  # by itself: mypy asks the place where it goes first
@overload
def any_action(legal: Legal[Action], rng: Any = random) -> Action: ...
def any_action(legal: Legal[Action], rng: Any = random) -> Action:
    """A legal action: one of all, drawn by `rng`; where there are too many to list, the sample."""
    actions = legal.get("actions")
    return cast("Action", rng.choice(actions) if actions else legal["sample"])


def written(choice: Any) -> JSON:
    """The action that a client reads of it. Tuples are lists, and whatever stands for an integer, as those of NumPy
    do, is one. TypeError or ValueError, which say why, for what is no JSON object.
    """
    if not isinstance(choice, dict):
        what = "None (is a return missing?)" if choice is None else f"of type {type(choice).__name__}"
        raise TypeError(f"it must be a JSON object (a dict), but is {what}")
    try:
        text = json.dumps(choice, allow_nan=False, ensure_ascii=False, default=_integer)
        text.encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    action: JSON = json.loads(text)
    return action


def _integer(value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__} is not JSON") from None
