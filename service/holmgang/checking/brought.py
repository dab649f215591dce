"""The laws about what a game brings besides its rules: its judge, its face at the terminal, its words for training."""

from __future__ import annotations

import io
from typing import Any

import msgspec

from holmgang import registry
from holmgang.bots.base import imagined
from holmgang.engine.game import Game
from holmgang.engine.moves import Rng
from holmgang.engine.turn import Await

from .walks import Walk, expect, refusal

COLUMNS = 80
LISTED = 200
"""Spaces of up to so many actions are gone through whole."""


def judge_is_sound(game: Game, walk: Walk, rng: Rng, every: int = 1) -> None:
    """What the judge chooses from one seat's view is legal, and what it makes of a state is from 0 to 1."""
    if not game.has_judge:
        return
    rules, judge = walk.rules, game.judge
    for moment in walk.decisions(every):
        assert moment.seat is not None
        guess = imagined(rules, rules.view(moment.before, moment.seat), rng)
        chosen = judge.choose(rules, guess, moment.seat, rng)
        refused = refusal(rules.moves(moment.before, moment.seat), chosen)
        expect(not refused, f"the judge chooses {chosen} for seat {moment.seat}, which is refused: {refused}")
        for seat in range(walk.seats):
            value = judge.value(guess, seat)
            expect(0 <= value <= 1, f"the judge values the state at {value} for seat {seat}, not from 0 to 1")


def face_speaks(game: Game, walk: Walk, every: int = 1) -> None:
    """At the terminal, boards fit into 80 columns, every question has words, and every listed action its own.

    A game without a face has the house's, whose boards are as wide as `render` makes them.
    """
    from rich.cells import cell_len
    from rich.console import Console

    from holmgang.terminal.plain import PlainFace
    from holmgang.terminal.table import People

    rules, own = walk.rules, game.face is not None
    if not own and game.name not in registry.names():
        return  # the house's face looks up the rulebook of a game that is installed
    face = game.face if own else PlainFace(rules)
    kinds = set(rules.turn_kinds)
    expect(set(face.boards_at) <= kinds, f"'boards_at' names {sorted(set(face.boards_at) - kinds)}: no kinds of turns")
    for moment in walk.decisions(every):
        turn, seat = moment.turn, moment.seat
        assert type(turn) is Await
        assert seat is not None
        people = People(tuple(f"Player {n}" for n in range(walk.seats)), seat)
        view, space = rules.view(moment.before, seat), rules.moves(moment.before, seat)
        out = io.StringIO()
        Console(file=out, width=COLUMNS, force_terminal=False).print(face.board(view, people))
        expect(out.getvalue().strip(), f"the board of seat {seat} is empty")
        wide = [line for line in out.getvalue().splitlines() if cell_len(line) > COLUMNS]
        expect(not wide or not own, f"the board of seat {seat} is wider than {COLUMNS} columns: {wide[:1]}")
        expect(face.rule_of.get(turn.kind) or not own, f"'rule_of' names no rule for the kind of turn '{turn.kind}'")
        expect(str(face.question(view, people)).strip(), f"nothing is asked of seat {seat} at '{turn.kind}'")
        expect(face.chooser(view, people, space).lines(), f"seat {seat} is shown nothing to choose from")
        count = space.count()
        if count is not None and count <= LISTED:
            words = [face.words(action, view, people) for action in space]
            twice = sorted({each for each in words if words.count(each) > 1})
            expect(not twice, f"two actions are called alike: {twice[:1]}")


def language_spells(game: Game, walk: Walk, rng: Rng, every: int = 1) -> None:
    """Every legal action has one spelling and no other action has it; observations are of one length, from 0 to 1."""
    if game.language is None:
        return
    rules, language = walk.rules, game.language(walk.rules, walk.config)
    length = None
    for moment in walk.decisions(every):
        seat = moment.seat
        assert seat is not None
        view, space = rules.view(moment.before, seat), rules.moves(moment.before, seat)
        spelling = language.spelling(view, space)
        count = space.count()
        if count is not None and count <= LISTED:
            found = [_plain(walk, seat, action) for action in _all(spelling)]
            listed = {_plain(walk, seat, action) for action in space}
            expect(len(found) == len(set(found)), "two spellings are of one action")
            expect(set(found) == listed, f"{len(listed)} actions are legal, {len(set(found))} can be spelled")
        for action in (rules.canonical(seat, moment.action), rules.canonical(seat, space.sample(rng))):
            words = language.spell(seat, action)
            for n, word in enumerate(words):
                expect(word in spelling.following(words[:n]), f"word {n} of {action} may not follow those before it")
            same = _plain(walk, seat, spelling.action(words)) == _plain(walk, seat, action)
            expect(same, f"the words of {action} spell another action")
        seen = language.observe(view, ()).vector()
        length = len(seen) if length is None else length
        expect(len(seen) == length, f"an observation has {len(seen)} numbers, another had {length}")
        expect(((seen >= 0) & (seen <= 1)).all(), "an observation has numbers that are not from 0 to 1")


def _all(spelling: Any, written: tuple[int, ...] = ()) -> list[Any]:
    action = spelling.action(written)
    if action is not None:
        return [action]
    following = spelling.following(written)
    expect(following, f"the words {written} lead nowhere")
    return [found for word in following for found in _all(spelling, (*written, word))]


def _plain(walk: Walk, seat: int, action: Any) -> bytes:
    return msgspec.json.encode(walk.rules.canonical(seat, action), order="deterministic")
