"""The toy game, broken in one small way for each law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from holmgang.engine.drawing import Canvas
from holmgang.engine.errors import Fault
from holmgang.engine.messages import ENGLISH, Tongue
from holmgang.engine.options import option
from holmgang.engine.rules import Reconstructed, Step
from holmgang.engine.turn import Await, Over
from tests.games.toy.laws import ToyLaws
from tests.games.toy.rules.toy import Claim, Dealt, Options, Play, Space, State, Toy, View, change


class WithoutTeams(Toy):
    teams = None  # type: ignore[assignment]


class OtherView(Toy):
    def view(self, state: State) -> View:  # type: ignore[override]
        return super().view(state, None)


class OneAlone(Toy):
    seat_counts = (1, 2)


class LoosePlay(Struct, frozen=True, tag="play"):
    card: int


class LooseActions(Toy):
    turn_kinds: Mapping[str, Any] = {"play": LoosePlay, "claim": Claim}


class UnknownRule(Toy):
    reconstructed = (Reconstructed("T99", "how cards are dealt"),)


class AnyOption(Toy):
    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Options:
        return Options(seats=seats, cards=options.get("cards", 3))


class OtherDefault(Toy):
    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Options:
        taken: Options = super().configure(seats, {"cards": 2, **options}, new=new)
        return taken


class AnyShape(Toy):
    def decode(self, kind: str, value: Any) -> Any:
        return Play(1) if kind == "play" else Claim(1)


class Endless(Toy):
    """Deals new cards after each round."""

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        if type(action) is not Claim:
            return step
        return Step(change(step.state, hands=((1, 2, 3),) * len(state.hands)), step.effects, step.combats)


class Stumbling(Toy):
    """Fails at a claim of two points."""

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        if type(action) is Claim:
            return super().apply(state, seat, (None, action)[2 - action.points])
        return super().apply(state, seat, action)


class Moody(Toy):
    """Tells another number of points each time."""

    told = 0

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        self.told += 1
        step = super().apply(state, seat, action)
        return Step(step.state, (*step.effects, Dealt(seat, self.told)), step.combats)


class ByHashes(Toy):
    """The order of a set says who claims."""

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        if step.state.winner is None:
            return step
        first = next(iter({f"seat {s}" for s in range(len(state.hands))}))
        return Step(change(step.state, winner=int(first[-1])), step.effects, step.combats)


class Uncited(Toy):
    def moves(self, state: State, seat: int) -> Space:
        class Mute(Space, frozen=True):
            def why_not(self, action: Any) -> Fault | None:
                return None if action in self.legal else Fault("T99", "no")  # type: ignore[arg-type]

        return Mute(super().moves(state, seat).legal)


class ListedContext(Toy):
    def context(self, view: View) -> Any:
        return [view.rounds]


class Speechless(Toy):
    def tell(self, effect: Any) -> str:
        return "" if type(effect) is Dealt and effect.card is None else super().tell(effect)


class OwnHandsOnly(Toy):
    """Shows no table to spectators."""

    def render(self, view: View, tongue: Tongue = ENGLISH) -> str:
        return " ".join(map(str, view.hand))  # type: ignore[arg-type]

    def picture(self, view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
        return Canvas(tongue).document(10, "Toy", "a table", theme)


class Scripted(Toy):
    def picture(self, view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
        return super().picture(view, theme, tongue).replace("</svg>", "<script>alert(1)</script></svg>")


class Hanging(Toy):
    """Draws for ever once somebody has claimed."""

    def picture(self, view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
        while sum(view.scores):
            pass
        return super().picture(view, theme, tongue)


class GreedyForMore:
    """A judge that claims three points."""

    def choose(self, rules: Any, state: State, seat: int, rng: Any) -> Any:
        return Claim(3) if state.winner is not None else Play(max(state.hands[seat]))

    def value(self, state: State, seat: int) -> float:
        return 0.5


class Faceless:
    """A face that knows no rule for what it asks."""

    rule_of: ClassVar[dict[str, str]] = {}
    boards_at: frozenset[str] = frozenset()

    def board(self, view: View, people: Any) -> str:
        return "a table"


class FirstWordOnly:
    """A language in which the first of the legal actions alone can be said."""

    words = ("only",)

    def __init__(self, rules: Any, config: Any) -> None:
        pass

    def spelling(self, view: View, space: Space) -> FirstWordOnly:
        self.only = space.legal[0]
        return self

    def following(self, written: tuple[int, ...]) -> tuple[int, ...]:
        return () if written else (0,)

    def action(self, written: tuple[int, ...]) -> Any:
        return self.only if written else None


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


class LeakyResignation(Toy):
    """Who resigns shows their hand."""

    def resign(self, state: State, seat: int) -> Step[State, Any]:
        step = super().resign(state, seat)
        return Step(step.state, (Dealt(9, sum(state.hands[seat])), *step.effects), step.combats)

    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect if type(effect) is Dealt and effect.seat == 9 else super().redact(effect, seat)


class OpenDealing(Toy):
    """Everybody is told who gets which card, and sees no hand but their own."""

    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect


class OpenChoosing(Toy):
    """A sealed choice is told at once."""

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        step = super().apply(state, seat, action)
        return step if step.effects else Step(step.state, (Dealt(9, action.card),))

    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect if type(effect) is Dealt and effect.seat == 9 else super().redact(effect, seat)


class CardsFromNowhere(Toy):
    """States that are drawn hold cards that there are not."""

    def determinize(self, view: View, rng: Any) -> State:
        state = super().determinize(view, rng)
        hands = tuple(hand if seat == view.seat else (9,) * len(hand) for seat, hand in enumerate(state.hands))
        return change(state, hands=hands)


class UnknownRuleOptions(Options, frozen=True, kw_only=True):
    cards: Annotated[int, Meta(ge=1, le=5), option("T99", "how many cards each has.")] = 3


class UnknownRuleOfOption(Toy):
    options_type = UnknownRuleOptions


class NoMostCards(Toy):
    """Five cards are allowed, and cannot be dealt."""

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        assert max(map(len, state.hands)) < 4
        return super().resolve(state, value)


class SetsOfNames(Toy):
    """The first of a few names in a set, which often is the same for two hash seeds."""

    def resolve(self, state: State, value: int) -> Step[State, Any]:
        return super().resolve(state, {"Ask": 0, "Embla": 1}[next(iter({"Ask", "Embla"}))])


class NoBeginning(Toy):
    def initial(self, config: Options) -> State:
        raise KeyError("no beginning")


class RevealsUnknown(ToyLaws):
    reveals = frozenset({"revealed"})


class DroppedEffect(Toy):
    def redact(self, effect: Any, seat: int | None) -> Any:
        return None if type(effect) is Dealt and effect.seat != seat else effect


class TellingSpectators(Toy):
    def redact(self, effect: Any, seat: int | None) -> Any:
        return effect if seat is None else super().redact(effect, seat)


class LostInDrawing(Toy):
    """States drawn from a spectator's view show them other points."""

    def determinize(self, view: View, rng: Any) -> State:
        state = super().determinize(view, rng)
        return change(state, rounds=rng.randrange(99)) if view.seat is None else state
