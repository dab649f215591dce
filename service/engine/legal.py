"""What a seat may do, as clients and people's bots are told it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from .moves import MoveSpace, Rng
from .rules import AnyRules

LISTED = 200
"""Up to so many legal actions are listed; more are counted, described and sampled."""


class Legal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All `actions`, or their number (None: costly to know), JSON Schema, grammar and a sample."""

    count: int | None
    actions: list[Any] | UnsetType = UNSET
    schema: dict[str, Any] | UnsetType = UNSET
    grammar: dict[str, Any] | UnsetType = UNSET
    sample: Any = UNSET


@cache
def _schema(actions: Any) -> dict[str, Any]:
    return msgspec.json.schema(actions)


def legal(rules: AnyRules, kind: str, space: MoveSpace[Any], rng: Rng) -> Legal:
    """What `space` holds, at a turn of this kind. The sample, where there is one, is drawn by `rng`."""
    count = space.count()
    if count is not None and count <= LISTED:
        return Legal(count=count, actions=list(space))
    return Legal(
        count=count,
        schema=_schema(rules.turn_kinds[kind]),
        grammar=dict(space.grammar()),
        sample=space.sample(rng),
    )
