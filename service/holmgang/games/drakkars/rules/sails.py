"""What a player may do with their go (D4, D7, D8.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any

from msgspec import UNSET

from holmgang.engine.errors import Fault
from holmgang.engine.messages import Said, say
from holmgang.engine.moves import Rng
from holmgang.engine.turn import Seat

from .coast import FREYA, FREYR, FRIGG, HEIMDALL, HIDDEN, IDUNN, NJORD, ODIN, SIF, THOR, TYR
from .model import (
    Back,
    Board,
    Boost,
    Draw,
    Emerge,
    Fog,
    FogCard,
    Launch,
    Pair,
    ReadyShip,
    Rush,
    Sail,
    ShipRef,
    Stint,
    Swap,
)
from .sailing import BOOST
from .wording import own_ship, ship_of
from .work import NOBODY, afloat, can_launch, fleet, hidden_ship, way_home

ODIN_STEPS = tuple(range(1, ODIN + 1))
SHARES = tuple(range(1, 7))
SEVEN = 7
NAMES = ("", "Freyr", "Idunn", "Njord", "Sif", "Frigg", "Freya", "Heimdall", "Tyr", "Thor", "Odin")


@lru_cache(maxsize=4096)
def sums(hand: tuple[int, ...], needed: int) -> list[tuple[int, ...]]:
    """D8.2: the sets of cards that add up to `needed` or more, and without any one of them would not."""
    found = {
        cards
        for size in range(1, len(hand) + 1)
        for cards in combinations(hand, size)
        if needed <= sum(cards) < needed + cards[0]
    }
    return sorted(found)


class Sails:
    """The actions of a go. Rushes that waste a card are legal too, but neither listed, counted nor sampled (D8.2)."""

    def __init__(self, board: Board, seat: Seat) -> None:
        self.board, self.seat = board, seat
        self.hand = board.hands[seat]
        self.cards = sorted(set(self.hand))
        self.fleet = fleet(board, seat)
        self.hidden = hidden_ship(board, seat)
        self.launches = can_launch(board, seat)
        self.last = board.ender != NOBODY

    # What there is

    def holds(self, one: int, other: int) -> bool:
        return one in self.hand and other in self.hand

    def at_sea(self) -> list[ShipRef]:
        """All ships on sea cells."""
        ships = enumerate(self.board.ships)
        return [ShipRef(s, n) for s, places in ships for n, place in enumerate(places) if place >= 0]

    def afloat(self) -> list[ShipRef]:
        """All ships at sea or in their fjords."""
        ships = enumerate(self.board.ships)
        return [ShipRef(s, n) for s, places in ships for n, place in enumerate(places) if afloat(place)]

    def partners(self, deity: int) -> list[int]:
        """D4.2.5, D4.2.6: the cards that Tyr or Njord may be combined with."""
        return [card for card in self.cards if card not in (TYR, NJORD)] if deity in self.hand else []

    def hidden_sum(self) -> int:
        return sum(self.board.fog_cards[self.seat])

    def rushes(self, ship: int) -> list[tuple[int, ...]]:
        needed = way_home(self.board, self.seat, ship) - (self.hidden_sum() if ship == self.hidden else 0)
        return sums(self.hand, max(needed, 1))  # a hidden ship needs one at least, too

    def runners(self) -> list[int]:
        """D8.2: the ships that may rush in a last turn."""
        if not self.last:
            return []
        return sorted([*self.fleet, self.hidden] if self.hidden is not None else self.fleet)

    # Listing

    def __iter__(self) -> Iterator[Any]:
        for ship in self.fleet:
            for card in self.cards:
                if card == ODIN:
                    yield from (Sail(ship, card, steps) for steps in ODIN_STEPS)
                else:
                    yield Sail(ship, card)
        if self.holds(FRIGG, ODIN):
            yield from self._swaps()
        if self.holds(SIF, THOR) and self.hidden is None:
            yield from (Fog(ship) for ship in self.fleet)
        if self.holds(IDUNN, HEIMDALL):
            yield from (Back(ref) for ref in self.at_sea())
        if self.holds(FREYR, FREYA):
            yield from self._pairs()
        if self.launches:
            for card in self.partners(TYR):
                yield from (Launch(card, steps) for steps in (ODIN_STEPS if card == ODIN else (UNSET,)))
        for ship in self.fleet:
            for card in self.partners(NJORD):
                more = (steps + BOOST for steps in ODIN_STEPS) if card == ODIN else (UNSET,)
                yield from (Boost(ship, card, steps) for steps in more)
        yield Draw()
        if self.launches:
            yield ReadyShip()
        if self.hidden is not None:
            if len(self.board.fog_cards[self.seat]) == 1:
                yield from (FogCard(card) for card in self.cards)
            yield from (Emerge(card) for card in self.cards)
        for ship in self.runners():
            yield from (Rush(ship, cards) for cards in self.rushes(ship))

    def _swaps(self) -> Iterator[Swap]:
        """Own ships in both orders, others in one."""
        for one, other in combinations(self.at_sea(), 2):
            yield Swap((one, other))
            if one.seat == other.seat == self.seat:
                yield Swap((other, one))

    def _pairs(self) -> Iterator[Pair]:
        ships = self.afloat()
        for one in ships:
            for other in ships:
                if one != other:
                    yield from (
                        Pair((Stint(one.seat, one.ship, n), Stint(other.seat, other.ship, SEVEN - n))) for n in SHARES
                    )

    def count(self) -> int:
        cards, ships = len(self.cards), len(self.fleet)
        sails = cards + 9 * (ODIN in self.hand)
        total = 1 + self.launches + ships * sails
        if self.holds(FRIGG, ODIN):
            at_sea = self.at_sea()
            own = sum(ref.seat == self.seat for ref in at_sea)
            total += len(at_sea) * (len(at_sea) - 1) // 2 + own * (own - 1) // 2
        if self.holds(SIF, THOR) and self.hidden is None:
            total += ships
        if self.holds(IDUNN, HEIMDALL):
            total += len(self.at_sea())
        if self.holds(FREYR, FREYA):
            moving = len(self.afloat())
            total += moving * (moving - 1) * len(SHARES)
        for deity, ways in ((TYR, int(self.launches)), (NJORD, ships)):
            partners = self.partners(deity)
            total += ways * (len(partners) + 9 * (ODIN in partners))
        if self.hidden is not None:
            total += cards * (2 if len(self.board.fog_cards[self.seat]) == 1 else 1)
        return total + sum(len(self.rushes(ship)) for ship in self.runners())

    # Sampling

    def sample(self, rng: Rng) -> Any:
        """A kind of action, each alike, and anything that it allows."""
        hand = self.hand
        kinds: list[Callable[[Rng], Any]] = [_draw]
        if self.launches:
            kinds.append(_ready)
        if hand:
            if self.fleet:
                kinds += (self._sail, self._sail)
                if NJORD in hand and self.partners(NJORD):
                    kinds.append(self._boost)
                if SIF in hand and THOR in hand and self.hidden is None:
                    kinds.append(lambda rng: Fog(_any(rng, self.fleet)))
            if FRIGG in hand and ODIN in hand and len(self.at_sea()) > 1:
                kinds.append(self._swap)
            if IDUNN in hand and HEIMDALL in hand and (ships := self.at_sea()):
                kinds.append(lambda rng: Back(_any(rng, ships)))
            if FREYR in hand and FREYA in hand and len(self.afloat()) > 1:
                kinds.append(self._pair)
            if self.launches and TYR in hand and self.partners(TYR):
                kinds.append(self._launch)
            if self.hidden is not None:
                if len(self.board.fog_cards[self.seat]) == 1:
                    kinds.append(lambda rng: FogCard(_any(rng, self.cards)))
                kinds.append(lambda rng: Emerge(_any(rng, self.cards)))
            found = [Rush(ship, cards) for ship in self.runners() for cards in self.rushes(ship)]
            if found:
                kinds += [lambda rng: _any(rng, found)] * 4
        return _any(rng, kinds)(rng)

    def _sail(self, rng: Rng) -> Sail:
        card = _any(rng, self.cards)
        return Sail(_any(rng, self.fleet), card, _any(rng, ODIN_STEPS) if card == ODIN else UNSET)

    def _boost(self, rng: Rng) -> Boost:
        card = _any(rng, self.partners(NJORD))
        steps = _any(rng, ODIN_STEPS) + BOOST if card == ODIN else UNSET
        return Boost(_any(rng, self.fleet), card, steps)

    def _launch(self, rng: Rng) -> Launch:
        card = _any(rng, self.partners(TYR))
        return Launch(card, _any(rng, ODIN_STEPS) if card == ODIN else UNSET)

    def _swap(self, rng: Rng) -> Swap:
        one, other = _two(rng, self.at_sea())
        if one.seat == other.seat == self.seat:
            return Swap((one, other))
        return Swap((one, other) if (one.seat, one.ship) < (other.seat, other.ship) else (other, one))

    def _pair(self, rng: Rng) -> Pair:
        one, other = _two(rng, self.afloat())
        steps = _any(rng, SHARES)
        return Pair((Stint(one.seat, one.ship, steps), Stint(other.seat, other.ship, SEVEN - steps)))

    # Refusing

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def why_not(self, action: Any) -> Fault | None:
        fault: Fault | None = _WHY_NOT[type(action)](self, action)
        return fault

    def _lacks(self, rule: str, *cards: int) -> Fault | None:
        for card in cards:
            if card not in self.hand:
                return Fault(rule, say("You have no {name} ({card}) in hand.", name=NAMES[card], card=card))
        return None

    def _not_mine(self, rule: str, ship: int) -> Fault | None:
        if ship in self.fleet:
            return None
        return Fault(rule, say("You cannot use {ship}: it is neither at sea nor in its fjord.", ship=own_ship(ship)))

    def _called(self, ref: ShipRef | Stint) -> Said:
        return own_ship(ref.ship) if ref.seat == self.seat else ship_of(ref.seat, ref.ship)

    def _odin(self, rule: str, card: int, steps: Any, more: int = 0) -> Fault | None:
        low, high = 1 + more, ODIN + more
        if card != ODIN:
            return None if steps is UNSET else Fault(rule, say("Only with Odin are the steps of your choice."))
        if steps is UNSET or not low <= steps <= high:
            return Fault(rule, say("With Odin, 'steps' says how far: {low} to {high}.", low=low, high=high))
        return None

    def _not_sail(self, action: Sail) -> Fault | None:
        return (
            self._lacks("D4.1", action.card)
            or self._not_mine("D4.1", action.ship)
            or self._odin("D4.1", action.card, action.steps)
        )

    def _place(self, rule: str, ref: ShipRef | Stint) -> int | Fault:
        if ref.seat >= self.board.players:
            return Fault(rule, say("There is no seat {seat}.", seat=ref.seat))
        return self.board.ships[ref.seat][ref.ship]

    def _not_at_sea(self, rule: str, ref: ShipRef) -> Fault | None:
        place = self._place(rule, ref)
        if isinstance(place, Fault):
            return place
        return (
            None
            if place >= 0
            else Fault(rule, say("You cannot use {ship}: it is not on a sea cell.", ship=self._called(ref)))
        )

    def _not_swap(self, action: Swap) -> Fault | None:
        one, other = action.ships
        fault = self._lacks("D4.2.1", ODIN, FRIGG) or self._not_at_sea("D4.2.1", one)
        fault = fault or self._not_at_sea("D4.2.1", other)
        return fault or (Fault("D4.2.1", say("A ship does not exchange places with itself.")) if one == other else None)

    def _not_fog(self, action: Fog) -> Fault | None:
        fault = self._lacks("D4.2.2", THOR, SIF)
        if fault is None and self.hidden is not None:
            fault = Fault("D7.3", say("You have hidden {ship} already; one at a time.", ship=own_ship(self.hidden)))
        return fault or self._not_mine("D7.1", action.ship)

    def _not_back(self, action: Back) -> Fault | None:
        return self._lacks("D4.2.3", HEIMDALL, IDUNN) or self._not_at_sea("D4.2.3", action.ship)

    def _not_pair(self, action: Pair) -> Fault | None:
        if (fault := self._lacks("D4.2.4", FREYR, FREYA)) is not None:
            return fault
        for stint in action.moves:
            place = self._place("D4.2.4", stint)
            if isinstance(place, Fault):
                return place
            if not afloat(place):
                told = say("You cannot use {ship}: it is neither at sea nor in its fjord.", ship=self._called(stint))
                return Fault("D4.2.4", told)
        one, other = action.moves
        if (one.seat, one.ship) == (other.seat, other.ship):
            return Fault("D4.2.4", say("Two different ships move."))
        if one.steps + other.steps != SEVEN:
            return Fault("D4.2.4", say("The two ships share seven steps, not {steps}.", steps=one.steps + other.steps))
        return None

    def _not_combined(self, rule: str, deity: int, card: int) -> Fault | None:
        if (fault := self._lacks(rule, deity, card)) is not None:
            return fault
        if card in (TYR, NJORD):
            return Fault(rule, say("{deity} does not combine with {other}.", deity=NAMES[deity], other=NAMES[card]))
        return None

    def _no_launch(self, rule: str) -> Fault | None:
        if self.launches:
            return None
        return Fault(rule, say("A launch needs an empty fjord and a ship in reserve."))

    def _not_launch(self, action: Launch) -> Fault | None:
        return (
            self._not_combined("D4.2.5", TYR, action.card)
            or self._no_launch("D3.4")
            or self._odin("D4.2.7", action.card, action.steps)
        )

    def _not_boost(self, action: Boost) -> Fault | None:
        return (
            self._not_combined("D4.2.6", NJORD, action.card)
            or self._not_mine("D4.2.6", action.ship)
            or self._odin("D4.2.7", action.card, action.steps, BOOST)
        )

    def _not_fog_card(self, action: FogCard) -> Fault | None:
        if self.hidden is None:
            return Fault("D7.1", say("You have no hidden ship."))
        if len(self.board.fog_cards[self.seat]) > 1:
            return Fault("D7.1", say("A card was added to the hidden ship already."))
        return self._lacks("D7.1", action.card)

    def _not_emerge(self, action: Emerge) -> Fault | None:
        if self.hidden is None:
            return Fault("D7.2", say("You have no hidden ship."))
        return self._lacks("D7.2", action.card)

    def _not_rush(self, action: Rush) -> Fault | None:
        if not self.last:
            return Fault("D8.2", say("Several cards may bring a ship home in a last turn only."))
        for card in set(action.cards):
            if action.cards.count(card) > self.hand.count(card):
                return Fault(
                    "D8.2", say("You have {count} of the card {card}.", count=self.hand.count(card), card=card)
                )
        if action.ship not in self.runners():
            told = say(
                "You cannot use {ship}: it is neither at sea, in its fjord nor hidden.", ship=own_ship(action.ship)
            )
            return Fault("D8.2", told)
        total = sum(action.cards) + (self.hidden_sum() if action.ship == self.hidden else 0)
        needed = way_home(self.board, self.seat, action.ship)
        if total < needed:
            return Fault(
                "D8.2", say("The cards add up to {total}; the way home is {needed}.", total=total, needed=needed)
            )
        return None

    def grammar(self) -> Mapping[str, Any]:
        """Each of the seat's ships with its place and its way home; whether a launch and a rush are possible."""
        ships = self.board.ships[self.seat]
        return {
            "cards": list(self.hand),
            "ships": {
                str(ship): {"cell": place if place >= 0 else None, "home": way_home(self.board, self.seat, ship)}
                for ship, place in enumerate(ships)
                if afloat(place) or place == HIDDEN
            },
            "launch": self.launches,
            "rush": self.last,
        }


def _draw(rng: Rng) -> Draw:
    return Draw()


def _ready(rng: Rng) -> ReadyShip:
    return ReadyShip()


def _any(rng: Rng, options: Any) -> Any:
    return options[int(rng.random() * len(options))]


def _two(rng: Rng, options: list[ShipRef]) -> tuple[ShipRef, ShipRef]:
    """Two different ones, in any order."""
    at = int(rng.random() * len(options))
    other = int(rng.random() * (len(options) - 1))
    return options[at], options[other + (other >= at)]


_WHY_NOT: Mapping[type, Callable[[Sails, Any], Fault | None]] = {
    Sail: Sails._not_sail,
    Swap: Sails._not_swap,
    Fog: Sails._not_fog,
    Back: Sails._not_back,
    Pair: Sails._not_pair,
    Launch: Sails._not_launch,
    Boost: Sails._not_boost,
    Draw: lambda _space, _action: None,
    ReadyShip: lambda space, _action: space._no_launch("D4.3"),
    FogCard: Sails._not_fog_card,
    Emerge: Sails._not_emerge,
    Rush: Sails._not_rush,
}
