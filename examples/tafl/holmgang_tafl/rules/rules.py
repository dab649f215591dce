"""Tafl by the interface of rules."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any

from msgspec import convert, json, to_builtins
from msgspec.structs import replace

from service.engine.decoding import ActionDecoder
from service.engine.errors import InvalidOption
from service.engine.listed import ListedMoves
from service.engine.misfits import misfit, type_info
from service.engine.open_table import OpenTable, OpenView
from service.engine.rules import Combat, Reconstructed, Step
from service.engine.said import ENGLISH, Tongue
from service.engine.turn import Await, Over, Seat, Turn

from . import board
from .model import ENDS, Config, Effect, Ended, Move, Moved, State, Taken, Terms
from .picture import picture, render

MOST_TURNS = 200
BOTH = (0, 1)
BRANDUBH = {"castle": "king", "free_castle": "hostile", "goal": "corner"}
"""What is usual there, where it is not as in Tablut."""
SCHEMA: dict[str, Any] = json.schema(Terms)["$defs"]["Terms"]
CITED = {name: told["description"].split(": ") for name, told in SCHEMA["properties"].items()}
"""The rule id of each option, and what it is about."""


class Tafl(OpenTable[State]):
    """The rules of Tafl. Stateless: one object serves every game."""

    ruleset: str = "tafl"
    version: str = "1"
    title: str = "Tafl"
    seat_counts: tuple[int, ...] = (2,)
    turn_kinds: Mapping[str, Any] = {"move": Move}
    state_type: type = State
    view_type: type = OpenView[State]
    effect_type: Any = Effect
    combat_type: type[Combat] = Combat
    options_schema: Mapping[str, Any] = SCHEMA
    reconstructed: tuple[Reconstructed, ...] = tuple(
        Reconstructed(rule, option=name) for name, (rule, _) in CITED.items() if name not in ("board", "goal")
    )

    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Config:
        wrong = misfit(options, type_info(Terms))
        if wrong is not None:
            rule = CITED.get(wrong.pointer[1:], ["C1"])[0]
            raise InvalidOption(wrong.pointer, rule, wrong.detail)
        usual = BRANDUBH if options.get("board") == "brandubh" else {}
        return Config(convert({**usual, **options}, Terms))

    def options(self, config: Config) -> dict[str, Any]:
        told: dict[str, Any] = to_builtins(config.terms)
        return told

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        return ((0,), (1,))

    def initial(self, config: Config) -> State:
        setup, mover = board.SETUPS[config.terms.board], int(config.terms.starts == "defenders")
        return State(config.terms, setup, 1, mover, (_digest(setup, mover),), (), "")

    def turn(self, state: State) -> Turn:
        if not state.winners:
            return Await(state.turn, "move", (state.mover,), False)
        drawn = state.winners == BOTH
        ranking = (BOTH,) if drawn else (state.winners, (1 - state.winners[0],))
        return Over((0, 0) if drawn else (1 - state.winners[0], state.winners[0]), ranking, state.reason)

    def moves(self, state: State, seat: Seat) -> ListedMoves[Move]:
        position = state.terms, state.board, seat
        names = board.BOARDS[state.terms.board].names
        return ListedMoves(
            board.moves(*position),
            lambda choice: Move(names[choice[0]], names[choice[1]]),
            lambda action: board.why_not(*position, action.start, action.end),
        )

    def decode(self, kind: str, value: Any) -> Move:
        action: Move = _decode(kind, value)
        return action

    def canonical(self, seat: Seat, action: Move) -> Move:
        return action

    def resolve(self, state: State, value: int) -> Step[State, Effect]:
        raise AssertionError("nothing is left to chance")

    def default(self, state: State, seat: Seat) -> Move:
        return next(iter(self.moves(state, seat)))

    def apply(self, state: State, seat: Seat, action: Move) -> Step[State, Effect]:
        numbers = board.BOARDS[state.terms.board].numbers
        effects: list[Effect] = []
        state = _played(state, numbers[action.start], numbers[action.end], effects)
        return Step(state, tuple(effects))

    def resign(self, state: State, seat: Seat) -> Step[State, Effect]:
        effects: list[Effect] = []
        if not state.winners:
            state = _over(state, "last_seat", (1 - seat,), effects)
        return Step(state, tuple(effects))

    def tell(self, effect: Effect) -> str:
        if isinstance(effect, Moved):
            return f"Seat {effect.seat} moves from {effect.start} to {effect.end}."
        if isinstance(effect, Taken):
            return f"Seat {effect.seat} takes what stands on {' and '.join(effect.points)}."
        won = f"seat {effect.winners[0]} wins" if len(effect.winners) == 1 else "nobody wins"
        return f"The game is over ({effect.rule}): {won}."

    def render(self, view: OpenView[State], tongue: Tongue = ENGLISH) -> str:
        return render(view, tongue)

    def picture(self, view: OpenView[State], theme: str, tongue: Tongue = ENGLISH) -> str:
        return picture(view, theme, tongue)


_decode = ActionDecoder(Tafl.turn_kinds)


def _digest(position: str, mover: Seat) -> str:
    return blake2b(f"{position}{mover}".encode(), digest_size=8).hexdigest()


def _over(state: State, reason: str, winners: tuple[Seat, ...], effects: list[Effect]) -> State:
    effects.append(Ended(reason, ENDS.get(reason, "C7"), winners))
    return replace(state, winners=winners, reason=reason)


def _played(state: State, start: int, end: int, effects: list[Effect]) -> State:
    """A move, and those that follow because there is no other (C3), until somebody is asked or the game is over."""
    terms, forced = state.terms, False
    names = board.BOARDS[terms.board].names
    while True:
        mover, other = state.mover, 1 - state.mover
        position, taken = board.moved(terms, state.board, mover, start, end)
        digest = _digest(position, other)
        seen = (digest,) if taken else (*state.seen, digest)
        effects.append(Moved(mover, names[start], names[end], forced))
        if taken:
            effects.append(Taken(mover, tuple(names[square] for square in taken)))
        state = replace(state, board=position, mover=other, seen=seen)
        following = list(islice(board.moves(terms, position, other), 2))
        if position[end] == board.KING and end in board.goals(terms):
            return _over(state, "king_home", (1,), effects)
        if board.KING not in position:
            return _over(state, "king_taken", (0,), effects)
        if not following:
            return _over(state, "no_moves", (mover,), effects)
        if seen.count(digest) == 3:
            named = {"attackers": (0,), "defenders": (1,)}.get(terms.repetition, BOTH)
            return _over(state, "repetition", named, effects)
        if len(following) > 1:
            if state.turn == MOST_TURNS:
                return _over(state, "turn_limit", BOTH, effects)
            return replace(state, turn=state.turn + 1)
        ((start, end),), forced = following, True
