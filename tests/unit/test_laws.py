"""The laws of the engine notice a game that breaks them: one small break of a sound game for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from service.checking import hidden
from service.checking import playing as laws
from service.checking.walks import Walk, walk
from service.engine.errors import IllegalAction
from service.engine.rules import Step
from service.engine.turn import Await, Over
from tests.games.toy.rules.toy import Claim, Dealt, Play, Revealed, Space, State, Toy, View, change

Law = Callable[[Walk], object]


def rng() -> random.Random:
    return random.Random(9)


def reveals(effect: Any) -> bool:
    return type(effect) is Revealed


LAWS: dict[str, Law] = {
    "play_ends": laws.play_ends,
    "turns_count_up": laws.turns_count_up,
    "values_round_trip": laws.values_round_trip,
    "log_replays": laws.log_replays,
    "samples_are_legal": lambda game: laws.samples_are_legal(game, rng()),
    "iteration_agrees": laws.iteration_agrees,
    "sampling_reaches_all": lambda game: laws.sampling_reaches_all(game, rng()),
    "sealed_order_is_free": lambda game: laws.sealed_order_is_free(game, rng()),
    "resignation_is_safe": lambda game: laws.resignation_is_safe(game, rng()),
    "last_seat_wins": lambda game: laws.last_seat_wins(game, rng()),
    "combats_are_numbered": laws.combats_are_numbered,
    "determinized_fit": lambda game: hidden.determinized_fit(game, random.Random),
    "redaction_keeps_effects": hidden.redaction_keeps_effects,
    "spectators_know_least": lambda game: hidden.spectators_know_least(game, random.Random),
    "hidden_things_do_not_show": lambda game: hidden.hidden_things_do_not_show(game, random.Random, reveals),
}


class ShortScores(Toy):
    def result(self, state: State, reason: str) -> Over:
        over = super().result(state, reason)
        return Over(over.scores[1:], over.ranking, reason)


class StandingTurns(Toy):
    def turn(self, state: State) -> Any:
        turn = super().turn(state)
        return Await(1, turn.kind, turn.seats, turn.sealed) if type(turn) is Await else turn


class RestlessForms(Toy):
    def canonical(self, seat: int, action: Any) -> Any:
        return Play(action.card + 1) if type(action) is Play else action


class Forgetful(Toy):
    """Gives other hands than the log tells."""

    dealt = 0

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        self.dealt += 1
        return super().resolve(state, (value + self.dealt // 5) % 6)


class WrongDefault(Toy):
    def default(self, state: State, seat: int) -> Any:
        return Play(7)


class Miscounted(Toy):
    def moves(self, state: State, seat: int) -> Space:
        class Larger(Space, frozen=True):
            def count(self) -> int:
                return len(self.legal) + 1

        return Larger(super().moves(state, seat).legal)


class Narrow(Toy):
    def moves(self, state: State, seat: int) -> Space:
        class First(Space, frozen=True):
            def sample(self, rng: Any) -> Any:
                return self.legal[0]

        return First(super().moves(state, seat).legal)


class FirstComeFirst(Toy):
    """Of equal cards the last one in wins."""

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        if type(action) is Claim or step.state.winner is None:
            return step
        return Step(change(step.state, winner=seat), step.effects, step.combats)


class ResignedWinner(Toy):
    def result(self, state: State, reason: str) -> Over:
        if reason == "last_seat" or not state.resigned:
            return super().result(state, reason)
        rest = tuple(s for s in range(len(state.hands)) if s != state.resigned[0])
        return Over(state.scores, (state.resigned[:1], rest), reason)


class LastSeatLoses(Toy):
    def result(self, state: State, reason: str) -> Over:
        over = super().result(state, reason)
        return Over(over.scores, over.ranking[::-1], reason) if reason == "last_seat" else over


class GappyNumbers(Toy):
    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        return Step(step.state, step.effects, tuple(change(c, number=2 * c.number) for c in step.combats))


class NeverResolved(Toy):
    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        return Step(step.state, step.effects, tuple(change(c, status="open") for c in step.combats))


class LeakyView(Toy):
    def view(self, state: State, seat: int | None) -> View:
        return change(super().view(state, seat), extra=sum(map(sum, state.hands)))


class LeakyMoves(Toy):
    def moves(self, state: State, seat: int) -> Space:
        total = sum(map(sum, state.hands))

        class Telling(Space, frozen=True):
            def grammar(self) -> dict[str, Any]:
                return {"total": total}

        return Telling(super().moves(state, seat).legal)


class LeakyStep(Toy):
    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        told = (Dealt(seat, None), *(Dealt(9, sum(hand)) for hand in state.hands))
        return Step(step.state, step.effects + told, step.combats) if type(action) is Claim else step

    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect if type(effect) is Dealt and effect.seat == 9 else super().redact(effect, seat)


class DroppedEffect(Toy):
    def redact(self, effect: Any, seat: int | None) -> Any:
        return None if type(effect) is Dealt and effect.seat != seat else effect


class TellingSpectators(Toy):
    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect if seat is None else super().redact(effect, seat)


class LostInDrawing(Toy):
    """States drawn from a spectator's view show him other points."""

    def determinize(self, view: View, rng: Any) -> State:
        state = super().determinize(view, rng)
        return change(state, rounds=rng.randrange(99)) if view.seat is None else state


BREAKS: list[tuple[type[Toy], str]] = [
    (ShortScores, "play_ends"),
    (StandingTurns, "turns_count_up"),
    (RestlessForms, "values_round_trip"),
    (Forgetful, "log_replays"),
    (WrongDefault, "samples_are_legal"),
    (Miscounted, "iteration_agrees"),
    (Narrow, "sampling_reaches_all"),
    (FirstComeFirst, "sealed_order_is_free"),
    (ResignedWinner, "resignation_is_safe"),
    (LastSeatLoses, "last_seat_wins"),
    (GappyNumbers, "combats_are_numbered"),
    (NeverResolved, "combats_are_numbered"),
    (LeakyView, "determinized_fit"),
    (LeakyView, "hidden_things_do_not_show"),
    (LeakyMoves, "hidden_things_do_not_show"),
    (LeakyStep, "hidden_things_do_not_show"),
    (DroppedEffect, "redaction_keeps_effects"),
    (TellingSpectators, "redaction_keeps_effects"),
    (LostInDrawing, "spectators_know_least"),
]


def game_of(rules: Any, seed: int = 3, resigning: float = 0.0) -> Walk:
    return walk(rules, rules.configure(3, {}), random.Random(seed), resigning=resigning)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(6))
def test_a_sound_game_keeps_the_law(law: str, seed: int) -> None:
    LAWS[law](game_of(Toy(), seed, resigning=0.1 if seed % 2 else 0.0))


@pytest.mark.parametrize(("broken", "law"), BREAKS, ids=[f"{law}-{broken.__name__}" for broken, law in BREAKS])
def test_a_broken_game_is_noticed(broken: type[Toy], law: str) -> None:
    game = game_of(broken())
    with pytest.raises((AssertionError, IllegalAction)):
        LAWS[law](game)


def test_every_law_is_broken_once() -> None:
    assert {law for _, law in BREAKS} == set(LAWS)


def test_a_game_without_end_is_noticed() -> None:
    class Endless(Toy):
        def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
            step = super().apply(state, seat, action)
            return Step(change(step.state, hands=((1, 2, 3),) * 3), step.effects, step.combats)

    endless: Any = Endless()
    with pytest.raises(AssertionError, match="did not end"):
        walk(endless, endless.configure(3, {}), rng(), most=500)
