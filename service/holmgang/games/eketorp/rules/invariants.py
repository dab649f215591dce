"""What is true of every state: nothing is lost, nothing appears (the invariants of E1 to E6)."""

from __future__ import annotations

from holmgang.engine.invariants import hold

from .board import CARDS_OF_A_VALUE, HAND, HEIGHT, ROUNDS, STONES, VIKINGS
from .model import State


def check(state: State) -> None:
    """Raise BrokenInvariant for a state in which stones, Vikings or battle cards do not add up."""
    stones = list(state.supply)
    for field in state.stones:
        _add(stones, field)
    for seat in range(state.players):
        _add(stones, state.carried[seat])
        _add(stones, state.aside[seat])
        for wall in state.walls[seat]:
            hold(len(wall) <= HEIGHT, f"a wall of seat {seat} is {len(wall)} high")
            for kind in wall:
                stones[kind] += 1
    hold(tuple(stones) == STONES, f"stones are {stones}")
    for seat in range(state.players):
        vikings = state.home[seat] + sum(f[seat] for f in state.vikings) + sum(h[seat] for h in state.hospital)
        vikings += sum(bits >> seat & 1 for bits in state.sieges)
        hold(vikings == VIKINGS[state.players], f"seat {seat} has {vikings} Vikings")
        hold(state.amulets[seat] >= 0, f"seat {seat} has {state.amulets[seat]} amulets")
    cards = [left + out for left, out in zip(state.deck, state.discarded, strict=True)]
    for card in (c for held in (*state.hands, *state.piles) for c in held):
        cards[card - 1] += 1
    hold(cards == [CARDS_OF_A_VALUE] * len(cards), f"battle cards are {cards}")
    hold(min(state.deck) >= 0 and min(state.discarded) >= 0, "a deck owes cards")
    if state.round and not state.drawing and state.reason != "last_seat":  # C7 may end an exchange half-way
        for seat in range(state.players):
            held = len(state.hands[seat]) + len(state.piles[seat])
            hold(held == HAND, f"seat {seat} has {held} battle cards")
            hold(bool(state.hands[seat]), f"seat {seat} has an empty hand")
    hold(state.drawing <= sum(state.deck), "more cards are asked for than the deck has")
    hold(state.round <= ROUNDS, f"round {state.round}")
    numbers = (*state.home, *(n for f in state.vikings for n in f), *(n for h in state.hospital for n in h))
    hold(min(numbers) >= 0 and min(stones) >= 0 and min(state.supply) >= 0, "something is owed")


def _add(total: list[int], more: tuple[int, ...]) -> None:
    for kind, n in enumerate(more):
        total[kind] += n
