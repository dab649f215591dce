"""Patterns of texts that mean the same in Python and in JSON Schema (ECMA-262)."""

from __future__ import annotations

from msgspec import Meta

END = r"$(?!\n)"
"""Where a text ends. Python's `$` alone also matches before a last line break, ECMA's does not, and knows no `\\Z`."""


def matching(inner: str, example: str) -> Meta:
    """The whole text matches `inner`. The example is told to who sends another."""
    return Meta(pattern=f"^{inner}{END}", examples=[example])
