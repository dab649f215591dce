"""Drakkars as words and numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat
from holmgang.games.drakkars.rules.coast import BAG, CELLS, COINS, MOST_CARDS, MOST_CARGO, PILE, SHIPS, VALUES
from holmgang.games.drakkars.rules.ending import MOST_TURNS
from holmgang.games.drakkars.rules.model import (
    Advance,
    Attack,
    Back,
    Boost,
    Draw,
    Emerge,
    Fog,
    FogCard,
    Launch,
    LootCards,
    LootChoice,
    LootCoins,
    Pair,
    Play,
    Push,
    ReadyShip,
    Rush,
    Sail,
    ShipRef,
    Stint,
    Swap,
)
from holmgang.games.drakkars.rules.views import SeatView, ShipView, TownView, View
from holmgang.training.language import Language
from holmgang.training.sheet import Sheet
from holmgang.training.spelling import Listed, Picked, Spelling, Words

VERBS: dict[type, str] = {
    Sail: "sail",
    Swap: "swap",
    Back: "back",
    Fog: "fog",
    Pair: "pair",
    Launch: "launch",
    Boost: "boost",
    Draw: "draw",
    ReadyShip: "ready ship",
    FogCard: "fog card",
    Emerge: "emerge",
    Rush: "rush",
    Push: "push",
    Attack: "attack",
    LootCoins: "loot coins",
    LootCards: "loot cards",
}
MOST_STEPS = 13
PLACES = ("sea", "fjord", "hidden", "home", "reserve")
PILES = ("central", "discard")
MOST_STINTS = 2


class DrakkarsLanguage(Language):
    """A word for each verb, ship (by whose it is, from one's own on), card, and number of steps.

    `sail` and `boost` are followed by ship and card, `launch` by the card, and these three by the steps if the card is
    Odin; `swap` by two ships, `pair` by a ship, its steps and the other ship, `rush` by the ship and its cards,
    ascending. Barrel, battle cards and cards of choice are cards alone.
    """

    def __init__(self, rules: AnyRules, config: Any) -> None:
        super().__init__(rules, config)
        self.worth: int = max(1, *config.coin_worth)
        self.most_fog = 2
        words = list(VERBS.values())
        self.verb = {kind: n for n, kind in enumerate(VERBS)}
        self.ship_words = len(words)
        words += [f"+{n} ship {ship}" for n in range(self.seats) for ship in range(SHIPS)]
        self.card_words = len(words)
        words += [f"card {value}" for value in range(1, VALUES + 1)]
        self.step_words = len(words)
        self.words = (*words, *(f"{steps} steps" for steps in range(1, MOST_STEPS + 1)))

    def ship(self, me: Seat, ref: ShipRef | Stint) -> int:
        return self.ship_words + (ref.seat - me) % self.seats * SHIPS + ref.ship

    def own(self, ship: int) -> int:
        return self.ship_words + ship

    def card(self, value: int) -> int:
        return self.card_words + value - 1

    def steps(self, steps: Any) -> Words:
        """A word for the steps of one's choice, if there are any to choose."""
        return () if steps is UNSET else (self.step_words + steps - 1,)

    def spell(self, me: Seat, action: Any) -> Words:
        kind = type(action)
        if kind is Sail or kind is Boost:  # most choices are among many of these
            first = self.verb[kind], self.ship_words + action.ship, self.card_words + action.card - 1
            return first if action.steps is UNSET else (*first, self.step_words + action.steps - 1)
        if kind is Play:
            return (self.card(action.card),)
        if kind is Advance:
            return (self.card(action.by),)
        if kind is LootChoice:
            return tuple(self.card(card) for card in sorted(action.cards))
        return (self.verb[kind], *self._objects(me, action))

    def _objects(self, me: Seat, action: Any) -> Words:
        """What follows the verb."""
        kind = type(action)
        if kind is Launch:
            return self.card(action.card), *self.steps(action.steps)
        if kind is Swap:
            return tuple(self.ship(me, ref) for ref in action.ships)
        if kind is Back:
            return (self.ship(me, action.ship),)
        if kind is Fog:
            return (self.own(action.ship),)
        if kind is Pair:
            one, other = action.moves
            return self.ship(me, one), *self.steps(one.steps), self.ship(me, other)
        if kind in (FogCard, Emerge):
            return (self.card(action.card),)
        if kind is Rush:
            return self.own(action.ship), *(self.card(card) for card in sorted(action.cards))
        return ()

    def spelling(self, view: View, space: MoveSpace[Any]) -> Spelling:
        me = view.seat
        assert me is not None
        offer = view.offer
        if view.phase == "loot" and offer is not None and offer.count:
            pool = [self.card(card) for card in offer.values or ()]
            first = self.card_words - 1
            return Picked(pool, offer.count, lambda words: LootChoice(tuple(word - first for word in words)))
        return Listed(space, lambda action: self.spell(me, self.rules.canonical(me, action)))

    # Observation

    def describes_written(self, view: View) -> bool:
        return False

    def describe(self, sheet: Sheet, view: View, written: Words) -> None:
        me = view.seat
        assert me is not None
        order = self.clockwise(me)
        here = view.seats[me].fjord
        sheet.flags("sealed", (seat in view.sealed for seat in order))
        sheet.one_of("active", self.from_me(me, view.active), self.seats)
        for town in view.towns:
            self.part(sheet, (me, "town", town.town), (town, here), partial(_town, town=town, here=here))
        sheet.numbers("bag", (view.bag.get(coin, 0) / most for coin, most in zip(COINS, BAG, strict=True)), 1)
        sheet.one_of("barrel", view.barrel, len(view.options["shield"]))
        for n, seat in enumerate(order):
            there = view.seats[seat]
            self.part(sheet, (me, "seat", n), (there, here), partial(self._seat, me=me, n=n, seat=there, here=here))
        copies = self.seats + 2  # of each card: every seat's own, and two in the central pile, where all come in time
        sheet.number("central", view.central_size, copies * VALUES)
        _cards(sheet, "discard", view.discard, copies)
        _cards(sheet, "hand", view.hand, copies)
        _cards(sheet, "deck", view.deck, 1)
        _cards(sheet, "fog cards", view.fog_cards, self.most_fog)
        self._go(sheet, view, me)
        self._fight(sheet, view, me)
        offer = view.offer
        sheet.flags("offer", (offer is not None, *(offer is not None and offer.pile == pile for pile in PILES)))
        amounts = (0, 0, 0) if offer is None else (offer.coins, offer.cards, offer.count)
        sheet.numbers("offer of coins, cards, choice", amounts, MOST_CARDS)
        _cards(sheet, "offered", None if offer is None else offer.values, copies)
        sheet.one_of("ender", self.from_me(me, None if view.end is None else view.end.seat), self.seats)
        last = () if view.end is None else view.end.last_turns
        sheet.flags("last turns", (seat in last for seat in order))

    def _seat(self, sheet: Sheet, me: Seat, n: int, seat: SeatView, here: int) -> None:
        sheet.one_of(f"+{n} fjord", (seat.fjord - here) % CELLS, CELLS)
        for ship in seat.ships:
            name = f"+{n} ship {ship.ship}"
            self.part(sheet, (me, name), (ship, here), partial(_ship, name=name, ship=ship, here=here))
        sheet.some_of(f"+{n} piers", seat.piers, SHIPS)
        for rank, cargo in enumerate(seat.cargo, start=1):
            sheet.counts(f"+{n} cargo {rank}", cargo, COINS, MOST_CARGO)
        sheet.number(f"+{n} coins", seat.coins, SHIPS * MOST_CARGO * self.worth)
        sheet.number(f"+{n} hand size", seat.hand_size, MOST_CARDS)
        sheet.number(f"+{n} deck size", seat.deck_size, VALUES)
        sheet.flags(f"+{n} fog", (seat.fog is not None,))
        sheet.one_of(f"+{n} fog cell", None if seat.fog is None else _from(here, seat.fog.cell), CELLS)
        sheet.number(f"+{n} fog size", 0 if seat.fog is None else seat.fog.cards, self.most_fog)
        sheet.number(f"+{n} turns", seat.turns, MOST_TURNS)
        sheet.flags(f"+{n} cards count, resigned", (seat.cards_count, seat.resigned))

    def _go(self, sheet: Sheet, view: View, me: Seat) -> None:
        go = view.go
        todo = () if go is None else go.to_do[:MOST_STINTS]
        for n in range(MOST_STINTS):
            stint = todo[n] if n < len(todo) else None
            which = None if stint is None else (stint.owner - me) % self.seats * SHIPS + stint.ship
            sheet.one_of(f"to do {n + 1}", which, self.seats * SHIPS)
            sheet.number(f"to do {n + 1} steps", 0 if stint is None else stint.steps, MOST_STEPS)
        sheet.one_of("arriving", None if go is None else go.arriving, SHIPS)
        _cards(sheet, "barrel values", None if go is None else go.values, 2)
        sheet.flags("Odin, bonus", (False, False) if go is None else (go.odin, go.bonus))

    def _fight(self, sheet: Sheet, view: View, me: Seat) -> None:
        fight = view.combat
        attacker = None if fight is None else ShipRef(fight.attacker, fight.attacker_ship)
        defender = None if fight is None else ShipRef(fight.defender, fight.defender_ship)
        for name, ref in (("attacker", attacker), ("defender", defender)):
            which = None if ref is None else self.ship(me, ref) - self.ship_words
            sheet.one_of(name, which, self.seats * SHIPS)


def _from(here: int, cell: int | None) -> int | None:
    """A cell as it lies from one's own fjord."""
    return None if cell is None else (cell - here) % CELLS


def _ship(sheet: Sheet, name: str, ship: ShipView, here: int) -> None:
    sheet.one_of(f"{name} at", PLACES.index(ship.at), len(PLACES))
    sheet.one_of(f"{name} cell", _from(here, ship.cell), CELLS)
    sheet.number(f"{name} way home", ship.way_home or 0, CELLS + 1)
    sheet.one_of(f"{name} rank", None if ship.rank is None else ship.rank - 1, SHIPS)


def _town(sheet: Sheet, town: TownView, here: int) -> None:
    sheet.one_of(f"town {town.town}", _from(here, town.cell), CELLS)
    pile = [COINS.index(coin) for coin in town.coins] + [None] * (PILE - len(town.coins))
    sheet.flags(f"town {town.town} coins", (there == coin for there in pile for coin in range(len(COINS))))


def _cards(sheet: Sheet, name: str, cards: tuple[int, ...] | None, most: float) -> None:
    sheet.tally(name, (card - 1 for card in cards or ()), VALUES, most)
