"""What is shown on a screen of any width: nothing is cut off or left out where it is narrow, but arranged anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len, get_character_cell_size
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

UNBOUNDED = 10_000


class Fitted:
    """What `make` makes for a width."""

    def __init__(self, make: Callable[[int], RenderableType]) -> None:
        self._make = make

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._make(options.max_width)


class Grid(Table):
    """A table. On a screen that is too narrow for it, a paragraph for each row names the columns. Cells are texts."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wanted = Measurement.get(console, options.update(width=UNBOUNDED, max_width=UNBOUNDED), self).maximum
        if wanted <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        if self.title:
            yield Text(str(self.title), style="italic")
        heads = [" ".join(str(column.header).split()) for column in self.columns]
        for row in zip(*(column.cells for column in self.columns), strict=True):
            told = Text.assemble((f"{heads[0]} ", "dim"), _in_line(row[0], " "))
            for head, cell in zip(heads[1:], row[1:], strict=True):
                told.append_text(Text.assemble("; ", (f"{head}: ", "dim"), _in_line(cell, " / ")))
            yield told


def _in_line(cell: RenderableType, joiner: str) -> Text:
    text = cell if isinstance(cell, Text) else Text(str(cell))
    parts = [line for line in text.split("\n") if line.plain.strip()]
    return Text(joiner).join(parts)


def picture(text: Text) -> Fitted:
    """Lines that are not to be broken. What is too wide is shown in parts, one below the other."""
    lines = text.split("\n", allow_blank=True)
    wide = max(cell_len(line.plain) for line in lines)

    def fit(width: int) -> Text:
        if wide <= width:
            return Text("\n", no_wrap=True).join(lines)
        cut = [_cut(line, width) for line in lines]
        count = max(map(len, cut))
        told = [Text(f"(This picture needs {wide} columns, and has {width}: its {count} parts, from left to right.)")]
        for n in range(count):
            told += [Text(f"Part {n + 1}:", style="dim"), *(parts[n] if n < len(parts) else Text() for parts in cut)]
        return Text("\n").join(told)

    return Fitted(fit)


def _cut(line: Text, width: int) -> list[Text]:
    """Pieces of so many columns at most; wide characters stay whole."""
    offsets, used = [], 0
    for n, character in enumerate(line.plain):
        used += (size := get_character_cell_size(character))
        if used > width:
            offsets.append(n)
            used = size
    return list(line.divide(offsets))
