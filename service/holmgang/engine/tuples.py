"""Tuples with something changed, and counts as the bags that things are drawn from."""

from __future__ import annotations

from typing import Any


def put(whole: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one element replaced."""
    return (*whole[:at], value, *whole[at + 1 :])


def without(whole: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """The tuple without the first that equals `item`, which is in it."""
    at = whole.index(item)
    return (*whole[:at], *whole[at + 1 :])


def add(whole: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    """The tuple with one number increased."""
    return (*whole[:at], whole[at] + more, *whole[at + 1 :])


def nth(counts: tuple[int, ...], value: int) -> int:
    """The index of the thing at place `value`, from 0, when `counts[i]` things of each kind lie in a row.

    With `value` any of `range(sum(counts))` alike, each thing is drawn with equal chance.
    """
    at = 0
    while value >= counts[at]:
        value -= counts[at]
        at += 1
    return at
