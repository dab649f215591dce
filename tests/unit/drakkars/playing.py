"""A game of Drakkars that is played on, with what it led to."""

from __future__ import annotations

from typing import Any

import msgspec

from holmgang.engine.errors import IllegalAction
from holmgang.engine.rules import Step, play
from holmgang.engine.turn import Await, Chance, Over
from holmgang.games.drakkars.rules import piles, rules
from holmgang.games.drakkars.rules.coast import FJORD, HIDDEN, HOME, RESERVE
from holmgang.games.drakkars.rules.invariants import check
from holmgang.games.drakkars.rules.work import Work
from tests.languages.checking import check_said

from .coasts import COINS, RULES, coast, letters, ship

NAMES = {FJORD: "fjord", HIDDEN: "hidden", HOME: "home", RESERVE: "reserve"}
KINDS = ("gold", "silver", "copper")


def wire(value: Any) -> dict[str, Any]:
    """The value as clients read it."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return read


class Game:
    """Keeps all effects and the last record of each combat since it was made."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.effects: list[dict[str, Any]] = []
        self.raw: list[Any] = []
        self.combats: dict[int, dict[str, Any]] = {}

    @classmethod
    def at(cls, players: int = 2, **position: Any) -> Game:
        """The go of a seat in a position of `coast`."""
        game = cls(coast(players, **position))
        game._take(Work(game.state).go_on(rules.GO_ON))
        return game

    @classmethod
    def new(cls, players: int = 2, **options: Any) -> Game:
        return cls(RULES.initial(RULES.configure(players, options)))

    def _take(self, step: Step[Any, Any]) -> None:
        self.state = step.state
        self.raw += step.effects
        self.effects += [wire(e) for e in step.effects]
        self.combats.update((c.number, wire(c)) for c in step.combats)
        check(self.state)

    # What is asked

    @property
    def turn(self) -> Any:
        return RULES.turn(self.state)

    @property
    def kind(self) -> str:
        turn = self.turn
        if type(turn) is Chance:
            return f"chance {turn.label}"
        return turn.kind if type(turn) is Await else "over"

    @property
    def seat(self) -> int:
        (seat,) = self.turn.seats
        return int(seat)

    @property
    def over(self) -> Over:
        turn = self.turn
        assert type(turn) is Over, turn
        return turn

    # What is done

    def play(self, kind: str, seat: int | None = None, **action: Any) -> Game:
        """A move of the seat that is asked. Tuples of ship names stand for ships."""
        who = self.seat if seat is None else seat
        self._take(play(RULES, self.state, who, RULES.decode(self.turn.kind, {"type": kind, **action})))
        return self

    def sail(self, name: str, card: int, **more: Any) -> Game:
        return self.play("sail", ship=ship(name)[1], card=card, **more)

    def swap(self, *names: str) -> Game:
        return self.play("swap", ships=[_ref(name) for name in names])

    def back(self, name: str) -> Game:
        return self.play("back", ship=_ref(name))

    def pair(self, **steps: int) -> Game:
        return self.play("pair", moves=[{**_ref(name), "steps": n} for name, n in steps.items()])

    def cards(self, chosen: dict[int, int]) -> Game:
        """Battle cards by seat."""
        assert self.turn.sealed
        for seat in self.turn.seats:
            self.play("play", seat=seat, card=chosen[seat])
        return self

    def draw(self, *cards: int) -> Game:
        """Chance draws these cards."""
        for card in cards:
            assert self.kind == "chance card", self.kind
            self.chance(sum(piles.next_pile(self.state)[: card - 1]))
        return self

    def coin(self, *coins: str) -> Game:
        """Chance draws these coins of the bag."""
        for coin in coins:
            assert self.kind == "chance coin", self.kind
            self.chance(sum(self.state.bag[: KINDS.index(coin)]))
        return self

    def chance(self, *given: int) -> Game:
        for value in given:
            assert 0 <= value < self.turn.stop
            self._take(RULES.resolve(self.state, value))
        return self

    def settle(self) -> Game:
        """Answer all chance with the lowest value."""
        while type(self.turn) is Chance:
            self.chance(0)
        return self

    def resign(self, seat: int) -> Game:
        self._take(RULES.resign(self.state, seat))
        return self

    # What may be done

    def refusal(self, kind: str, **action: Any) -> str | None:
        """The rule that forbids an action; None when it is legal."""
        try:
            play(RULES, self.state, self.seat, RULES.decode(self.turn.kind, {"type": kind, **action}))
        except IllegalAction as error:
            check_said(error.detail)
            return error.rule
        return None

    def refusal_of(self, seat: int, card: int) -> str | None:
        """The rule that forbids a seat's battle card."""
        fault = RULES.moves(self.state, seat).why_not(RULES.decode("battle_card", {"type": "play", "card": card}))
        if fault is not None:
            check_said(fault.detail)
        return None if fault is None else fault.rule

    def moves(self, *kinds: str) -> list[dict[str, Any]]:
        """The legal actions, of some kinds only, if named."""
        listed = [wire(action) for action in RULES.moves(self.state, self.seat)]
        return [action for action in listed if not kinds or action["type"] in kinds]

    def kinds(self) -> set[str]:
        return {action["type"] for action in self.moves()}

    # What there is

    def told(self, kind: str, seat: int | None = -1) -> list[dict[str, Any]]:
        """The effects of a type, whole, or as a seat or a spectator (None) is told them."""
        seen = self.raw if seat == -1 else [RULES.redact(effect, seat) for effect in self.raw]
        return [e for e in map(wire, seen) if e["type"] == kind]

    def where(self, name: str) -> int | str:
        seat, number = ship(name)
        place = self.state.ships[seat][number]
        named: int | str = NAMES.get(place, place)
        return named

    def hand(self, seat: int) -> list[int]:
        return list(self.state.hands[seat])

    def cargo(self, seat: int) -> list[str]:
        return [letters(coins) for coins in self.state.cargo[seat]]

    def pile(self, town: int) -> str:
        return "".join(COINS[kind] for kind in self.state.piles[town - 1])

    def view(self, seat: int | None) -> Any:
        return RULES.view(self.state, seat)

    def context(self, seat: int | None = None) -> dict[str, Any]:
        return RULES.context(self.view(seat))


def _ref(name: str) -> dict[str, int]:
    seat, number = ship(name)
    return {"seat": seat, "ship": number}


def refs(*names: str) -> list[dict[str, int]]:
    return [_ref(name) for name in names]
