"""Boards, questions and choices of the three games at a terminal, all through whole games."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await
from holmgang.games.drakkars.rules.model import Draw
from holmgang.terminal.choosers import PAGE, Composing, Narrowing, Option
from holmgang.terminal.local import LocalTable
from holmgang.terminal.table import Moment, People
from tests.unit.drakkars.playing import Game

GAMES = [(rules, seats) for rules in registry.all_latest() for seats in (rules.seat_counts[0], rules.seat_counts[-1])]
NAMES = ("Astrid", "Bjorn Ironside the Old", "Çnut", "Dagny", "漢字漢字漢字漢字", "Freydis")


def printed(thing: Any) -> str:
    out = io.StringIO()
    Console(file=out, width=80, force_terminal=False).print(thing)
    return out.getvalue()


def moments(rules: AnyRules, seats: int, seed: int, bot: str = "random") -> Iterator[tuple[LocalTable, Moment]]:
    """A whole game between bots, as seat 0 sees it whenever it is asked, and at the end."""
    table = LocalTable(rules, [bot] * (seats - 1), 0, "Ann", Random(seed))
    rng = Random(seed)
    while True:
        moment = table.now()
        if moment.status == "over" or moment.yours:
            yield table, moment
        if moment.status == "over":
            return
        if moment.yours:
            table.choose(moment, bots.find(bot).choose(rules, moment.view, rng))
        else:
            table.wait(moment)


@pytest.mark.parametrize(("rules", "seats"), GAMES, ids=lambda value: getattr(value, "ruleset", value))
def test_boards_and_questions_fit_into_80_columns(rules: AnyRules, seats: int) -> None:
    face = registry.game(rules.ruleset).face
    people, short = People(NAMES[:seats], 0), People(tuple("ABCDEF"[:seats]), 0)
    asked: set[str] = set()
    for n, (_, moment) in enumerate(moments(rules, seats, 11)):
        if n % 5 and moment.view.phase in asked:
            continue
        board = printed(face.board(moment.view, people))
        assert [line for line in board.splitlines() if cell_len(line) > 80] == []
        assert "…" not in printed(face.board(moment.view, short))  # of what is no name, nothing is cut off
        if moment.yours:
            asked.add(moment.view.phase)
            assert face.rule_of[moment.view.phase]
            assert len(face.question(moment.view, people)) > 10
            space = rules.moves(rules.determinize(moment.view, Random(1)), 0)
            lines = face.chooser(moment.view, people, space).lines()
            assert 0 < len(lines) <= PAGE + 3
    assert asked <= set(face.rule_of)
    assert len(asked) >= 3


@pytest.mark.parametrize(("rules", "seats"), GAMES, ids=lambda value: getattr(value, "ruleset", value))
def test_every_listed_action_has_words_of_its_own_and_can_be_chosen(rules: AnyRules, seats: int) -> None:
    face = registry.game(rules.ruleset).face
    rng = Random(2)
    for table, moment in moments(rules, seats, 12):
        if not moment.yours or rng.random() < 0.7:
            continue
        space = rules.moves(rules.determinize(moment.view, rng), 0)
        chooser = face.chooser(moment.view, table.people, space)
        if isinstance(chooser, Composing):
            continue
        assert isinstance(chooser, Narrowing)
        words = [option.words for option in chooser.options]
        assert len(set(words)) == len(words)
        wanted = rng.choice(list(chooser.options))
        assert choose(chooser, wanted) == wanted.action
        narrowed = face.chooser(moment.view, table.people, space)
        assert narrowed.hear(wanted.words) is None
        assert wanted.words in "\n".join(narrowed.lines())


def choose(chooser: Narrowing, wanted: Option) -> Any:
    """The action, by numbers alone."""
    for _ in range(10):
        left = chooser.left()
        if len(left) > PAGE and len(chooser.lines()) > PAGE + 1 and chooser._question(left) is None:
            chooser.hear(wanted.words)
        _, things = chooser._list()
        at = next(n for n, thing in enumerate(things) if thing is wanted or in_part(thing, wanted))
        action = chooser.hear(chooser._keys(things)[at])
        if action is not None:
            return action
    raise AssertionError(f"{wanted} is not reached")


def in_part(thing: Any, wanted: Option) -> bool:
    return not isinstance(thing, Option) and wanted.parts[int(thing[0].removeprefix("part "))] == thing[1]


@pytest.mark.parametrize(
    ("held", "central", "called"),
    [
        (5, [1, 2, 3], "pass: draw two cards"),
        (6, [1, 2, 3], "pass: draw a card"),
        (7, [1, 2, 3], "pass: your hand is full, so you draw nothing"),
    ],
)
def test_drawing_is_called_by_what_is_drawn(held: int, central: list[int], called: str) -> None:
    hand = [4, 5, 6, 7, 8, 9, 10][:held]
    view = Game.at(ships={"a0": 3}, hands={0: hand}, central=central).view(0)
    face, people = registry.game("drakkars").face, People(("Ann", "Bjorn"), 0)
    assert face.words(Draw(), view, people) == called
    space = registry.latest("drakkars").moves(registry.latest("drakkars").determinize(view, Random(1)), 0)
    assert called in "\n".join(face.chooser(view, people, space).lines())
    assert "home in 33" in printed(face.board(view, people))


@pytest.mark.parametrize("name", ["eketorp", "drakkars"])
def test_what_is_hidden_changes_nothing_on_the_screen(name: str) -> None:
    rules = registry.latest(name)
    face = registry.game(name).face
    differed = 0
    for table, moment in moments(rules, rules.seat_counts[-1], 13):
        if not moment.yours:
            continue
        shown = screen(face, table, moment)
        truth = table.state
        table.state = rules.determinize(moment.view, Random(5))
        differed += table.state != truth
        assert screen(face, table, table.now()) == shown
        table.state = truth
    assert differed > 10


def screen(face: Any, table: LocalTable, moment: Moment) -> list[str]:
    space = table.rules.moves(table.state, 0)
    lines = face.chooser(moment.view, table.people, space).lines()
    return [printed(face.board(moment.view, table.people)), face.question(moment.view, table.people), *lines]


@pytest.mark.parametrize("rules", registry.all_latest(), ids=lambda rules: rules.ruleset)
def test_news_are_what_the_seat_may_hear(rules: AnyRules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is hidden from the seat, no sentence is told whole."""
    secret: set[str] = set()
    told: list[str] = []
    redact = rules.redact

    def watched(effect: Any, seat: int | None) -> Any:
        shown = redact(effect, seat)
        if rules.tell(shown) != rules.tell(effect):
            secret.add(rules.tell(effect))
        return shown

    monkeypatch.setattr(type(rules), "redact", lambda _self, effect, seat: watched(effect, seat))
    for table, _ in moments(rules, rules.seat_counts[-1], 14):
        told += table.news()
    people = People(table.people.names, 0)
    assert len(told) > 50
    assert {people.named(sentence) for sentence in secret}.isdisjoint(told)
    assert bool(secret) == (rules.ruleset != "claim")
    assert isinstance(rules.turn(table.state), Await) is False
