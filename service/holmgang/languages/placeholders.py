"""The names in braces that stand for values in a message."""

from __future__ import annotations

import re

PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def placeholders(text: str) -> list[str]:
    """The names in braces, sorted."""
    return sorted(found[1] for found in PLACEHOLDER.finditer(text) if found[1])


def fills(english: str, text: str) -> bool:
    """Whether a translation can be filled with the values of its English, and needs all of them."""
    return placeholders(text) == placeholders(english) and not set("{}") & set(PLACEHOLDER.sub("", text))
