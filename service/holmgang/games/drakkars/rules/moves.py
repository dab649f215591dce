"""What a seat may do where its ship arrives, with its loot and in a fight; and which space belongs to which turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holmgang.engine.errors import Fault
from holmgang.engine.messages import Said, either, say, template
from holmgang.engine.moves import Rng
from holmgang.engine.turn import Seat

from .model import Advance, Attack, Board, LootCards, LootChoice, LootCoins, Play, Push
from .piles import listed
from .raiding import Offer, choices, count_choices
from .sails import Sails
from .wording import cards

_CHOOSE = {
    "central": template("Here you choose {cards} from the central pile."),
    "discard": template("Here you choose {cards} from the discard pile."),
}
_HAS = {
    "central": template("The central pile has {there} of the card {card}."),
    "discard": template("The discard pile has {there} of the card {card}."),
}


class Listed:
    """A space whose few actions are made when it is."""

    def __init__(self, board: Board, seat: Seat) -> None:
        self.board, self.seat = board, seat
        self.actions: list[Any] = self.every()

    def every(self) -> list[Any]:
        raise AssertionError("each kind of turn lists its own")

    def refuse(self, action: Any) -> Fault:
        raise AssertionError("each kind of turn explains itself")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.actions)

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def count(self) -> int:
        return len(self.actions)

    def sample(self, rng: Rng) -> Any:
        return self.actions[int(rng.random() * len(self.actions))]

    def why_not(self, action: Any) -> Fault | None:
        return None if action in self.actions else self.refuse(action)

    def grammar(self) -> Mapping[str, Any]:
        return {}


class Arrivals(Listed):
    """D5.3."""

    def every(self) -> list[Any]:
        return [Push(), Attack()]


class Barrels(Listed):
    """D5.2."""

    def every(self) -> list[Any]:
        return [Advance(value) for value in sorted(set(self.board.values))]

    def refuse(self, action: Advance) -> Fault:
        values = either(str(option.by) for option in self.actions)
        return Fault("D5.2", say("The barrel moves by {values}, not {by}.", values=values, by=action.by))


class Plays(Listed):
    """D5.6."""

    def every(self) -> list[Any]:
        return [Play(card) for card in sorted(set(self.board.hands[self.seat]))]

    def refuse(self, action: Play) -> Fault:
        return Fault("D5.6", say("You have no card {card} in hand.", card=action.card))


class Loots:
    """D1.7, D5.2, D6.2."""

    def __init__(self, board: Board, seat: Seat) -> None:
        self.offer = Offer(board)

    def __iter__(self) -> Iterator[Any]:
        if self.offer.count:
            yield from (LootChoice(cards) for cards in choices(self.offer))
        else:
            yield from self._usual()

    def _usual(self) -> list[LootCoins | LootCards]:
        found: list[LootCoins | LootCards] = [LootCoins()] if self.offer.coins else []
        return [*found, LootCards()] if self.offer.cards else found

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def count(self) -> int:
        return count_choices(self.offer) if self.offer.count else len(self._usual())

    def sample(self, rng: Rng) -> Any:
        if not self.offer.count:
            usual = self._usual()
            return usual[int(rng.random() * len(usual))]
        there = list(listed(self.offer.pile))
        taken = [there.pop(int(rng.random() * len(there))) for _ in range(self.offer.count)]
        return LootChoice(tuple(sorted(taken)))

    def why_not(self, action: Any) -> Fault | None:
        offer = self.offer
        if type(action) is not LootChoice:
            if action in self._usual() and not offer.count:
                return None
            if offer.count:
                return Fault("D1.7", Said(_CHOOSE[offer.source], {"cards": cards(offer.count)}))
            coins = type(action) is LootCoins
            return Fault("D5.2", say("There are no coins to take.") if coins else say("There are no cards to take."))
        if not offer.count:
            return Fault("D1.7", say("Here you take coins or cards, and do not choose."))
        for card in set(action.cards):
            there = offer.pile[card - 1]
            if action.cards.count(card) > there:
                return Fault("D1.7", Said(_HAS[offer.source], {"there": there, "card": card}))
        if len(action.cards) != offer.count:
            return Fault("D1.7", say("Take {cards}, not {n}.", cards=cards(offer.count), n=len(action.cards)))
        return None

    def grammar(self) -> Mapping[str, Any]:
        if not self.offer.count:
            return {}
        return {"cards": self.offer.count, "from": list(listed(self.offer.pile))}


SPACES: Mapping[str, type[Any]] = {
    "sail": Sails,
    "arrival": Arrivals,
    "barrel": Barrels,
    "loot": Loots,
    "battle_card": Plays,
}
