"""Small screens: whatever their size, all that a large one shows is there, nothing is cut off, and nothing runs off
before it could be read."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.terminal import screen as screens
from holmgang.terminal.fitting import Grid, picture
from holmgang.terminal.local import LocalTable
from holmgang.terminal.plain import PlainFace
from holmgang.terminal.screen import MORE, PROMPT, EndOfInput, Screen
from holmgang.terminal.sitting import Asking, Left, Sitting
from holmgang.terminal.table import Moment

SIZES = [(40, 20), (60, 24), (79, 44), (80, 24), (80, 45)]
LARGE = (100, 200)
GAMES = [(rules.ruleset, rules.seat_counts[end]) for rules in registry.all_latest() for end in (0, -1)]


def printed(thing: Any, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(thing)
    return out.getvalue()


@cache
def moments(name: str, seats: int) -> list[tuple[LocalTable, Moment]]:
    """One of each kind of turn in which seat 0 is asked, late in a game between bots, and its end."""
    rules, rng = registry.latest(name), Random(4)
    table = LocalTable(rules, ["random"] * (seats - 1), 0, "Ann", Random(8))
    found: dict[Any, Moment] = {}
    while (moment := table.now()).status != "over":
        if moment.yours:
            found[moment.kind] = moment
            table.choose(moment, bots.find("random").choose(rules, moment.view, rng))
        else:
            table.wait(moment)
    return [(table, each) for each in (*found.values(), moment)]


def words(told: str) -> Counter[str]:
    """What is told, whatever the order: all but lines, and what is drawn of them."""
    return Counter(re.findall(r"\w+\??", told))


@pytest.mark.parametrize("width", sorted({width for width, _ in SIZES}))
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_a_board_tells_the_same_on_every_screen(name: str, seats: int, width: int) -> None:
    face = registry.game(name).face
    assert face is not None
    for table, moment in moments(name, seats):
        board = face.board(moment.view, table.people)
        large, small = printed(board, LARGE[0]), printed(board, width)
        assert [line for line in small.splitlines() if cell_len(line) > width] == []
        assert "…" not in small
        missing = words(large) - words(small)
        if name == "drakkars":  # letters at a fjord's mouth are drawn twice where it is at the side
            missing = Counter({word: n for word, n in missing.items() if not re.fullmatch("[a-d]", word)})
            told = " ".join(small.split())
            for seat in moment.view.seats:
                assert width >= 79 or f" {seat.fjord}<{'abcd'[seat.seat]}>" in told
        assert not missing


def points(told: str) -> dict[str, str]:
    """What stands on each point of an island that is printed, in one part or several."""
    found, columns = dict[str, str](), dict[int, str]()
    for line in told.splitlines():
        if re.fullmatch(r" {4}[a-z]( +[a-z])*", line):
            columns = {at: letter for at, letter in enumerate(line) if letter != " "}
        elif row := re.match(r"([ \d]\d) [| ]", line):
            marks = {f"{x}{int(row[1])}": line[at] for at, x in columns.items() if line[at : at + 1].strip()}
            assert not found.keys() & marks.keys()
            found |= marks
    return found


@pytest.mark.parametrize("width", [12, 24, 40, 60])
@pytest.mark.parametrize("seats", registry.latest("claim").seat_counts)
def test_every_point_of_claim_is_where_it_is(seats: int, width: int) -> None:
    face = registry.game("claim").face
    assert face is not None
    for table, moment in moments("claim", seats):
        board = face.board(moment.view, table.people)
        large = points(printed(board, 80))
        pieces = {point: "abcdef"[seat.seat] for seat in moment.view.seats for point in seat.pieces}
        assert pieces.items() <= large.items()
        assert points(printed(board, width)) == large


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_the_board_of_a_game_without_a_face_is_all_there(name: str, seats: int, width: int) -> None:
    rules = registry.latest(name)
    for table, moment in moments(name, seats):
        drawn = rules.render(moment.view).splitlines()
        told = printed(PlainFace(rules).board(moment.view, table.people), width).splitlines()
        assert all(cell_len(line) <= width for line in told)
        wide = max(map(cell_len, drawn))
        if wide <= width:
            assert [line.rstrip() for line in told[-len(drawn) :]] == [line.rstrip() for line in drawn]
            continue
        assert f"needs {wide} columns, and has {width}" in " ".join(" ".join(told).split())
        first = told.index("Part 1:")
        parts = [told[at + 1 : at + 1 + len(drawn)] for at in range(first, len(told), len(drawn) + 1)]
        joined = ["".join(part.ljust(width) for part in each).rstrip() for each in zip(*parts, strict=True)]
        assert joined == [line.rstrip() for line in drawn]


def test_wide_characters_of_a_picture_stay_whole() -> None:
    told = printed(picture(Text("漢字漢字\nab")), 5)
    assert "漢字\nab" in told
    assert told.count("漢") == told.count("字") == 2


@pytest.mark.parametrize(("width", "paragraphs"), [(40, False), (16, True)])
def test_a_table_that_is_too_wide_names_its_columns_in_each_row(width: int, paragraphs: bool) -> None:
    grid = Grid(title="Score")
    for name in ("player", "points\nso far"):
        grid.add_column(name)
    grid.add_row("Ann\n(you)", "7\n< 2")
    told = printed(grid, width)
    assert "Score" in told
    assert ("player Ann (you); points so far: 7 / < 2" in " ".join(told.split())) is paragraphs


# Height


class Terminal:
    """Where a person reads: `pages` are the lines that came between one thing typed and the next."""

    def __init__(self, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, lines: Iterator[str]) -> None:
        self.width, self.height = size
        self.out = io.StringIO()
        console = Console(file=self.out, width=self.width, height=self.height, highlight=False, force_terminal=True)
        console.no_color = True
        self.screen = Screen(console)
        self.screen.interactive = True
        self.lines, self.read, self.prompts = lines, 0, list[str]()
        self.pages: list[list[str]] = []
        monkeypatch.setattr(screens, "input", self.input, raising=False)

    def input(self, prompt: str) -> str:
        told = self.out.getvalue()
        fresh, self.read = told[self.read :], len(told)
        self.pages.append(re.sub(r"\x1b\[[\d;]*m", "", fresh).splitlines())
        self.prompts.append(prompt)
        if prompt == MORE:
            return ""
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def told(self) -> list[str]:
        return [line for page in self.pages for line in page]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", [*registry.names(), "a game without a face"])
def test_all_that_is_asked_and_shown_can_be_read(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """News, board, question and choices, of one question of each kind: each page fits, and nothing is missing."""
    ruleset = name if name in registry.names() else "eketorp"
    seats = registry.latest(ruleset).seat_counts[-1]
    told: list[Terminal] = []
    for table, moment in moments(ruleset, seats)[:-1]:
        for at in (size, LARGE):
            terminal = Terminal(at, monkeypatch, iter(["?", "news", "quit"]))
            sitting = Sitting(table, terminal.screen, Random(1))
            if name != ruleset:
                sitting.face = PlainFace(table.rules)
            sitting.last_news = [f"News number {n} of many." for n in range(25)]
            sitting.show_news(25)
            with pytest.raises(Left):
                sitting.answer(moment)
            told.append(terminal)
        small, large = told[-2:]
        assert [page for page in small.pages if len(page) > size[1] - 1] == []
        assert all(cell_len(line) <= size[0] for line in small.told)
        assert MORE not in large.prompts
        if name in ("claim", "eketorp"):  # others have words that are drawn twice, or cut where a picture is
            assert not words("\n".join(large.told)) - words("\n".join(small.told))
        choices = Asking(sitting, moment, _space(table, moment)).chooser.lines()
        assert not words("\n".join(choices)) - words("\n".join(small.told))
    assert any(MORE in terminal.prompts for terminal in told)


def _space(table: LocalTable, moment: Moment) -> Any:
    return table.rules.moves(table.rules.determinize(moment.view, Random(0)), 0)


def test_a_screenful_waits_for_enter_and_what_is_typed_there_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal((40, 5), monkeypatch, iter(()))
    typed = iter(["", "hint", "again"])

    def asked(prompt: str) -> str:
        terminal.prompts.append(prompt)
        return next(typed)

    monkeypatch.setattr(screens, "input", asked, raising=False)
    for n in range(20):
        terminal.screen.say(f"line {n}")
    assert terminal.prompts == [MORE, MORE], "after that the rest came at once"
    assert "line 19" in terminal.out.getvalue()
    assert terminal.screen.ask() == "hint"
    assert terminal.screen.ask() == "again"
    assert terminal.prompts == [MORE, MORE, PROMPT]


def test_the_input_may_end_at_a_screenful(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal((40, 5), monkeypatch, iter(()))

    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(screens, "input", ended, raising=False)
    with pytest.raises(EndOfInput):
        terminal.screen.say("\n" * 9)


def test_what_is_read_by_a_program_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal((40, 5), monkeypatch, iter(()))
    terminal.screen.interactive = False
    terminal.screen.say("line\n" * 99)
    assert terminal.out.getvalue().count("line") == 99
    assert terminal.prompts == []


def test_a_window_that_is_made_smaller_is_written_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    shown = Screen()
    shown.interactive = True
    assert shown.console.width == 90
    monkeypatch.setattr(screens, "input", lambda _prompt: "", raising=False)
    monkeypatch.setenv("COLUMNS", "44")
    shown.ask()
    assert shown.console.width == 44
