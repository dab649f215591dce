"""What a seat may do, as clients and people's bots are told it."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from .moves import MoveSpace, Rng
from .rules import AnyRules, of_rules
from .schemas import inlined

LISTED = 200
"""Up to so many legal actions are listed; more are counted, described and sampled."""


class Legal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the caller may do: all actions where they are few, else a grammar and one sample."""

    count: int | None
    """How many legal actions there are; null where that costs too much."""
    actions: list[Annotated[Any, of_rules("Action")]] | UnsetType = UNSET
    """All of them, if 200 or fewer."""
    schema: dict[str, Any] | UnsetType = UNSET
    """The JSON Schema of the turn's actions, with all in its place; only actions that hold themselves need `$defs`."""
    grammar: dict[str, Any] | UnsetType = UNSET
    """The bounds of a legal action, for clients that build their own."""
    sample: Annotated[Any, of_rules("Action")] = UNSET
    """One legal action, the same as long as the turn lasts."""


_schema = cache(inlined)


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
