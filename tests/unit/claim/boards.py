"""Positions of Claim for tests, in the middle of the battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from holmgang.engine.codec import Bits
from holmgang.games.claim.rules.island import PIECES, island
from holmgang.games.claim.rules.model import State
from holmgang.games.claim.rules.rules import ClaimRules

RULES = ClaimRules()


def board(
    players: int,
    pieces: Mapping[int, Sequence[str]],
    castles: Mapping[str, int] | None = None,
    active: int = 0,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> State:
    """A battle turn of `active`, who is to move; all that is not on the island counts as removed and caught."""
    state = RULES.initial(RULES.configure(players, {"first_player": 0, **(options or {})}))
    land = island(state.layout)
    owners, points = list(state.castles), list(state.castle_points)
    for name, seat in (castles or {}).items():
        territory = land.territory[land.numbers[name]]
        assert owners[territory] < 0, "one castle a territory"
        owners[territory], points[territory] = seat, land.numbers[name]
    bits = [Bits(sum(1 << land.numbers[name] for name in pieces.get(seat, ()))) for seat in range(players)]
    keywords: dict[str, Any] = {
        "phase": "move",
        "turn": 100,
        "awaited": (active,),
        "active": active,
        "first": 0,
        "pieces": tuple(bits),
        "castles": tuple(owners),
        "castle_points": tuple(points),
        "removed": (4,) * players,
        "caught": tuple(PIECES - 4 - b.bit_count() for b in bits),
        "turns": tuple(1 if seat == active else 0 for seat in range(players)),
        **more,
    }
    return replace(state, **keywords)
