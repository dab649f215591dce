"""A tiny game with all that the engine knows: chance, hands, sealed and open turns, combats, resignation, an option.

Each round all play a card in secret; the highest, of equals the lowest seat, then claims one or two points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from holmgang.engine.base import BaseRules
from holmgang.engine.drawing import Canvas
from holmgang.engine.errors import Fault
from holmgang.engine.messages import ENGLISH, Tongue, say
from holmgang.engine.open_table import Result
from holmgang.engine.options import GameOptions, option
from holmgang.engine.rules import Combat, Step
from holmgang.engine.turn import Await, Chance, Over

CARDS, MOST_CARDS, VALUES = 3, 5, 6


class Options(GameOptions, frozen=True, kw_only=True):
    cards: Annotated[int, Meta(ge=1, le=MOST_CARDS), option("T3", "how many cards each has.")] = CARDS


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """T1: a card of one's own."""

    card: Annotated[int, Meta(ge=1, le=VALUES)]


class Claim(Struct, frozen=True, tag="claim", forbid_unknown_fields=True):
    """T2: points for the best card."""

    points: Annotated[int, Meta(ge=1, le=2)]


class Dealt(Struct, frozen=True, tag="dealt"):
    seat: int
    card: int | None


class Revealed(Struct, frozen=True, tag="revealed"):
    cards: tuple[int | None, ...]


class Claimed(Struct, frozen=True, tag="claimed"):
    seat: int
    points: int


class Round(Combat, frozen=True, kw_only=True):
    winner: int


class State(Struct, frozen=True):
    hands: tuple[tuple[int, ...], ...]
    sealed: tuple[int | None, ...]
    scores: tuple[int, ...]
    resigned: tuple[int, ...]
    turn: int
    rounds: int
    winner: int | None
    cards: int


class View(Struct, frozen=True):
    seat: int | None
    phase: str
    asked: tuple[int, ...]
    result: Result | None
    sizes: tuple[int, ...]
    hand: tuple[int, ...] | None
    choice: int | None
    submitted: tuple[int, ...]
    scores: tuple[int, ...]
    resigned: tuple[int, ...]
    turn: int
    rounds: int
    winner: int | None
    cards: int
    extra: int = 0


class Space(Struct, frozen=True):
    legal: tuple[Any, ...]

    def __contains__(self, action: Any) -> bool:
        return action in self.legal

    def __iter__(self) -> Iterator[Any]:
        return iter(self.legal)

    def count(self) -> int:
        return len(self.legal)

    def sample(self, rng: Any) -> Any:
        return self.legal[rng.randrange(len(self.legal))]

    def why_not(self, action: Any) -> Fault | None:
        return None if action in self.legal else Fault("T1", say("That is not one of your moves."))

    def grammar(self) -> dict[str, Any]:
        return {"moves": len(self.legal)}


