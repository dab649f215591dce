"""The rules of Tafl by their ids, its bot, and its pictures."""

import re
from random import Random
from typing import Any, cast

import pytest
from holmgang_tafl import GAME
from holmgang_tafl.rules.board import BOARDS, CASTLES, SETUPS
from holmgang_tafl.rules.model import Move, State, Taken
from msgspec.structs import replace

from holmgang.engine.errors import IllegalAction, InvalidOption
from holmgang.engine.rules import play
from holmgang.engine.turn import Await, Over

RULES, JUDGE = GAME.rules, GAME.judge


def begun(board: str = "brandubh", **options: Any) -> State:
    return cast("State", RULES.initial(RULES.configure(2, {"board": board, **options})))


def at(attackers: str, defenders: str, lord: str, mover: int = 0, **options: Any) -> State:
    """Brandubh with these men, and the king where the `lord` is."""
    men = {**dict.fromkeys(attackers.split(), "a"), **dict.fromkeys(defenders.split(), "d"), lord: "k"}
    return replace(begun(**options), board="".join(men.get(n, ".") for n in BOARDS["brandubh"].names), mover=mover)


def after(state: State, *moves: str) -> tuple[Any, ...]:
    """The effects of the last of some moves such as `a4-a3`, and behind them the state."""
    for move in moves:
        step = play(RULES, state, state.mover, Move(*move.split("-")))
        state = step.state
    return (*step.effects, state)


def ended(state: State, *moves: str) -> tuple[str, Any]:
    *_, effect, last = after(state, *moves)
    assert cast("Over", RULES.turn(last)).ranking[0] == effect.winners
    return effect.rule, effect.winners


@pytest.mark.parametrize(("board", "attackers", "defenders"), [("tablut", 16, 8), ("brandubh", 8, 4)])
def test_t1_boards_and_options(board: str, attackers: int, defenders: int) -> None:
    setup = begun(board).board
    assert (setup.count("a"), setup.count("d"), setup[CASTLES[board]]) == (attackers, defenders, "k")
    assert (begun(board).mover, begun(board, starts="defenders").mover) == (0, 1)
    with pytest.raises(InvalidOption) as refused:
        begun(board, goal="corners")
    assert refused.value.rule == "T4.1"


def crossing(castle: str, mover: int = 0) -> State:
    return at("a4", "g1", "d7", mover, castle=castle)


REFUSED = [
    ("T1.1", begun(), "d1-d9"), ("T2.1", begun(), "d5-d6"), ("T2.1", begun(), "d1-c2"), ("T2.1", begun(), "d2-d4"),
    ("T2.2", crossing("closed"), "a4-e4"), ("T2.2", crossing("crossed"), "a4-d4"), ("T2.1", begun(), "d1-d1"),
    ("T2.2", crossing("king"), "a4-d4"), ("T2.2", crossing("crossed", 1), "d7-d4"),
    ("T2.3", at("a4", "b1", "d6"), "a4-a1"),
]  # fmt: skip
MADE = [
    (crossing("crossed"), "a4-e4"), (crossing("crossed", 1), "d7-d3"), (crossing("king", 1), "d7-d4"),
    (at("a4", "b2", "d6", goal="edge"), "a4-a1"),
]  # fmt: skip


def test_t2_moves() -> None:
    for state, move in MADE:
        assert after(state, move)
    for rule, state, move in REFUSED:
        with pytest.raises(IllegalAction) as refused:
            after(state, move)
        assert refused.value.rule == rule, move


