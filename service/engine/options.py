"""What the options of all games have in common: unknown names are refused, and `first_player` is in each (C1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import InvalidOption
from .said import say
from .turn import Seat

RANDOM = "random"


def first_player_schema(rules: str, most_seats: int) -> dict[str, Any]:
    """JSON Schema of the option `first_player`; `rules` are the ids that its description cites."""
    return {
        "description": f"{rules}: the seat that starts, or `{RANDOM}`.",
        "anyOf": [{"const": RANDOM}, {"type": "integer", "minimum": 0, "maximum": most_seats - 1}],
        "default": RANDOM,
    }


def check_names(title: str, schema: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """InvalidOption for an option that the schema does not know."""
    for name in options:
        if name not in schema["properties"]:
            pointer = "/" + name.replace("~", "~0").replace("/", "~1")
            raise InvalidOption(pointer, "C1", say("{title} has no option '{name}'.", title=title, name=name[:40]))


def check_first_player(options: Mapping[str, Any], seats: int) -> Seat | None:
    """C1: the seat that starts; None where chance decides."""
    first = options.get("first_player", RANDOM)
    if first == RANDOM:
        return None
    if type(first) is not int or not 0 <= first < seats:
        raise InvalidOption(
            "/first_player",
            "C1",
            say("The first player is a seat from 0 to {last}, or '{random}'.", last=seats - 1, random=RANDOM),
        )
    return first
