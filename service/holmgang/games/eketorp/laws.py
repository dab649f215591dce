"""What the laws need to know of Eketorp."""

from holmgang.engine.laws import Laws

from .rules.invariants import check
from .rules.model import State

MIXED_CARDS = [
    "A g2, A w2, B c1, B s1, C g3*",
    "A g1, A w1, B c1, B g2*, D w3*",
    "C g1, C w2, E c1, F g2, F w1",
    "A g3, A w1, G g2*, G s1, D w2*",
    "B g2, B w2, D c2, E g2",
    "A w2, A c1, C g3*, F s1, F g1",
    "D g2, D w2, E w2, E g1",
    "A g1, A c1, B w2, B g1, C w2*",
    "C g2, C w1, G c1, G w1",
    "E g3, E w2*, F w1, F c1",
    "A g2, A w1, D g2, D c1",
    "B g4*, B w1, C w2, C g1",
]
"""A deck of Eketorp with two kinds on many fields, so that spoils are chosen (E5.1)."""


class EketorpLaws(Laws):
    options = ({}, {"first_player": 2}, {"material_cards": MIXED_CARDS, "first_player": "random"})
    reveals = frozenset({"CardsRevealed", "VikingsPlaced", "LowHandShown", "WallsBuilt"})
    board_at = "placement"

    def check(self, state: State) -> None:
        check(state)
