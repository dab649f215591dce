"""A game that says of itself only what must be said: all else is made of its values."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Annotated, Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from holmgang.checking import hidden, playing
from holmgang.checking.walks import Walk, walk
from holmgang.engine.base import BaseRules
from holmgang.engine.effects import Effect, SeatResigned
from holmgang.engine.errors import Fault, IllegalAction, MalformedAction
from holmgang.engine.legal import legal
from holmgang.engine.listed import ListedMoves
from holmgang.engine.messages import ENGLISH, say
from holmgang.engine.open_table import OpenTable, OpenView
from holmgang.engine.rules import AnyRules, Combat, Step, play
from holmgang.engine.turn import Await, Over, Turn


class Mark(Struct, frozen=True, tag="mark", forbid_unknown_fields=True):
    """A cell of the board."""

    row: Annotated[int, Meta(ge=0, le=2)]
    column: Annotated[int, Meta(ge=0, le=2)]


class Marked(Effect, frozen=True, tag="cell_marked"):
    seat: int
    cell: tuple[int, int]


class State(Struct, frozen=True):
    board: tuple[str, str, str]
    turn: int
    resigned: int | None


class Rows(OpenTable[State]):
    """Who marks the last cell of a row wins."""

    ruleset, title = "rows", "Rows"
    seat_counts: tuple[int, ...] = (2,)
    turn_kinds: Mapping[str, Any] = {"mark": Mark}
    state_type: type = State
    effect_type: Any = Marked | SeatResigned

    def initial(self, config: Any) -> State:
        return State(("...",) * 3, 1, None)

    def turn(self, state: State) -> Turn:
        mover = (state.turn - 1) % 2
        if state.resigned is not None:
            return self._won(1 - state.resigned, "last_seat")
        if any("." not in row for row in state.board):
            return self._won(1 - mover, "row")
        return Await(state.turn, "mark", (mover,), False)

    def _won(self, seat: int, reason: str) -> Over:
        return Over((int(seat == 0), int(seat == 1)), ((seat,), (1 - seat,)), reason)

    def moves(self, state: State, seat: int) -> ListedMoves[Mark]:
        free = [(r, c) for r in range(3) for c in range(3) if state.board[r][c] == "."]
        taken = Fault("R1", say("The cell is marked already."))
        return ListedMoves(free, lambda at: Mark(*at), lambda mark: None if (mark.row, mark.column) in free else taken)

    def apply(self, state: State, seat: int, action: Mark) -> Step[State, Any]:
        rows = list(state.board)
        row = rows[action.row]
        rows[action.row] = f"{row[: action.column]}{'xo'[seat]}{row[action.column + 1 :]}"
        done = replace(state, board=tuple(rows), turn=state.turn + 1)
        return Step(done, (Marked(seat=seat, cell=(action.row, action.column)),))


RULES = Rows()
AS_RULES: AnyRules = RULES


def played(seed: int, resigning: float = 0.0) -> Walk:
    return walk(RULES, RULES.configure(2, {}), random.Random(seed), resigning=resigning)


@pytest.mark.parametrize("seed", range(12))
def test_it_keeps_the_laws(seed: int) -> None:
    game = played(seed, 0.1 if seed % 2 else 0.0)
    for law in (
        playing.play_ends,
        playing.turns_count_up,
        playing.values_round_trip,
        playing.log_replays,
        playing.iteration_agrees,
    ):
        law(game)
    playing.resignation_is_safe(game, random.Random(seed))
    playing.last_seat_wins(game, random.Random(seed))
    playing.samples_are_legal(game, random.Random(seed))
    hidden.determinized_fit(game, random.Random)


def test_it_says_of_itself_what_the_house_asks() -> None:
    config = RULES.configure(2, {})
    assert (RULES.version, RULES.reconstructed, RULES.teams(3)) == ("1", (), ((0,), (1,), (2,)))
    assert (RULES.combat_type, RULES.view_type) == (Combat, OpenView[State])
    assert (config.seats, RULES.options(config)) == (2, {})
    assert RULES.options_schema == {"type": "object", "additionalProperties": False, "properties": {}}
    view = RULES.view(RULES.initial(config), 0)
    assert RULES.context(view) == {}
    assert msgspec.json.schema(RULES.effect_type)
    with pytest.raises(AssertionError, match="nothing to chance"):
        RULES.resolve(RULES.initial(config), 0)


def test_actions_are_read_by_the_types_of_their_turn() -> None:
    assert RULES.decode("mark", {"type": "mark", "row": 1, "column": 2.0}) == Mark(1, 2)
    with pytest.raises(MalformedAction, match="'row' must be a whole number from 0 to 2, not 3"):
        RULES.decode("mark", {"type": "mark", "row": 3, "column": 0})
    assert RULES.canonical(0, Mark(1, 2)) == Mark(1, 2)


def test_the_first_legal_action_is_the_default() -> None:
    state = State(("x.o", "...", "..."), 3, None)
    assert RULES.default(state, 0) == Mark(0, 1)
    assert legal(RULES, "mark", RULES.moves(state, 0), random.Random(0)).count == 7


def test_c7_of_two_the_other_wins_when_one_resigns_and_only_once() -> None:
    step = RULES.resign(RULES.initial(RULES.configure(2, {})), 0)
    over = RULES.turn(step.state)
    assert isinstance(over, Over)
    assert (over.ranking, over.reason, step.effects) == (((1,), (0,)), "last_seat", (SeatResigned(seat=0),))
    assert RULES.resign(step.state, 1) == Step(step.state, ())


def test_a_game_of_more_seats_says_itself_what_a_resignation_does() -> None:
    class Three(Rows):
        title = "Three"
        seat_counts = (2, 3)

    three = Three()
    with pytest.raises(AssertionError, match="Three has its own way to resign"):
        three.resign(three.initial(three.configure(3, {})), 0)


def test_who_leaves_out_how_it_is_played_is_told_what_is_missing() -> None:
    class Half(BaseRules):
        def turn(self, state: Any) -> Turn:
            raise AssertionError

    with pytest.raises(TypeError, match=r"apply.*determinize.*initial.*moves.*redact.*view"):
        Half()  # type: ignore[abstract]  # which is what is tried


def test_effects_are_told_by_their_names_and_fields() -> None:
    assert RULES.tell(Marked(seat=1, cell=(0, 2))) == "Cell marked: seat 1, cell 0 2."
    assert RULES.tell(SeatResigned(seat=0)) == "Seat resigned: seat 0."


def test_the_board_is_text_and_a_picture() -> None:
    view = RULES.view(State(("x.o", ".x.", "..."), 4, None), 1)
    assert RULES.render(view).split("\n") == [
        "Rows",
        "Turn 4, mark: seat 1 to choose.",
        "board:",
        "  x . o",
        "  . x .",
        "  . . .",
    ]
    drawn = ElementTree.fromstring(RULES.picture(view, "light"))
    cells = [e for e in drawn.iter("{http://www.w3.org/2000/svg}rect") if e.get("class") == "f-panel s-line"]
    assert len(cells) == 9
    assert RULES.picture(view, "light", ENGLISH) == RULES.picture(view, "light")


def test_the_end_is_told_with_who_won_and_why() -> None:
    over = State(("xox", "...", "..."), 4, None)
    assert "Seat 0 won (row). Points: seat 0 1, seat 1 0." in RULES.render(RULES.view(over, None))


def test_a_refusal_names_the_rule() -> None:
    with pytest.raises(IllegalAction, match="R1"):
        play(RULES, State(("x..", "...", "..."), 2, None), 1, Mark(0, 0))
