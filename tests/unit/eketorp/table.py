"""A table of Eketorp for tests: set up any beginning of a placement in a line, play by the wire, look at the board.

Stones are written as letters (`ggw` is two grass and a wood, from the bottom up on walls and sorted elsewhere);
errands as `A2 F 1:boat` (two Vikings to A, one to F, one to the boat of village 1).
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.rules import Step, play
from holmgang.engine.turn import Await, Chance, Over
from holmgang.games.eketorp.rules import invariants
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.languages.checking import check_said

from . import setup

FIELDS = "ABCDEFG"
KINDS = ("grass", "wood", "clay", "stone")
ENGINES = {"catapult": (1, 2), "boat": (3, 4), "ram": (5, 6)}
TWO_ON_C = {0: "C", 1: "C"}
"""Errands that make two seats fight for C."""
RULES = Eketorp()


def wire(value: Any) -> dict[str, Any]:
    """The value as clients read it."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return read


class Table:
    """A game under way. It keeps all effects and the last record of every combat since it was made."""

    rules = RULES

    def __init__(self, players: int = 3, **keywords: Any) -> None:
        """At the placement of a round. Keywords as of `setup.placement`."""
        self._begin(setup.placement(RULES, players, **keywords))
        self.check()

    def _begin(self, state: Any) -> None:
        self.state = state
        self._told: list[Any] = []
        self.combats: dict[int, dict[str, Any]] = {}

    @classmethod
    def unopened(cls, players: int, options: dict[str, Any] | None = None) -> Table:
        """Before the first card is dealt."""
        table = cls.__new__(cls)
        table._begin(RULES.initial(RULES.configure(players, options or {})))
        return table

    @classmethod
    def copy(cls, other: Table) -> Table:
        table = cls.__new__(cls)
        table._begin(other.state)
        return table

    # What is asked

    @property
    def turn(self) -> Any:
        return RULES.turn(self.state)

    @property
    def kind(self) -> str:
        """The turn's kind, `chance` or `over`."""
        turn = self.turn
        return turn.kind if type(turn) is Await else "chance" if type(turn) is Chance else "over"

    @property
    def over(self) -> Over:
        turn = self.turn
        assert type(turn) is Over, turn
        return turn

    @property
    def turn_is_over(self) -> bool:
        return type(self.turn) is Over

    @property
    def round_is_done(self) -> bool:
        """Whether the next material card is asked for."""
        return type(self.turn) is Chance and self.turn.label == "material_card"

    # What is done

    def _take(self, step: Step[Any, Any]) -> None:
        self.state = step.state
        self._told += step.effects
        self.combats.update((combat.number, wire(combat)) for combat in step.combats)
        self.check()

    def decode(self, seat: int, **action: Any) -> Any:
        return RULES.decode(self.kind, action)

    def play(self, seat: int, **action: Any) -> None:
        """Make a move as from the wire."""
        self._take(play(RULES, self.state, seat, self.decode(seat, **action)))

    def chance(self, *values: int) -> None:
        for value in values:
            assert type(self.turn) is Chance, self.turn
            assert 0 <= value < self.turn.stop
            self._take(RULES.resolve(self.state, value))

    def settle(self) -> None:
        """Answer all chance that is asked for, with the lowest value."""
        while type(self.turn) is Chance:
            self.chance(0)

    def resign(self, seat: int) -> None:
        self._take(RULES.resign(self.state, seat))

    @staticmethod
    def errand(text: str) -> dict[str, Any]:
        fields: dict[str, int] = {}
        sieges: list[str] = []
        for part in text.split():
            if ":" in part:
                sieges.append(part)
            else:
                fields[part[0]] = int(part[1:] or 1)
        return {"type": "place", "fields": fields, "sieges": sieges}

    def march(self, errands: dict[int, str]) -> None:
        """All who still owe it place their Vikings: as told, or all at home."""
        assert self.kind == "placement"
        for seat in self.turn.seats:
            self.play(seat, **self.errand(errands.get(seat, "")))

    def fight(self, seat: int, space: str, against: int) -> None:
        """Begin a fight, unless it was the only one there was and has begun by itself."""
        if self.kind == "initiative":
            self.play(seat, type="fight", space=space, against=against)
        found = (self.combat["attacker"], self.combat["space"], self.combat["defender"])
        assert found == (seat, space, against)

    def cards(self, chosen: dict[int, int]) -> None:
        """The seats that are asked play these cards."""
        assert self.kind == "battle_card", self.turn
        for seat in self.turn.seats:
            self.play(seat, type="play", card=chosen[seat])

    # What is refused

    def refusal(self, seat: int, **action: Any) -> str | None:
        """The id of the rule that forbids an action of the right shape; None when it is legal."""
        try:
            play(RULES, self.state, seat, self.decode(seat, **action))
        except IllegalAction as error:
            check_said(error.detail)
            return error.rule
        return None

    def is_refused(self, seat: int, **action: Any) -> bool:
        """Whether an action is malformed or illegal."""
        try:
            return self.refusal(seat, **action) is not None
        except MalformedAction:
            return True

    def malformed(self, seat: int, **action: Any) -> None:
        with pytest.raises(MalformedAction):
            self.decode(seat, **action)

    # What may be done

    def space(self, seat: int) -> Any:
        return RULES.moves(self.state, seat)

    def moves(self, seat: int) -> list[dict[str, Any]]:
        """All legal moves, as on the wire."""
        return [wire(action) for action in self.space(seat)]

    def starts(self, seat: int) -> list[tuple[str, str, int | None]]:
        """The fights and sieges that a seat may begin."""
        found = [(move["type"], move["space"], move.get("against")) for move in self.moves(seat)]
        return sorted(found, key=str)

    def default(self, seat: int) -> dict[str, Any]:
        action = RULES.default(self.state, seat)
        assert action in self.space(seat)
        return wire(action)

    # What was told

    @property
    def effects(self) -> list[dict[str, Any]]:
        return [wire(effect) for effect in self._told]

    def told(self, kind: str, seat: int | None = -1) -> list[dict[str, Any]]:
        """The effects of one type, whole, or as a seat or a spectator (None) is told them."""
        seen = self._told if seat == -1 else [RULES.redact(effect, seat) for effect in self._told]
        return [told for told in map(wire, seen) if told["type"] == kind]

    @property
    def combat(self) -> dict[str, Any]:
        """The latest combat."""
        return self.combats[max(self.combats)]

    # What is to be seen

    def view(self, seat: int | None) -> Any:
        return RULES.view(self.state, seat)

    def context(self, seat: int | None) -> dict[str, Any]:
        return RULES.context(self.view(seat))

    def check(self) -> None:
        invariants.check(self.state)

    # The board, from the state itself

    @property
    def round(self) -> int:
        return int(self.state.round)

    @property
    def first(self) -> int:
        return int(self.state.first)

    @property
    def deck(self) -> dict[int, int]:
        return dict(enumerate(self.state.deck, start=1))

    @property
    def discards(self) -> dict[int, int]:
        return {value: n for value, n in enumerate(self.state.discarded, start=1) if n}

    def home(self, seat: int) -> int:
        return int(self.state.home[seat])

    def hospital(self, seat: int) -> dict[str, int]:
        stations = zip(setup.STATIONS, self.state.hospital, strict=True)
        return {name: station[seat] for name, station in stations if station[seat]}

    def hand(self, seat: int) -> list[int]:
        return list(self.state.hands[seat])

    def pile(self, seat: int) -> list[int]:
        return list(self.state.piles[seat])

    def amulets(self, seat: int) -> int:
        return int(self.state.amulets[seat])

    def field(self, name: str) -> str:
        return setup.letters(self.state.stones[FIELDS.index(name)])

    def vikings(self, field: str) -> dict[int, int]:
        return {seat: n for seat, n in enumerate(self.state.vikings[FIELDS.index(field)]) if n}

    def besiegers(self, space: str) -> list[int]:
        village, engine = space.split(":")
        bits = self.state.sieges[3 * int(village) + list(ENGINES).index(engine)]
        return [seat for seat in range(6) if bits >> seat & 1]

    def walls(self, seat: int) -> dict[int, str]:
        stacks = ("".join(setup.LETTERS[kind] for kind in wall) for wall in self.state.walls[seat])
        return {number: stack for number, stack in enumerate(stacks, start=1) if stack}

    def built(self, seat: int) -> str:
        return "".join(self.walls(seat).values())

    def carried(self, seat: int) -> str:
        return setup.letters(self.state.carried[seat])

    def aside(self, seat: int) -> str:
        return setup.letters(self.state.aside[seat])

    def supply(self, kind: str) -> int:
        return int(self.state.supply[KINDS.index(kind)])

    def stones(self, kind: str) -> int:
        """All stones of a kind, wherever they are."""
        letter = setup.LETTERS[KINDS.index(kind)]
        seats = range(self.state.players)
        lying = "".join(self.field(name) for name in FIELDS)
        owned = "".join(self.built(seat) + self.carried(seat) + self.aside(seat) for seat in seats)
        return self.supply(kind) + (lying + owned).count(letter)

    def seen_piles(self, viewer: int | None) -> dict[int, list[int]]:
        return {seat.seat: list(seat.pile) for seat in self.view(viewer).seats}


def dealt(
    players: int, *, options: dict[str, Any] | None = None, first: int | None = None, material_card: int = 0
) -> Table:
    """A new game at its first placement, all its effects told; cards are counted from 0."""
    state, told = setup.dealt_state(RULES, players, options or {}, first, material_card)
    table = Table.copy(Table.unopened(players, options))
    table.state = state
    table._told = told
    table.check()
    return table
