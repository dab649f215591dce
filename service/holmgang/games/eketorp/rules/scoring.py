"""E7, C5 and C6: what walls and amulets are worth, and who has won."""

from __future__ import annotations

from functools import lru_cache

from holmgang.engine.teams import ranked
from holmgang.engine.turn import Over, Seat

from .board import WALL_STONES
from .model import Board, Kinds, Walls

COMPLETE_BONUS = 5


def score(state: Board, seat: Seat) -> int:
    """E7: stones by worth, those kept aside too; a bonus for 18 stones; a point for each unused amulet."""
    return _of_stones(state.walls[seat], state.aside[seat]) + state.amulets[seat]


@lru_cache(maxsize=4096)
def _of_stones(walls: Walls, aside: Kinds) -> int:
    built = [kind for wall in walls for kind in wall]
    stones = sum(kind + 1 for kind in built) + sum((kind + 1) * n for kind, n in enumerate(aside))
    complete = len(built) + sum(aside) >= WALL_STONES
    return stones + (COMPLETE_BONUS if complete else 0)


def over(state: Board) -> Over:
    """The result of a game that has ended. Equal scores share a rank; who resigned comes behind all who stayed."""
    scores = tuple(score(state, seat) for seat in range(state.players))
    alone = tuple((seat,) for seat in range(state.players))
    ranking = ranked(alone, lambda team: (not state.resigned >> team[0] & 1, scores[team[0]]))
    return Over(scores, ranking, state.reason)
