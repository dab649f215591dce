"""A position of Claim that is played on, with what it led to."""

from __future__ import annotations

from typing import Any

import msgspec

from holmgang.engine.errors import IllegalAction
from holmgang.engine.rules import Step, play
from holmgang.engine.turn import Await, Chance, Over
from holmgang.games.claim.rules.invariants import check
from holmgang.games.claim.rules.island import island, points_of
from holmgang.games.claim.rules.model import State
from holmgang.games.claim.rules.rules import ClaimRules
from tests.languages.checking import check_said

RULES = ClaimRules()


class Game:
    """Keeps all effects and records since it was made."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.effects: list[dict[str, Any]] = []
        self.combats: list[dict[str, Any]] = []
        check(state)

    @classmethod
    def new(cls, players: int, **options: Any) -> Game:
        return cls(RULES.initial(RULES.configure(players, {"first_player": 0, **options})))

    def _take(self, step: Step[Any, Any]) -> None:
        self.state = step.state
        self.effects += [msgspec.to_builtins(e) for e in step.effects]
        self.combats += [msgspec.to_builtins(c) for c in step.combats]
        check(self.state)

    @property
    def turn(self) -> Any:
        return RULES.turn(self.state)

    @property
    def kind(self) -> str:
        turn = self.turn
        return turn.kind if type(turn) is Await else "chance" if type(turn) is Chance else "over"

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        (seat,) = self.turn.seats
        return int(seat)

    @property
    def over(self) -> Over:
        turn = self.turn
        assert type(turn) is Over
        return turn

    def play(self, **action: Any) -> None:
        self._take(play(RULES, self.state, self.seat, RULES.decode(self.kind, action)))

    def move(self, *path: str) -> None:
        self.play(type="move", path=list(path))

    def claim(self, **castles: int) -> None:
        """Territories by the points of their castles."""
        self.play(type="claim", castles=[{"territory": t, "point": point} for point, t in castles.items()])

    def resign(self, seat: int) -> None:
        self._take(RULES.resign(self.state, seat))

    def refusal(self, **action: Any) -> str | None:
        """The rule that forbids an action; None when it is legal."""
        try:
            play(RULES, self.state, self.seat, RULES.decode(self.kind, action))
        except IllegalAction as error:
            check_said(error.detail)
            return error.rule
        return None

    def moves(self) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(action) for action in RULES.moves(self.state, self.seat)]

    def ends(self, start: str) -> set[str]:
        """Where the piece at a point may go."""
        return {m["path"][-1] for m in self.moves() if m["type"] == "move" and m["path"][0] == start}

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [e for e in self.effects if e["type"] == kind]

    def pieces(self, seat: int) -> set[str]:
        land = island(self.state.layout)
        return {land.names[p] for p in points_of(self.state.pieces[seat])}

    def castles(self) -> dict[str, int]:
        """Castles by their points."""
        land = island(self.state.layout)
        return {
            land.names[point]: owner
            for owner, point in zip(self.state.castles, self.state.castle_points, strict=True)
            if owner >= 0
        }

    def set_up(self) -> None:
        """Place and remove by default, up to the first claim or move."""
        while self.kind in ("placement", "removal"):
            action = RULES.default(self.state, self.seat)
            self._take(play(RULES, self.state, self.seat, action))
