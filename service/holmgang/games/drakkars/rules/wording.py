"""Ships, coins, cards and cells of the shield in words."""

from __future__ import annotations

from holmgang.engine.messages import Said, counted, listed, say, template

from .coast import CELLS, Cell
from .effects import Counts

COIN_WORDS = {"gold": say("gold"), "silver": say("silver"), "copper": say("copper")}
_COUNTED = {
    "gold": template("{count} gold"),
    "silver": template("{count} silver"),
    "copper": template("{count} copper"),
}


SHIPS = (say("first ship"), say("second ship"), say("third ship"))
"""A seat's ships. Data number them from 0, and the page says whose they are by a player's name."""
_SHIPS_OF = (
    template("the first ship of seat {seat}"),
    template("the second ship of seat {seat}"),
    template("the third ship of seat {seat}"),
)


_OWN_SHIPS = (say("your first ship"), say("your second ship"), say("your third ship"))


def own_ship(ship: int) -> Said:
    """A ship of whoever is told of it."""
    return _OWN_SHIPS[ship]


def ship_of(seat: int, ship: int) -> Said:
    """A ship, and whose it is."""
    return Said(_SHIPS_OF[ship], {"seat": seat})


def way_told(where: Said | str, steps: int) -> Said:
    """Where a ship is, and how far it is from home. From its fjord that is a step more than the coast has cells: one
    leads out, and the last one in again (D3.2)."""
    far = counted(steps, template("{count} step"), template("{count} steps"))
    if steps > CELLS:
        return say("{where}, once round: {steps}", where=where, steps=far)
    return say("{where}, {steps} from home", where=where, steps=far)


def coins(number: int) -> Said:
    return counted(number, template("{count} coin"), template("{count} coins"))


def cards(number: int) -> Said:
    return counted(number, template("{count} card"), template("{count} cards"))


def gift(coin_number: int, card_number: int) -> Said:
    """What is taken of two things."""
    return say("{coins} or {cards}", coins=coins(coin_number), cards=cards(card_number))


def cell_told(cell: Cell) -> Said:
    """A cell of the shield; in English it reads as in the option."""
    if not cell.source:
        return gift(cell.coins, cell.cards)
    if cell.source == "discard":
        return say("{count} of discard", count=cell.count)
    return say("{count} of central", count=cell.count)


def purse(counts: Counts) -> str:
    """Coins by their kinds."""
    told = [Said(_COUNTED[name], {"count": number}) for name, number in counts.items()]
    return listed(told) if told else say("none")
