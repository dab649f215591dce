"""What the laws need to know of Claim."""

from holmgang.engine.laws import Laws

from .rules.invariants import check
from .rules.model import State


class ClaimLaws(Laws):
    options = ({}, {"first_player": 1, "battle_starts": "second"})
    board_at = "claim"
    picture_at = 0.6

    def check(self, state: State) -> None:
        check(state)
