"""What is true of every state of Claim."""

from __future__ import annotations

from holmgang.engine.invariants import hold

from .battle import MOST_TURNS
from .island import CASTLES, PIECES, island
from .model import State
from .work import castle_bits


def check(state: State) -> None:
    """Raise BrokenInvariant where pieces, castles or turns do not add up."""
    land = island(state.layout)
    placing = state.phase in ("first_player", "placement") or not any(state.removed)
    taken = castle_bits(state)
    hold(taken.bit_count() == sum(owner >= 0 for owner in state.castles), "two castles share a point")
    for seat in range(state.players):
        bits = state.pieces[seat]
        hold(not bits & taken, f"a piece of seat {seat} stands on something")
        taken |= bits
        out = bits.bit_count() + state.caught[seat] + state.removed[seat]
        hold(out == PIECES or (placing and out < PIECES), f"seat {seat} has {out} pieces")
        hold(0 <= state.castles.count(seat) <= CASTLES, f"seat {seat} has too many castles")
        hold(state.removed[seat] <= 4, f"seat {seat} lost {state.removed[seat]} in removal")
        hold(state.turns[seat] <= MOST_TURNS, f"seat {seat} has had {state.turns[seat]} turns")
    hold(not taken & ~land.whole, "something stands off the island")
    for territory, point in enumerate(state.castle_points):
        if state.castles[territory] >= 0:
            hold(land.territory[point] == territory, f"the castle of territory {territory} is elsewhere")
