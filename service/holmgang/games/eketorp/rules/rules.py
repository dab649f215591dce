"""Eketorp by the interface of rules: each call hands over to the phase that the game is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from holmgang.engine.base import BaseRules
from holmgang.engine.rules import Combat, Reconstructed, Step
from holmgang.engine.tuples import put, without
from holmgang.engine.turn import Await, Seat, Turn

from . import building, combat, rounds, views
from .board import KINDS, SEATS, SPACE_NUMBERS
from .effects import AnyEffect, EketorpCombat, SeatResigned
from .model import (
    TURN_KINDS,
    Action,
    Besiege,
    Build,
    Decline,
    Exchange,
    FightAction,
    Loot,
    Options,
    Place,
    Play,
    Stand,
    State,
    Take,
)
from .moves import moves
from .picture import picture
from .render import render
from .scoring import over
from .story import tell
from .views import View
from .work import Work

if TYPE_CHECKING:
    from msgspec import Struct

GO_ON: Mapping[str, Callable[[Work], None]] = {
    "reveal": rounds.reveal_placements,
    "choose": combat.choose,
    "swap": combat.swap,
    "clash": combat.clash,
    "battle": combat.battle,
    "spoil": building.spoil,
    "raise": building.raise_walls,
    "close": rounds.close,
}
"""Phases that nobody is asked in: each leads to the next, until one asks a seat or chance, or ends the game."""

AFTER_SEALED = {"placement": "reveal", "battle_card": "battle", "building": "raise"}


class Eketorp(BaseRules):
    """The rules of Eketorp. Stateless: one object serves every game."""

    ruleset: str = "eketorp"
    version: str = "1"
    title: str = "Eketorp"
    seat_counts: tuple[int, ...] = SEATS
    turn_kinds: Mapping[str, Any] = TURN_KINDS
    state_type: type = State
    options_type: type[Options] = Options
    view_type: type = View
    effect_type: Any = AnyEffect
    combat_type: type[Combat] = EketorpCombat
    reconstructed: tuple[Reconstructed, ...] = (
        Reconstructed(
            "E1.5",
            "The material cards. The rulebook prints only the totals of one; these are built so that the ten most"
            " demanding need exactly the stones in the box.",
            "material_cards",
        ),
    )

    initial = staticmethod(rounds.initial)
    view = staticmethod(views.view)
    context = staticmethod(views.context)
    redact = staticmethod(views.redact)
    determinize = staticmethod(views.determinize)
    render = staticmethod(render)
    picture = staticmethod(picture)
    tell = staticmethod(tell)
    moves = staticmethod(moves)

    def turn(self, state: State) -> Turn:
        if state.awaited:
            return Await(state.turn, state.phase, state.awaited, state.phase in AFTER_SEALED)
        return rounds.chance(state) or over(state)

    def canonical(self, seat: Seat, action: Action) -> Action:
        if type(action) is Place:
            return Place(action.fields, tuple(sorted(action.sieges)))
        if type(action) is Build:
            return Build(tuple(sorted(action.stones, key=lambda laid: laid.wall)))
        return action

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State, Any]:
        w = Work(state)
        d = w.d
        if (after := AFTER_SEALED.get(d.phase)) is None:
            d.awaited = ()
            _PLAYED[type(action)](w, action)
        else:
            d.sealed = put(d.sealed, seat, action)
            d.awaited = without(d.awaited, seat)
            if not d.awaited:
                d.phase = after
        return w.go_on(GO_ON)

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        w = Work(state)
        d = w.d
        if d.drawing:
            rounds.draw_card(w, value)
            if not d.drawing:
                (combat.exchanged if d.phase == "draw" else rounds.dealt)(w)
        elif d.phase == "first_player":
            rounds.choose_first(w, value, "chance")
        else:
            rounds.reveal_material(w, value)
        return w.go_on(GO_ON)

    def resign(self, state: State, seat: Seat) -> Step[State, Any]:
        w = Work(state)
        d = w.d
        if d.phase == "over" or d.resigned >> seat & 1:
            return w.step()
        d.resigned |= 1 << seat
        w.effects.append(SeatResigned(seat=seat))
        if d.players - d.resigned.bit_count() == 1:
            rounds.end(w, "last_seat")
            return w.step()
        if seat in d.awaited:
            kind = d.phase
            d.awaited = without(d.awaited, seat)
            if kind in AFTER_SEALED:
                if not d.awaited:
                    d.phase = AFTER_SEALED[kind]
            else:
                _DEFAULTED[kind](w)
        return w.go_on(GO_ON)

    def default(self, state: State, seat: Seat) -> Action:
        kind = state.phase
        if kind == "placement":
            return Place(fields={}, sieges=())
        if kind == "amulets":
            return Stand()
        if kind == "battle_card":
            return Play(card=state.hands[seat][0])
        if kind == "loot":
            return Decline()
        if kind == "building":
            return Build(stones=building.by_default(state.walls[seat], state.carried[seat]))
        options: list[Action] = list(moves(state, seat))
        return options[-1] if kind == "spoils" else options[0]


def _fight(w: Work, action: FightAction) -> None:
    combat.start(w, w.d.chooser, SPACE_NUMBERS[action.space], action.against)


def _besiege(w: Work, action: Besiege) -> None:
    combat.start(w, w.d.chooser, SPACE_NUMBERS[action.space], combat.BESIEGE)


_PLAYED: Mapping[type[Struct], Callable[[Work, Any], None]] = {
    FightAction: _fight,
    Besiege: _besiege,
    Exchange: lambda w, _action: combat.exchange(w),
    Stand: lambda w, action: combat.stand(w, until=action.until),
    Loot: combat.loot,
    Decline: lambda w, _action: combat.decline(w),
    Take: lambda w, action: building.take(w, KINDS.index(action.stone)),
}
_DEFAULTED: Mapping[str, Callable[[Work], None]] = {
    "initiative": lambda w: combat.start(w, w.d.chooser, *combat.starts(w.d, w.d.chooser)[0], "defaulted"),
    "amulets": lambda w: combat.stand(w, defaulted=True),
    "loot": lambda w: combat.decline(w, defaulted=True),
    "spoils": lambda w: setattr(w.d, "phase", "spoil"),
}
