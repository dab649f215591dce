"""The face of games that bring none: every game can be played through it, by somebody who reads what is printed."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from holmgang import registry
from holmgang.terminal.choosers import Narrowing, Unclear
from holmgang.terminal.forms import Form, in_words
from holmgang.terminal.local import LocalTable
from holmgang.terminal.plain import PlainFace
from holmgang.terminal.sitting import Sitting
from holmgang.terminal.table import People
from tests.unit.shapes import Build, build

from .test_choices import Script
from .test_faces import printed

PATIENCE = 40
LISTED = re.compile(r"^ *(\d+)  \S", re.M)
RANGE = re.compile(r"a whole number from (-?\d+) to (-?\d+)")
SUCH_AS = re.compile(r"a name such as '([^']+)'")


class Typist(Script):
    """Types anything that what is printed asks for; after many refusals of one question, a hint is taken."""

    def __init__(self, rng: Random) -> None:
        super().__init__([])
        self.rng = rng
        self.read = 0
        self.refused = self.hinted = self.lines_typed = 0

    def ask(self) -> str:
        told = self.told[self.read :]
        self.read = len(self.told)
        self.lines_typed += 1
        line = self._answer(told)
        self.say(f"> {line}")
        return line

    def _answer(self, told: str) -> str:
        if "would: " in told:
            self.refused = 0
            return "take"
        if "You choose: " in told:
            self.refused = 0
        self.refused += 1
        if self.refused > PATIENCE:
            self.hinted += 1
            return "hint"
        if self.rng.random() < 0.1:
            return "undo"
        if "`ok`" in told and self.rng.random() < 0.4:
            return "ok"
        if numbers := LISTED.findall(told):
            return str(self.rng.choice(numbers))
        if bounds := RANGE.search(told):
            return str(self.rng.randint(int(bounds[1]), int(bounds[2])))
        if example := SUCH_AS.search(told):
            return re.sub(r"\d+", lambda _: str(self.rng.randint(1, 9)), self._letters(example[1]))
        if one_of := re.search(r"one of (.*?)(?:;|$)", told, re.M):
            return str(self.rng.choice(one_of[1].split(", ")))
        return ("`ok`" in told and "ok") or "board"

    def _letters(self, example: str) -> str:
        return re.sub(r"[a-z]", lambda _: self.rng.choice("abcdefghi"), example)


def played(ruleset: str, seats: int, seed: int) -> Typist:
    rules = registry.latest(ruleset)
    typist = Typist(Random(seed))
    table = LocalTable(rules, ["random"] * (seats - 1), 0, "Ann", Random(seed))
    Sitting(table, typist, Random(seed)).play()
    assert "Final score" in typist.told
    return typist


@pytest.mark.parametrize("ruleset", registry.names())
def test_a_whole_game_can_be_played_without_the_games_own_face(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.game(ruleset).__dict__, "face", None)
    typist = played(ruleset, registry.latest(ruleset).seat_counts[0], 5)
    assert typist.lines_typed > 10
    assert typist.hinted <= typist.lines_typed // 50


@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_that_brings_its_rules_alone_is_played(bare_toy: Path, seats: int) -> None:
    told = played("toy", seats, seats).told
    assert "Play: a card of one's own." in told
    assert "card" in told
    assert "[T1]" not in told, "a rule that no text has is not cited"


def test_a_face_that_a_package_brings_is_shown(toy: Path) -> None:
    told = played("toy", 2, 1).told
    assert "Which card do you play? [T1]" in told
    assert "You choose: the card " in told


def test_the_rulebook_is_cited_where_there_is_one(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.game("toy").__dict__, "face", None)
    assert "Play: a card of one's own. [T1]" in played("toy", 2, 1).told


def test_a_face_that_cannot_be_loaded_gives_way_with_a_warning(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.game("toy"), "_face", ".nowhere:Face")
    registry.game("toy").__dict__.pop("face", None)
    told = " ".join(played("toy", 2, 1).told.split())
    assert told.count("The looks of this game cannot be loaded") == 1
    assert "nowhere" in told


def test_the_board_is_what_the_rules_draw(bare_toy: Path) -> None:
    rules = registry.latest("toy")
    table = LocalTable(rules, ["random"], 0, "Ann", Random(1))
    view = table.now().view
    board = printed(PlainFace(rules).board(view, table.people))
    assert rules.render(view) in board
    assert "seat 0: Ann" in board


@pytest.mark.parametrize("ruleset", registry.names())
def test_listed_choices_have_words_of_their_own(ruleset: str) -> None:
    rules, rng = registry.latest(ruleset), Random(3)
    seats = rules.seat_counts[0]
    table = LocalTable(rules, ["random"] * (seats - 1), 0, "Ann", Random(3))
    face, people = PlainFace(rules), table.people
    listed = 0
    while (moment := table.now()).status != "over":
        if not moment.yours:
            table.wait(moment)
            continue
        space = rules.moves(rules.determinize(moment.view, rng), 0)
        chooser = face.chooser(moment.view, people, space)
        if isinstance(chooser, Narrowing):
            listed += 1
            words = [option.words for option in chooser.options]
            assert len(set(words)) == len(words)
            assert {len(option.parts) for option in chooser.options} == {len(chooser.questions)}
        else:
            assert isinstance(chooser, Form)
        table.choose(moment, space.sample(rng))
    assert listed


# Forms


class Goods(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["wood", "clay"]
    number: Annotated[int, Meta(ge=1, le=9)]


class Trade(Struct, frozen=True, tag="trade", forbid_unknown_fields=True):
    goods: Annotated[tuple[Goods, ...], Meta(min_length=1, max_length=3)]
    ships: dict[str, int] = {}
    where: Annotated[str, Meta(pattern="^[a-z][0-9]$", examples=["c4"])] | None = None
    hidden: bool = False


class Rest(Struct, frozen=True, tag="rest", forbid_unknown_fields=True):
    pass


def form(actions: Any = Trade | Rest) -> Form:
    return Form(actions, lambda value: msgspec.convert(value, actions), "an example", "{}")


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("rest", Rest()),
        ("2", Rest()),
        ("trade wood 3 ok ok none no", Trade((Goods("wood", 3),))),
        (
            "tr w 3 clay 1 ok Freya 2 ok str c4 yes",
            Trade((Goods("wood", 3), Goods("clay", 1)), {"Freya": 2}, "c4", True),
        ),
        ("1 1 1 1 1 1 1 ok - -", Trade((Goods("clay", 1),) * 3)),
    ],
)
def test_a_choice_is_typed_at_once_or_word_by_word(typed: str, made: Any) -> None:
    assert form().hear(typed) == made
    one_by_one = form()
    words = typed.split()
    for word in words[:-1]:
        assert one_by_one.hear(word) is None
        assert len(one_by_one.lines()) > 1
    assert one_by_one.hear(words[-1]) == made


def test_parts_of_any_type_are_asked_for_by_their_names() -> None:
    asked = form(Build)
    assert asked.lines()[1] == "at x: a whole number from 0 to 2"
    assert asked.hear("1 2 blue") is None
    with pytest.raises(Unclear, match="'2' is not a number from 0 to 1"):
        asked.hear("2")
    assert asked.hear("0.5 2.5 0 0 2 1 1 4 ok") == build()


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("sail", "'sail' is none of trade, rest"),
        ("trade ok", "choose 1 or more"),
        ("trade iron", "'iron' is none of clay, wood"),
        ("trade wood 10", "goods 1 number: '10' is not a whole number from 1 to 9"),
        ("trade wood x", "'x' is not a whole number"),
        ("trade wood 1 ok ok str 44", "'44' is not a name such as 'c4'"),
        ("rest rest", "'rest' is more than is asked for"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(typed: str, why: str) -> None:
    asked = form()
    before = asked.lines()
    with pytest.raises(Unclear, match=re.escape(why)):
        asked.hear(typed)
    assert asked.lines() == before


def test_the_last_line_is_taken_back() -> None:
    asked = form()
    first = asked.lines()
    asked.hear("trade wood")
    second = asked.lines()
    asked.hear("3 clay")
    asked.undo()
    assert asked.lines() == second
    asked.undo()
    asked.undo()
    assert asked.lines() == first


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"card": 3}, "card 3"),
        ({"path": ["c4", "e6"], "by_sea": True}, "path (c4, e6), by sea yes"),
        ({"to": None, "piece": {"row": 1, "column": 2}}, "to none, piece (row 1, column 2)"),
        ({}, ""),
    ],
)
def test_values_in_words(value: Any, words: str) -> None:
    assert in_words(value) == words


def test_choices_of_an_action_with_nothing_to_choose() -> None:
    """Endless spaces may hold one such action too."""
    only = form(Rest)
    assert "`ok`" in only.lines()[-1]
    assert only.hear("ok") == Rest()


def test_a_face_is_asked_by_nobody_in_particular(bare_toy: Path) -> None:
    """Its words are of the action alone: the toy's face needs no names."""
    rules = registry.latest("toy")
    action = rules.decode("play", {"type": "play", "card": 3})
    assert PlainFace(rules).words(action, None, People(("Ann",), 0)) == "play: card 3"
