"""D1: the ring, the fjords, coins, cards and the loot shield; what options may put in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from holmgang.engine.errors import InvalidOption
from holmgang.engine.messages import say
from holmgang.engine.misfits import counted
from holmgang.engine.options import read_as

SEATS = (2, 3, 4)
CELLS = 36
SHIPS = 3
FJORDS: Mapping[int, tuple[int, ...]] = {2: (0, 18), 3: (0, 12, 24), 4: (0, 9, 18, 27)}
"""D1.2: the cell before which each seat's fjord opens."""

COINS = ("gold", "silver", "copper")
BAG = (15, 25, 20)
COIN_WORTH = (3, 2, 1)
TOWNS = 8
PILE = 6
MOST_CARGO = 6

VALUES = 10
FREYR, IDUNN, NJORD, SIF, FRIGG, FREYA, HEIMDALL, TYR, THOR, ODIN = range(1, VALUES + 1)
CARD_WORTH = tuple(range(1, VALUES + 1))
DECK = (1,) * VALUES
CENTRAL = (2,) * VALUES
FIRST_HAND = 5
MOST_CARDS = 7

SHIELD = (
    "3 coins or 1 card",
    "2 coins or 2 cards",
    "1 coin or 3 cards",
    "2 of discard",
    "3 coins or 1 card",
    "2 coins or 2 cards",
    "1 coin or 3 cards",
    "2 of central",
)
MOST = 99
"""The largest number in an option."""

RESERVE, FJORD, HIDDEN, HOME = -1, -2, -3, -4
"""Where a ship is that is not on a cell."""


class Cell(Struct, frozen=True):
    """D1.7: a cell of the shield: coins or cards, or `count` cards of choice from the pile `source`."""

    coins: int = 0
    cards: int = 0
    count: int = 0
    source: str = ""


_COINS_OR_CARDS = re.compile(r"(0|[1-9][0-9]?) (coins?) or (0|[1-9][0-9]?) (cards?)")
_OF_CHOICE = re.compile(r"(0|[1-9][0-9]?) of (discard|central)")


@lru_cache(maxsize=256)
def read_cell(text: str) -> Cell | None:
    """A cell as an option writes it; None if it is not well written."""
    if (found := _COINS_OR_CARDS.fullmatch(text)) is not None:
        coins, coin_word, cards, card_word = found.groups()
        if (coin_word == "coin") == (coins == "1") and (card_word == "card") == (cards == "1"):
            return Cell(coins=int(coins), cards=int(cards))
    elif (found := _OF_CHOICE.fullmatch(text)) is not None:
        return Cell(count=int(found[1]), source=found[2])
    return None


@lru_cache(maxsize=64)
def cells_of(shield: tuple[str, ...]) -> tuple[Cell, ...]:
    """The cells of a checked shield."""
    return tuple(read_cell(text) or Cell() for text in shield)


def distance(fjord: int, place: int) -> int:
    """D3.2: steps home from a cell, or from the fjord itself, for a ship of the fjord before cell `fjord`."""
    return CELLS + 1 if place == FJORD else (fjord - 1 - place) % CELLS + 1


def ahead(fjord: int, place: int, steps: int) -> int:
    """D3.1: the cell that so many steps lead to, from a cell or from the fjord."""
    return (fjord + steps - 1 if place == FJORD else place + steps) % CELLS


def check_fjords(value: Any, seats: int, new: bool) -> tuple[int, ...]:
    """D1.2: a cell for each player, all different."""
    wanted = Annotated[tuple[Annotated[int, Meta(ge=0, le=CELLS - 1)], ...], Meta(min_length=seats, max_length=seats)]
    cells: tuple[int, ...] = read_as(wanted, "fjords", "D1.2", value)
    if len(set(cells)) < len(cells):
        raise InvalidOption("/fjords", "D1.2", say("Two fjords open before the same cell."))
    return cells


def check_shield(value: Any, seats: int, new: bool) -> tuple[str, ...]:
    """D1.7: eight cells."""
    if not isinstance(value, (list, tuple)) or len(value) != len(SHIELD):
        raise InvalidOption(
            "/shield",
            "D1.7",
            say("'shield' must be a list of {count} cells, not {found}.", count=len(SHIELD), found=counted(value)),
        )
    for at, text in enumerate(value):
        if not isinstance(text, str) or read_cell(text) is None:
            raise InvalidOption(
                f"/shield/{at}",
                "D1.7",
                say(
                    "A cell of the shield reads like '3 coins or 1 card', '2 of discard' or '2 of central', "
                    "with numbers from 0 to {most}; one is '1 coin' or '1 card'.",
                    most=MOST,
                ),
            )
    return tuple(value)
