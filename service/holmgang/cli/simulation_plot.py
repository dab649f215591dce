"""What came of many games as a picture (PNG or SVG). Needs matplotlib, the extra `plot`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from holmgang.bots.tally import Line, Tally
from holmgang.engine.messages import how_many

from .simulating import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A8A8A")
"""Okabe and Ito's, which people with any colour vision tell apart, the light yellow left out."""
MARKS = "osD^v<>p"
"""A shape for each colour: nothing is told by colour alone."""
SEAT_COLOUR, GUIDE = "#333333", "#777777"
WIDE, PANEL, ROW, DOTS = 9.0, 1.35, 0.38, 144


def draw(plan: Plan, tally: Tally, file: Path) -> None:
    """Write the picture. Equal games give equal bytes."""
    kind = file.suffix.lower().removeprefix(".")
    figure = drawn(plan, tally)
    with mpl.rc_context({"svg.hashsalt": "holmgang"}):
        figure.savefig(file, format=kind, dpi=DOTS, metadata={"Date": None} if kind == "svg" else {"Software": None})


def drawn(plan: Plan, tally: Tally) -> Figure:
    """Win rates and mean scores of bots and of seats, with their intervals; the same scale for both."""
    bots = {name: line for name, line in tally.bots.items() if line.games}
    seats = {f"seat {seat}": line for seat, line in enumerate(tally.seats)}
    heights = [PANEL + ROW * len(bots), PANEL + ROW * len(seats)]
    figure = Figure(figsize=(WIDE, sum(heights) + 0.7), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(
        f"{tally.rules.title}, {how_many(plan.seats, 'player')}: {how_many(tally.games, 'game')}, seed {plan.seed}",
        fontsize=13,
        weight="bold",
    )
    axes = figure.subplots(2, 2, height_ratios=heights, squeeze=False)
    axes[1][1].sharex(axes[0][1])
    for (wins, scores), lines, styles in (
        (axes[0], bots, [(COLOURS[n], MARKS[n]) for n in range(len(bots))]),
        (axes[1], seats, [(SEAT_COLOUR, "o")] * len(seats)),
    ):
        what = "Bots" if lines is bots else "Seats"
        _wins(wins, lines, styles)
        wins.set_title(f"{what}: win rate (dashes: if all were equal)", fontsize=10.5, loc="left")
        wins.set_xlabel("games won, in %, with the interval of 95 %")
        _scores(scores, lines, styles)
        scores.set_title(f"{what}: score", fontsize=10.5, loc="left")
        scores.set_xlabel("mean of the games, with the interval of 95 %")
    return figure


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """A row for each, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _wins(axes: Axes, lines: dict[str, Line], styles: Sequence[tuple[str, str]]) -> None:
    _rows(axes, list(lines))
    for row, (line, (colour, mark)) in enumerate(zip(lines.values(), styles, strict=True)):
        share = line.share
        low, high = share.interval
        axes.plot([100 * low, 100 * high], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt", alpha=0.55)
        axes.plot(100 * share.rate, row, mark, color=colour, markersize=7, markeredgecolor="white")
        even = 100 * share.even
        axes.plot([even, even], [row - 0.42, row + 0.42], color=GUIDE, linewidth=1.3, linestyle=(0, (3, 2)), zorder=1)
        _number(axes, 100 * share.rate, row, f"{share.rate:.1%}")
    axes.set_xlim(-4, 104)


def _scores(axes: Axes, lines: dict[str, Line], styles: Sequence[tuple[str, str]]) -> None:
    _rows(axes, list(lines))
    axes.tick_params(axis="y", labelleft=False)
    for row, (line, (colour, mark)) in enumerate(zip(lines.values(), styles, strict=True)):
        mean, error = line.score.mean, line.score.error or 0.0
        axes.plot([mean - error, mean + error], [row, row], color=colour, linewidth=2.4, alpha=0.55)
        axes.plot(mean, row, mark, color=colour, markersize=7, markeredgecolor="white")
        _number(axes, mean, row, f"{mean:.1f}")
    axes.margins(x=0.12)


def _number(axes: Axes, x: float, row: int, text: str) -> None:
    """Above its point; lines behind it make room."""
    room = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    axes.annotate(text, (x, row), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=8.5, bbox=room)
