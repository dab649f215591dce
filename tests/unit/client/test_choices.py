"""What counts as an action."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from holmgang.client._choices import written


def test_an_action_is_read_as_a_client_of_json_reads_it() -> None:
    fields = np.array([2, 0, 3], dtype=np.int8)
    action = OrderedDict(type="place", fields={"A": fields[0]}, points=("a1", "b1"), card=np.uint64(7), none=None)
    read = written(action)
    assert read == {"type": "place", "fields": {"A": 2}, "points": ["a1", "b1"], "card": 7, "none": None}
    assert type(read) is dict
    assert type(read["card"]) is type(read["fields"]["A"]) is int


class Rude:
    def __index__(self) -> int:
        raise TypeError("never")


def circle() -> dict[str, Any]:
    action: dict[str, Any] = {}
    action["again"] = action
    return action


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (None, r"is None \(is a return missing\?\)"),
        ("a1", "is of type str"),
        (["a1"], "is of type list"),
        ({"points": {1, 2}}, "a value of type set is not JSON"),
        ({"points": Rude()}, "a value of type Rude is not JSON"),
        ({"points": np.array([1, 2])}, "a value of type ndarray is not JSON"),
        ({"to": 1.5j}, "a value of type complex is not JSON"),
        ({"to": math.nan}, "Out of range float"),
        ({("a", 1): 1}, "keys must be"),
        ({"to": "\ud800"}, "surrogates not allowed"),
        (circle(), "Circular"),
    ],
)
def test_what_is_no_action_is_told(choice: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        written(choice)


def test_what_is_nested_too_deeply_is_told() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        written({"to": deep})
