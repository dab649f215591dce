"""Drakkars by the interface of rules: each call hands over to the phase that the game is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmgang.engine.base import BaseRules
from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import Combat, Reconstructed, Step
from holmgang.engine.teams import partners_across
from holmgang.engine.tuples import put, without
from holmgang.engine.turn import Await, Chance, Seat, Turn

from . import combat, ending, piles, raiding, sailing, setup, views
from .coast import (
    CELLS,
    MOST,
    SEATS,
)
from .effects import AnyEffect
from .guesses import determinize
from .model import (
    TURN_KINDS,
    Action,
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
    Options,
    Pair,
    Play,
    Push,
    ReadyShip,
    Rush,
    Sail,
    State,
    Swap,
)
from .moves import SPACES
from .picture import picture
from .records import DrakkarsCombat
from .render import render
from .story import tell
from .views import View
from .work import Work

GO_ON: Mapping[str, Callable[[Work], None]] = {
    "open": lambda w: setup.choose_first(w, w.d.first_option, "option"),
    "deal": setup.deal,
    "draw": piles.go_on_drawing,
    "go": sailing.go,
    "next": sailing.go_on,
    "arrive": raiding.arrive,
    "act": raiding.act,
    "loot_there": raiding.loot,
    "battle": combat.battle,
}
"""Phases that nobody is asked in: each leads to the next, until one asks a seat or chance, or ends the game."""

CHANCES: Mapping[str, tuple[str, Callable[[State], int], Callable[[Work, int], None]]] = {
    "first_player": ("first_player", lambda s: s.players, lambda w, value: setup.choose_first(w, value, "chance")),
    "pile_coin": ("coin", lambda s: sum(s.bag), setup.lay_coin),
    "first_town": ("town", lambda _s: CELLS, setup.place_first_town),
    "town_card": ("town_card", lambda s: len(setup.unturned(s)), setup.turn_card),
    "card": ("card", lambda s: sum(piles.next_pile(s)), piles.draw_card),
    "bonus_coin": ("coin", lambda s: sum(s.bag), piles.draw_coin),
}
"""Phases that ask chance: the label, how many values there are, and what a value does."""

BY_DEFAULT: Mapping[str, Callable[[Work], None]] = {
    "sail": lambda w: sailing.pass_by(w, defaulted=True),
    "arrival": lambda w: setattr(w.d, "phase", "arrive"),
    "barrel": lambda w: setattr(w.d, "phase", "act"),
    "loot": lambda w: setattr(w.d, "phase", "loot_there"),
}
"""What follows when a seat resigns that is asked: the phases take defaults for those who have gone."""


def _numbers(description: str, default: tuple[int, ...], most: int = MOST) -> dict[str, Any]:
    return {
        "description": description,
        "type": "array",
        "minItems": len(default),
        "maxItems": len(default),
        "items": {"type": "integer", "minimum": 0, "maximum": most},
        "default": list(default),
    }


class Drakkars(BaseRules):
    """The rules of Drakkars. Stateless: one object serves every game."""

    ruleset: str = "drakkars"
    version: str = "1"
    title: str = "Drakkars"
    seat_counts: tuple[int, ...] = SEATS
    turn_kinds: Mapping[str, Any] = TURN_KINDS
    state_type: type = State
    options_type: type[Options] = Options
    view_type: type = View
    effect_type: Any = AnyEffect
    combat_type: type[Combat] = DrakkarsCombat
    reconstructed: tuple[Reconstructed, ...] = (
        Reconstructed("D1.2", "Where the fjords open, and which are used with two, three and four players.", "fjords"),
        Reconstructed("D1.3", "What gold, silver and copper coins are worth.", "coin_worth"),
        Reconstructed("D1.5", "The coins on each deity card.", "card_worth"),
        Reconstructed("D1.7", "What each cell of the loot shield gives.", "shield"),
    )

    view = staticmethod(views.view)
    context = staticmethod(views.context)
    redact = staticmethod(views.redact)
    determinize = staticmethod(determinize)
    render = staticmethod(render)
    picture = staticmethod(picture)
    tell = staticmethod(tell)
    teams = staticmethod(partners_across)

    def initial(self, config: Options) -> State:
        return Work(setup.initial(config)).go_on(GO_ON).state

    def turn(self, state: State) -> Turn:
        if state.awaited:
            return Await(state.turn, state.phase, state.awaited, state.phase == "battle_card")
        if (asked := CHANCES.get(state.phase)) is not None:
            return Chance(state.turn, asked[0], asked[1](state))
        return ending.over(state)

    def canonical(self, seat: Seat, action: Action) -> Action:
        """Cards are sets; ships that exchange places are one, unless both are one's own, which act in order (D5)."""
        if type(action) is Rush:
            return Rush(action.ship, tuple(sorted(action.cards)))
        if type(action) is LootChoice:
            return LootChoice(tuple(sorted(action.cards)))
        if type(action) is Swap and any(ref.seat != seat for ref in action.ships):
            return Swap(tuple(sorted(action.ships, key=lambda ref: (ref.seat, ref.ship))))
        return action

    def moves(self, state: State, seat: Seat) -> MoveSpace[Action]:
        space: MoveSpace[Action] = SPACES[state.phase](state, seat)
        return space

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State, Any]:
        w = Work(state)
        d = w.d
        if type(action) is Play:
            d.sealed = put(d.sealed, seat, action)
            d.awaited = without(d.awaited, seat)
            if not d.awaited:
                d.phase = "battle"
        else:
            d.awaited = ()
            d.phase = "next"
            _PLAYED[type(action)](w, action)
        return w.go_on(GO_ON)

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        w = Work(state)
        CHANCES[state.phase][2](w, value)
        return w.go_on(GO_ON)

    def resign(self, state: State, seat: Seat) -> Step[State, Any]:
        w = Work(state)
        d = w.d
        if d.phase == "over" or d.resigned >> seat & 1:
            return w.step()
        sailing.resign(w, seat)
        left = tuple(s for s in d.awaited if not d.resigned >> s & 1)
        if left != d.awaited:
            d.awaited = left
            if d.phase in BY_DEFAULT:
                BY_DEFAULT[d.phase](w)
            elif not left:
                d.phase = "battle"
        return w.go_on(GO_ON)

    def default(self, state: State, seat: Seat) -> Action:
        kind = state.phase
        if kind == "sail":
            return Draw()
        if kind == "arrival":
            return Push()
        if kind == "barrel":
            return Advance(min(state.values))
        if kind == "battle_card":
            return Play(state.hands[seat][0])
        offer = raiding.Offer(state)
        if offer.count:
            return LootChoice(raiding.highest(offer))
        return LootCoins() if offer.coins else LootCards()


_PLAYED: Mapping[type, Callable[[Work, Any], None]] = {
    Sail: sailing.sail,
    Swap: sailing.swap,
    Back: sailing.back,
    Fog: sailing.hide,
    Pair: sailing.pair,
    Launch: sailing.launch_and_sail,
    Boost: sailing.boost,
    Draw: lambda w, _action: sailing.pass_by(w),
    ReadyShip: lambda w, _action: sailing.ready_ship(w),
    FogCard: sailing.add_fog_card,
    Emerge: sailing.emerge,
    Rush: sailing.rush,
    Push: lambda w, _action: raiding.push(w),
    Attack: lambda w, _action: combat.attack(w),
    Advance: lambda w, action: raiding.advance(w, action.by),
    LootCoins: lambda w, _action: raiding.take_coins(w),
    LootCards: lambda w, _action: raiding.take_cards(w),
    LootChoice: lambda w, action: raiding.take_choice(w, action.cards),
}
