"""What the laws need to know of Drakkars."""

from holmgang.engine.laws import Laws

from .rules.invariants import check
from .rules.model import State

CHOOSING = ["2 of central", "3 of discard", "2 coins or 2 cards", "2 of central"] * 2
"""A shield of Drakkars on which cards are chosen often (D1.7)."""


class DrakkarsLaws(Laws):
    options = ({}, {"first_player": 1, "shield": CHOOSING, "coin_worth": [1, 5, 5]})
    reveals = frozenset({"CardTurned", "CardsRevealed", "FogLifted", "GameEnded", "TownPlaced"})
    """Views show where towns stand when all of them do, and of the cards that were turned for them nothing else: of a 9
    and a 10, which are passed over, nobody sees later which it was (D2.3)."""
    board_at = "arrival"

    def check(self, state: State) -> None:
        check(state)
