"""What came of many games, for people (tables on the terminal) and for programs (CSV)."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from holmgang.bots.base import win_share
from holmgang.bots.tally import Line, Mean, Outcome, Tally, ranks
from holmgang.engine.messages import how_many
from holmgang.engine.rules import AnyRules

from .simulating import Plan

COLUMNS = ("game", "seat", "bot", "score", "rank", "win", "turns", "reason")
WIDTH = 100
"""Of tables that go to a file."""
FINE, PLAIN = ("–", "±"), ("-", "+/-")
"""What stands between the ends of an interval, and before an error."""


class Sheet:
    """A CSV file with a line for each game and seat. `win` is 1, a part of it for shared wins, or 0."""

    def __init__(self, file: Path, rules: AnyRules) -> None:
        self._rules = rules
        self._out = file.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._out, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def add(self, outcome: Outcome) -> None:
        over = outcome.over
        for seat, (bot, score, rank) in enumerate(zip(outcome.bots, over.scores, ranks(over), strict=True)):
            win = f"{win_share(self._rules, over, seat):.6g}"
            self._rows.writerow((outcome.number, seat, bot, score, rank, win, outcome.turns, over.reason))
        self._out.flush()

    def __enter__(self) -> Sheet:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._out.close()


@contextmanager
def progress(games: int) -> Iterator[Callable[[Iterable[Outcome]], Iterator[Outcome]]]:
    """Gives what shows the games on their way through; only where somebody looks at a terminal."""
    if not sys.stderr.isatty():
        yield iter
        return
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield lambda played: iter(bar.track(played, total=games))


def report(plan: Plan, tally: Tally, wanted: int) -> None:
    """Print the tables."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=max(WIDTH, 60 + max(map(len, plan.labels))))
    games = how_many(wanted, "game") if tally.games == wanted else f"{tally.games} of {how_many(wanted, 'game')}"
    console.print(f"{tally.rules.title} with {plan.seats}: {games}, seed {plan.seed}", markup=False)
    least, median, most = tally.length()
    console.print(
        f"Turns: {least} to {most}, half of the games up to {median:g}. Wins shared: {tally.shared}.", markup=False
    )
    signs = PLAIN if console.options.ascii_only else FINE
    console.print(_lines("bot", {name: line for name, line in tally.bots.items() if line.games}, signs))
    console.print(_lines("seat", {str(seat): line for seat, line in enumerate(tally.seats)}, signs))
    for name, clock in tally.clocks.items():
        console.print(
            f"{name}: {how_many(clock.choices, 'choice')}, {1000 * clock.mean():.2f} ms each, the slowest"
            f" {1000 * clock.slowest:.0f} ms",
            markup=False,
        )


def _lines(head: str, lines: dict[str, Line], signs: tuple[str, str]) -> Table:
    to, error = signs
    table = Table(head, box=SIMPLE_HEAD, pad_edge=False)
    for name in ("games", "wins", "win rate", "95 %", "if equal", "score", f"{error} 95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, line in lines.items():
        share = line.share
        low, high = share.interval
        table.add_row(
            Text(name),
            str(share.games),
            f"{share.wins:.2f}".rstrip("0").rstrip("."),
            f"{share.rate:.1%}",
            f"{low:.1%} {to} {high:.1%}",
            f"{share.even:.1%}",
            f"{line.score.mean:.2f}",
            _error(line.score),
        )
    return table


def _error(mean: Mean) -> str:
    return "" if mean.error is None else f"{mean.error:.2f}"
