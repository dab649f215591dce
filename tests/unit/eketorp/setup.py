"""Beginnings of a placement, from what a test wants to say about it; all the rest is the plainest there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from holmgang.engine.turn import Await, Chance
from holmgang.games.eketorp.rules.model import State
from holmgang.games.eketorp.rules.rules import Eketorp

LETTERS = "gwcs"
STATIONS = ("345", "12", "0")
STONES = (52, 42, 12, 6)
PLAIN_HAND = [2, 3, 4, 5]


def kinds(letters: str) -> tuple[int, ...]:
    """`ggw` as two grass and one wood."""
    return tuple(letters.count(letter) for letter in LETTERS)


def letters(counts: tuple[int, ...]) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))


def dealt_state(
    rules: Eketorp, players: int, options: Mapping[str, Any], first: int | None, material_card: int
) -> tuple[State, list[Any]]:
    """Play from the start to the first placement: highest cards for all, a chosen first player and material card.

    Gives the state and the effects on the way.
    """
    state = rules.initial(rules.configure(players, options))
    told: list[Any] = []
    while type(turn := rules.turn(state)) is Chance:
        chosen = {"battle_card": turn.stop - 1, "first_player": first or 0, "material_card": material_card}
        step = rules.resolve(state, chosen[turn.label])
        state = step.state
        told += step.effects
    assert type(turn) is Await
    return state, told


def placement(
    rules: Eketorp,
    players: int,
    *,
    hands: Mapping[int, list[int]] | None = None,
    piles: Mapping[int, list[int]] | None = None,
    amulets: Mapping[int, int] | None = None,
    walls: Mapping[int, Mapping[int, str]] | None = None,
    aside: Mapping[int, str] | None = None,
    fields: Mapping[str, str] | None = None,
    hospital: Mapping[int, Mapping[str, int]] | None = None,
    round: int = 1,  # noqa: A002
    first: int = 0,
    drawn: tuple[int, ...] | None = None,
) -> State:
    """A placement with what is named, by seats: hands of four, without amulets, walls, stones on fields or wounded.

    Walls are numbered from 1. `drawn` are the material cards seen so far, from 0: by default as many as rounds.
    """
    begun, _ = dealt_state(rules, players, {}, first, 0)
    seats = range(players)
    hand = [tuple(sorted((hands or {}).get(s, PLAIN_HAND))) for s in seats]
    pile = [tuple((piles or {}).get(s, ())) for s in seats]
    wall = [
        tuple(tuple(LETTERS.index(letter) for letter in (walls or {}).get(s, {}).get(w, "")) for w in range(1, 7))
        for s in seats
    ]
    lying = [kinds((fields or {}).get(name, "")) for name in "ABCDEFG"]
    beside = [kinds((aside or {}).get(s, "")) for s in seats]
    used = [*lying, *beside, *(tuple(w.count(k) for k in range(4)) for walls_ in wall for w in walls_)]
    wounded = [[(hospital or {}).get(s, {}).get(station, 0) for s in seats] for station in STATIONS]
    home = tuple(begun.home[s] - sum(station[s] for station in wounded) for s in seats)
    held = [card for cards in (*hand, *pile) for card in cards]
    return replace(
        begun,
        awaited=tuple(s for s in seats if home[s]),
        round=round,
        shown=tuple(range(round)) if drawn is None else drawn,
        supply=tuple(total - sum(u[kind] for u in used) for kind, total in enumerate(STONES)),
        stones=tuple(lying),
        home=home,
        hospital=tuple(map(tuple, wounded)),
        hands=tuple(hand),
        piles=tuple(pile),
        deck=tuple(9 - held.count(value) for value in range(1, 7)),
        amulets=tuple((amulets or {}).get(s, 0) for s in seats),
        walls=tuple(wall),
        aside=tuple(beside),
    )
