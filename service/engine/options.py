"""What the options of all games have in common: unknown names are refused, and `first_player` is in each (C1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import InvalidOption
from .misfits import found_there, nearest, quoted
from .numbers import whole
from .said import listed, say
from .turn import Seat

RANDOM = "random"


def first_player_schema(rules: str, most_seats: int) -> dict[str, Any]:
    """JSON Schema of the option `first_player`; `rules` are the ids that its description cites."""
    return {
        "description": f"{rules}: the seat that starts, or `{RANDOM}`.",
        "anyOf": [{"const": RANDOM}, {"type": "integer", "minimum": 0, "maximum": most_seats - 1}],
        "default": RANDOM,
    }


def read_options(title: str, schema: Mapping[str, Any], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, with an integer for each float that is one; InvalidOption for a name that the schema lacks."""
    known = list(schema["properties"])
    for name in options:
        if name in known:
            continue
        pointer = "/" + name.replace("~", "~0").replace("/", "~1")
        there, meant = listed(quoted(known)), nearest(name, known)
        if meant is None:
            detail = say(
                "{title} has no option '{name}'. It has {options}.", title=title, name=name[:40], options=there
            )
        else:
            detail = say(
                "{title} has no option '{name}'. It has {options}. Did you mean '{meant}'?",
                title=title,
                name=name[:40],
                options=there,
                meant=meant,
            )
        raise InvalidOption(pointer, "C1", detail)
    read: Mapping[str, Any] = whole(options)
    return read


def check_first_player(options: Mapping[str, Any], seats: int) -> Seat | None:
    """C1: the seat that starts; None where chance decides."""
    first = options.get("first_player", RANDOM)
    if first == RANDOM:
        return None
    if type(first) is not int or not 0 <= first < seats:
        raise InvalidOption(
            "/first_player",
            "C1",
            say(
                "'first_player' must be a seat from 0 to {last} or '{random}', not {found}.",
                last=seats - 1,
                random=RANDOM,
                found=found_there(first),
            ),
        )
    return first
