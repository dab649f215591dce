"""The registered games as the tests meet them: player counts, options worth trying, what is revealed."""

from __future__ import annotations

from typing import Any, NamedTuple

from service.engine.rules import AnyRules
from service.games import registry
from service.games.claim import invariants as claim
from service.games.drakkars import invariants as drakkars
from service.games.eketorp import invariants as eketorp

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

CHOOSING = ["2 of central", "3 of discard", "2 coins or 2 cards", "2 of central"] * 2
"""A shield of Drakkars on which cards are chosen often (D1.7)."""

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "claim": [{}, {"first_player": 1, "battle_starts": "second"}],
    "drakkars": [{}, {"first_player": 1, "shield": CHOOSING, "coin_worth": [1, 5, 5]}],
    "eketorp": [{}, {"first_player": 2}, {"material_cards": MIXED_CARDS, "first_player": "random"}],
}

REVEALING = {
    "claim": frozenset[str](),
    "drakkars": frozenset({"CardsRevealed", "FogLifted", "GameEnded"}),
    "eketorp": frozenset({"CardsRevealed", "VikingsPlaced", "LowHandShown", "WallsBuilt"}),
}
"""Effects of each game that turn something over for all to see."""

INVARIANTS = {"claim": claim.check, "drakkars": drakkars.check, "eketorp": eketorp.check}


class Setting(NamedTuple):
    rules: AnyRules
    seats: int

    @property
    def ruleset(self) -> str:
        return self.rules.ruleset

    def config(self, options: dict[str, Any] | None = None) -> Any:
        return self.rules.configure(self.seats, options or {})

    def reveals(self, effect: Any) -> bool:
        return type(effect).__name__ in REVEALING[self.ruleset]

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.seats}"


SETTINGS = [Setting(rules, seats) for rules in registry.all_latest() for seats in sorted(rules.seat_counts)]