def with_item(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


change = msgspec.structs.replace


class Toy(BaseRules):
    ruleset, version, title, seat_counts = "toy", "1", "Toy", (2, 3)
    turn_kinds: Mapping[str, Any] = {"play": Play, "claim": Claim}
    state_type, view_type, effect_type, combat_type = State, View, Dealt | Revealed | Claimed, Round
    options_type = Options

    def initial(self, config: Options) -> State:
        seats = config.seats
        return State(((),) * seats, (None,) * seats, (0,) * seats, (), 0, 0, None, config.cards)

    def undealt(self, state: State) -> int | None:
        short = [s for s, hand in enumerate(state.hands) if len(hand) < state.cards]
        return short[0] if state.turn == 0 and short else None

    def staying(self, state: State) -> list[int]:
        return [s for s in range(len(state.hands)) if s not in state.resigned]

    def turn(self, state: State) -> Any:
        if len(self.staying(state)) == 1:
            return self.result(state, "last_seat")
        if self.undealt(state) is not None:
            return Chance(0, "card", VALUES)
        if state.winner is not None:
            return Await(state.turn, "claim", (state.winner,), False)
        if not state.hands[0]:
            return self.result(state, "no_cards")
        owing = tuple(s for s in self.staying(state) if state.sealed[s] is None)
        return Await(max(1, state.turn), "play", owing, True)

    def result(self, state: State, reason: str) -> Over:
        staying = self.staying(state)
        ranked = sorted(range(len(state.hands)), key=lambda s: (s not in staying, -state.scores[s]))
        groups: list[tuple[int, ...]] = []
        for seat in ranked:
            alike = groups and (groups[-1][0] in staying, state.scores[groups[-1][0]]) == (
                seat in staying,
                state.scores[seat],
            )
            groups[-1:] = [(*groups[-1], seat)] if alike else [*groups[-1:], (seat,)]
        return Over(state.scores, tuple(groups), reason)

    def moves(self, state: State, seat: int) -> Space:
        if state.winner is not None:
            return Space((Claim(1), Claim(2)))
        return Space(tuple(Play(card) for card in sorted(set(state.hands[seat]))))

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        if type(action) is Claim:
            scores = with_item(state.scores, seat, state.scores[seat] + action.points)
            done = change(state, scores=scores, winner=None, turn=state.turn + 1)
            combat = Round(number=state.rounds, status="resolved", winner=seat)
            return Step(done, (Claimed(seat, action.points),), (combat,))
        state = change(state, turn=max(1, state.turn), sealed=with_item(state.sealed, seat, action.card))
        return self.reveal(state)

    def reveal(self, state: State) -> Step[State, Any]:
        """Play for those who resigned, and reveal if all are in."""
        sealed = tuple(
            min(state.hands[s]) if card is None and s in state.resigned else card for s, card in enumerate(state.sealed)
        )
        if None in sealed:
            return Step(state, ())
        hands = []
        for hand, card in zip(state.hands, sealed, strict=True):
            place = hand.index(card)
            hands.append(hand[:place] + hand[place + 1 :])
        winner = max(self.staying(state), key=lambda s: (sealed[s], -s))
        rounds = state.rounds + 1
        after = change(
            state,
            hands=tuple(hands),
            sealed=(None,) * len(hands),
            winner=winner,
            rounds=rounds,
            turn=state.turn + 1,
        )
        return Step(after, (Revealed(sealed),), (Round(number=rounds, status="open", winner=winner),))

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        seat = self.undealt(state)
        assert seat is not None
        hands = with_item(state.hands, seat, tuple(sorted((*state.hands[seat], value + 1))))
        return Step(change(state, hands=hands), (Dealt(seat, value + 1),))

    def resign(self, state: State, seat: int) -> Step[State, Any]:
        state = change(state, resigned=tuple(sorted((*state.resigned, seat))))
        if type(self.turn(state)) is Over and state.winner is not None:
            return Step(state, (), (Round(number=state.rounds, status="abandoned", winner=state.winner),))
        if type(turn := self.turn(state)) is not Await or self.undealt(state) is not None:
            return Step(state, ())
        if state.winner == seat:
            return self.apply(state, seat, Claim(1))
        return Step(state, ()) if turn.seats else self.reveal(change(state, turn=max(1, state.turn)))

    def view(self, state: State, seat: int | None) -> View:
        submitted = tuple(s for s, card in enumerate(state.sealed) if card is not None)
        turn, result = self.turn(state), None
        if type(turn) is Over:
            result = Result(turn.ranking[0], turn.scores, turn.ranking, turn.reason)
        return View(
            seat,
            turn.kind if type(turn) is Await else "over" if result else turn.label,
            turn.seats if type(turn) is Await else (),
            result,
            tuple(map(len, state.hands)),
            None if seat is None else state.hands[seat],
            None if seat is None else state.sealed[seat],
            submitted,
            state.scores,
            state.resigned,
            turn.turn if type(turn) is Await else state.turn,
            state.rounds,
            state.winner,
            state.cards,
        )

    def context(self, view: View) -> dict[str, Any]:
        return {"round": view.rounds}

    def redact(self, effect: Any, seat: int | None) -> Any:
        return Dealt(effect.seat, None) if type(effect) is Dealt and effect.seat != seat else effect

    def determinize(self, view: View, rng: Any) -> State:
        hands = [tuple(sorted(1 + rng.randrange(VALUES) for _ in range(size))) for size in view.sizes]
        sealed = [hand[rng.randrange(len(hand))] if s in view.submitted else None for s, hand in enumerate(hands)]
        if view.seat is not None and view.hand is not None:
            hands[view.seat], sealed[view.seat] = view.hand, view.choice
        return State(
            tuple(hands),
            tuple(sealed),
            view.scores,
            view.resigned,
            view.turn,
            view.rounds,
            view.winner,
            view.cards,
        )

    def tell(self, effect: Any) -> str:
        if type(effect) is Dealt:
            return f"Seat {effect.seat} is dealt {effect.card or 'a card'}."
        if type(effect) is Revealed:
            played = [f"seat {seat} {card}" for seat, card in enumerate(effect.cards) if card is not None]
            return f"All show their cards: {', '.join(played)}."
        return f"Seat {effect.seat} claims {effect.points}."

    def render(self, view: View, tongue: Tongue = ENGLISH) -> str:
        told = [f"seat {seat}: {score} points, {view.sizes[seat]} cards" for seat, score in enumerate(view.scores)]
        return "\n".join(told if view.hand is None else [*told, f"your hand: {' '.join(map(str, view.hand))}"])

    def picture(self, view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
        return Canvas(tongue).document(10, "Toy", self.render(view, tongue), theme)
