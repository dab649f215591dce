"""Claim by the interface of rules: each call hands over to the phase that the game is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmgang.engine.base import BaseRules
from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import Combat, Reconstructed, Step
from holmgang.engine.teams import partners_across
from holmgang.engine.turn import Await, Chance, Seat, Turn

from . import battle, claims, ending, setup, views
from .effects import AnyEffect, ClaimCombat
from .island import SEATS, island, points_of
from .model import TURN_KINDS, Action, Castle, Claim, Move, Options, Place, Remove, State, Stop
from .moves import SPACES
from .picture import picture
from .render import render
from .story import tell
from .views import View
from .work import Work, occupied

GO_ON: Mapping[str, Callable[[Work], None]] = {
    "open": lambda w: setup.choose_first(w, w.d.first_option, "option"),
    "lay": setup.lay,
    "cull": setup.cull,
    "stake_first": claims.stake_first,
    "begin": battle.begin,
    "march": battle.march,
    "castles": battle.castles,
    "hunt": battle.hunt,
}
"""Phases that nobody is asked in: each leads to the next, until one asks a seat or chance, or ends the game."""


class ClaimRules(BaseRules):
    """The rules of Claim. Stateless: one object serves every game."""

    ruleset: str = "claim"
    version: str = "1"
    title: str = "Claim"
    seat_counts: tuple[int, ...] = SEATS
    turn_kinds: Mapping[str, Any] = TURN_KINDS
    state_type: type = State
    options_type: type[Options] = Options
    view_type: type = View
    effect_type: Any = AnyEffect
    combat_type: type[Combat] = ClaimCombat
    reconstructed: tuple[Reconstructed, ...] = (
        Reconstructed("K1.2", "The outlines of the island's parts: a double has 6x4 points, a single 3x4.", "layout"),
    )

    view = staticmethod(views.view)
    context = staticmethod(views.context)
    redact = staticmethod(views.redact)
    determinize = staticmethod(views.determinize)
    render = staticmethod(render)
    picture = staticmethod(picture)
    tell = staticmethod(tell)
    teams = staticmethod(partners_across)

    def initial(self, config: Options) -> State:
        return Work(setup.initial(config)).go_on(GO_ON).state

    def turn(self, state: State) -> Turn:
        if state.awaited:
            return Await(state.turn, state.phase, state.awaited, False)
        if state.phase == "first_player":
            return Chance(state.turn, "first_player", state.players)
        return ending.over(state)

    def canonical(self, seat: Seat, action: Action) -> Action:
        """Paths with the same ends are the same; points and castles are sets."""
        if type(action) is Move:
            return Move(path=(action.path[0], action.path[-1]))
        if type(action) is Claim:
            return Claim(castles=tuple(sorted(action.castles, key=lambda stake: stake.territory)))
        if type(action) is Place:
            return Place(points=tuple(sorted(action.points)))
        if type(action) is Remove:
            return Remove(points=tuple(sorted(action.points)))
        return action

    def moves(self, state: State, seat: Seat) -> MoveSpace[Action]:
        space: MoveSpace[Action] = SPACES[state.phase](state, seat)
        return space

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State, Any]:
        w = Work(state)
        w.d.awaited = ()
        _PLAYED[type(action)](w, action)
        return w.go_on(GO_ON)

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        w = Work(state)
        setup.choose_first(w, value, "chance")
        return w.go_on(GO_ON)

    def resign(self, state: State, seat: Seat) -> Step[State, Any]:
        w = Work(state)
        if w.d.phase == "over" or ending.gone(state, seat):
            return w.step()
        battle.resign(w, seat)
        return w.go_on(GO_ON)

    def default(self, state: State, seat: Seat) -> Action:
        land = island(state.layout)
        kind = state.phase
        if kind == "placement":
            free = list(points_of(land.whole & ~occupied(state)))[:2]
            return Place(points=tuple(land.names[p] for p in free))
        if kind == "removal":
            return Remove(points=tuple(land.names[p] for p in next(setup.removals(state, seat))))
        if kind == "claim":
            return Claim(castles=())
        if kind == "castle":
            return Castle(point=land.names[min(battle.castle_points(land, state))])
        if kind == "chase":
            return Stop()
        return Move(path=tuple(land.names[p] for p in battle.default_move(land, state, seat)))


def _numbers(w: Work, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(w.land.numbers[name] for name in names)


_PLAYED: Mapping[type, Callable[[Work, Any], None]] = {
    Place: lambda w, action: setup.place(w, list(_numbers(w, action.points))),
    Remove: lambda w, action: setup.remove(w, _numbers(w, action.points)),
    Claim: lambda w, action: claims.claim(w, action.castles),
    Move: lambda w, action: battle.move(w, _numbers(w, action.path)),
    Castle: lambda w, action: battle.put_castle(w, w.land.numbers[action.point]),
    Stop: lambda w, _action: battle.stop(w),
}