TAKEN = [
    ("T3.1", at("b3 d1", "c3", "f6"), "d1-d3", "c3"), ("T3.1", at("b3 f3 d1", "c3 e3", "f6"), "d1-d3", "c3 e3"),
    ("T3.1", at("b3 d1", "c3 d2", "f6"), "b3-b2", ""), ("T3.1", at("b3 d3 e7", "c1", "f6", 1), "c1-c3", ""),
    ("T3.1", at("c7", "b3 d3", "f6"), "c7-c3", ""), ("T3.2", at("c3", "b3", "d2", 1), "d2-d3", "c3"),
    ("T3.2", at("c3", "b3", "d2", 1, king="unarmed"), "d2-d3", ""),
    ("T3.2", at("c3", "b1", "d3", 1, king="unarmed"), "b1-b3", ""), ("T3.3", at("b2", "c4", "f6"), "b2-b4", "c4"),
    ("T3.3", at("b2", "c4", "f6", free_castle="harmless"), "b2-b4", ""),
    ("T3.3", at("c4", "b2", "f6", 1), "b2-b4", "c4"), ("T3.3", at("c3", "b1", "f6"), "c3-c1", "b1"),
    ("T3.3", at("c3", "", "b1"), "c3-c1", "b1"), ("T3.3", at("c3", "b1", "f6", goal="edge"), "c3-c1", ""),
    ("T3.4", at("c4 d3 e4 g5", "a2", "d4"), "g5-d5", "d4"), ("T3.4", at("c4 d3 g5", "e4", "d4"), "g5-d5", ""),
    ("T3.4", at("c3 e3 g2", "a5", "d3"), "g2-d2", "d3"), ("T3.4", at("e3 g2", "a5", "d3"), "g2-d2", ""),
    ("T3.5", at("b5 d7", "a2", "c5"), "d7-d5", "c5"), ("T3.5", at("b5 d7", "a2", "c5", taken_by="four"), "d7-d5", ""),
    ("T3.5", at("b5 d7 c4 c6", "a2", "c5", taken_by="four"), "d7-d5", "c5"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "state", "move", "lost"), TAKEN)
def test_t3_what_is_taken(rule: str, state: State, move: str, lost: str) -> None:
    found = [point for effect in after(state, move) if type(effect) is Taken for point in effect.points]
    assert sorted(found) == lost.split()


def test_t4_c7_how_it_ends() -> None:
    assert ended(at("e5", "", "b2", 1, goal="edge"), "b2-b1") == ("T4.1", (1,))
    assert not after(at("e5", "", "b2", 1), "b2-b1")[-1].winners
    assert ended(at("e5", "", "b1", 1), "b1-a1") == ("T4.1", (1,))
    assert ended(at("b5 d7", "a2", "c5"), "d7-d5") == ("T4.2", (0,))
    assert ended(at("a2", "a3 c2", "f6", 1), "c2-b2") == ("T4.3", (1,))
    *effects, _ = after(at("a2", "a3 c2 c5", "f6", 1), "c5-c6")
    assert [(effect.end, effect.forced) for effect in effects] == [("c6", False), ("b2", True)]
    for repetition, winners in (("draw", (0, 1)), ("attackers", (0,)), ("defenders", (1,))):
        around = ["d1-c1", "d3-c3", "c1-d1", "c3-d3"] * 2
        assert ended(begun(repetition=repetition), *around) == ("T4.4", winners)
    assert ended(replace(begun(), turn=200), "d1-c1") == ("T4.5", (0, 1))
    assert RULES.turn(RULES.resign(begun(), 0).state) == Over((0, 1), ((1,), (0,)), "last_seat")


@pytest.mark.parametrize("board", SETUPS)
def test_greedy_beats_random_and_pictures_show_every_man(board: str) -> None:
    lost = 0
    for seed in range(10):
        rng, state = Random(seed), begun(board)
        while isinstance(turn := RULES.turn(state), Await):
            drawn, seat = RULES.picture(RULES.view(state, None), "auto"), turn.seats[0]
            men = re.findall(r'class="(?:piece|king)" data-seat="\d" data-at="(\w+)"', drawn)
            assert len(set(men)) == len(men) == len(state.board) - state.board.count(".")
            action = JUDGE.choose(RULES, state, seat, rng) if seat == seed % 2 else RULES.moves(state, seat).sample(rng)
            state = play(RULES, state, seat, action).state
        lost += cast("Over", turn).ranking[0] != (seed % 2,)
    assert lost <= 1
