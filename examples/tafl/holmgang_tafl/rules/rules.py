"""Tafl by the interface of rules."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holmgang.engine.listed import ListedMoves
from holmgang.engine.open_table import OpenTable
from holmgang.engine.rules import Reconstructed, Step
from holmgang.engine.turn import Await, Over, Seat, Turn

from . import board
from .model import ENDS, TURN_KINDS, Effect, Ended, Move, Moved, State, Taken, Terms
from .picture import picture, render

MOST_TURNS, BOTH = 200, (0, 1)
DOUBTFUL = {"T1.2": "starts", "T2.2": "castle", "T3.2": "king", "T3.3": "free_castle", "T3.5": "taken_by",
            "T4.1": "goal", "T4.4": "repetition"}  # fmt: skip
"""What neither game settles: rules, and the options that decide them otherwise."""
BRANDUBH = {"castle": "king", "free_castle": "hostile", "goal": "corner"}
"""What is usual there, and not in Tablut."""


class Tafl(OpenTable[State]):
    """The rules of Tafl. Stateless: one object serves every game."""

    ruleset, title, seat_counts, turn_kinds = "tafl", "Tafl", (2,), TURN_KINDS
    state_type, options_type, effect_type = State, Terms, Effect
    reconstructed = tuple(Reconstructed(rule, option=name) for rule, name in DOUBTFUL.items())
    render, picture = staticmethod(render), staticmethod(picture)

    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Terms:
        usual = BRANDUBH if options.get("board") == "brandubh" else {}
        terms: Terms = super().configure(seats, {**usual, **options}, new=new)
        return terms

    def initial(self, config: Terms) -> State:
        setup, mover = board.SETUPS[config.board], int(config.starts == "defenders")
        return State(config, setup, 1, mover, (_digest(setup, mover),), (), "")

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
