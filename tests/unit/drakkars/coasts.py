"""Positions of Drakkars for tests, written short.

Ships are `a0` (ship 0 of seat 0) to `d2`, and stand on a cell, `fjord`, `hidden`, `reserve` or, in the order of coming
home, `home`. Coins are letters: `ggs` is two gold and a silver.
"""

from __future__ import annotations

from typing import Any

import msgspec

from holmgang.games.drakkars.rules.coast import BAG, FJORD, HIDDEN, HOME, RESERVE
from holmgang.games.drakkars.rules.model import State
from holmgang.games.drakkars.rules.rules import Drakkars

RULES = Drakkars()
PLACES = {"fjord": FJORD, "hidden": HIDDEN, "home": HOME, "reserve": RESERVE}
COINS = "gsc"


def ship(name: str) -> tuple[int, int]:
    """`b2` is ship 2 of seat 1."""
    return "abcd".index(name[0]), int(name[1])


def letters(coins: tuple[int, ...]) -> str:
    return "".join(letter * n for letter, n in zip(COINS, coins, strict=True))


def counts(text: str) -> tuple[int, ...]:
    return tuple(text.count(letter) for letter in COINS)


def values(cards: Any) -> tuple[int, ...]:
    return tuple(list(cards).count(value) for value in range(1, 11))


def coast(
    players: int = 2,
    *,
    ships: dict[str, int | str],
    hands: dict[int, list[int]] | None = None,
    decks: dict[int, list[int]] | None = None,
    central: list[int] | None = None,
    discard: list[int] | None = None,
    fog: dict[int, tuple[int | str, list[int]]] | None = None,
    cargo: dict[int, list[str]] | None = None,
    towns: dict[int, str] | None = None,
    barrel: int = 0,
    active: int = 0,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> State:
    """A go of `active` that begins now. Cards that are not named lie in the central pile, or, where that is named, in
    the discard; coins in the bag. `towns` maps cells to piles, numbered from 1 in this order."""
    state: Any = RULES.initial(RULES.configure(players, {"first_player": 0, **(options or {})}))
    places = [[RESERVE] * 3 for _ in range(players)]
    landed: list[list[int]] = [[] for _ in range(players)]
    for name, place in ships.items():
        seat, number = ship(name)
        places[seat][number] = PLACES[place] if isinstance(place, str) else place
        if place == "home":
            landed[seat].append(number)
    tokens = [RESERVE] * players
    fog_cards: list[tuple[int, ...]] = [()] * players
    for seat, (token, cards) in (fog or {}).items():
        tokens[seat] = PLACES[token] if isinstance(token, str) else token
        fog_cards[seat] = tuple(cards)
    hand = [tuple(sorted((hands or {}).get(seat, []))) for seat in range(players)]
    deck = [values((decks or {}).get(seat, [])) for seat in range(players)]
    rest = [players + 2] * 10
    for some in (*map(values, hand), *deck, *map(values, fog_cards), values(discard or []), values(central or [])):
        rest = [left - n for left, n in zip(rest, some, strict=True)]
    assert min(rest) >= 0, "more cards than there are"
    middle, used = values(central or []), values(discard or [])
    if central is None:
        middle = tuple(rest)
    else:
        used = tuple(n + left for n, left in zip(used, rest, strict=True))
    piles = [tuple(COINS.index(coin) for coin in pile) for pile in (towns or {}).values()]
    holds = [[counts(text) for text in (cargo or {}).get(seat, [])] for seat in range(players)]
    whole = [(*held, *[(0, 0, 0)] * (3 - len(held))) for held in holds]
    bag = list(BAG)
    for coins in (*(c for held in whole for c in held), *(counts(pile) for pile in (towns or {}).values())):
        bag = [left - n for left, n in zip(bag, coins, strict=True)]
    turns = more.pop("turns", (1,) * players)
    made: State = msgspec.structs.replace(
        state,
        phase="next",
        turn=1,
        first=0,
        active=(active - 1) % players,
        turns=turns,
        ships=tuple(map(tuple, places)),
        landed=tuple(map(tuple, landed)),
        cargo=tuple(whole),
        bag=tuple(bag),
        piles=(*piles, *[()] * (8 - len(piles))),
        towns=(*(towns or {}), *[-1] * (8 - len(piles))),
        decks=tuple(deck),
        central=middle,
        discard=used,
        hands=tuple(hand),
        fog=tuple(tokens),
        fog_cards=tuple(fog_cards),
        barrel=barrel,
        drawer=-1,
        **more,
    )
    return made
