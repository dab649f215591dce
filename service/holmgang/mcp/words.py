"""Texts for a model to read: none is longer than LIMIT, and what others wrote is marked as theirs."""

from __future__ import annotations

from collections.abc import Iterable

from holmgang.terminal.table import printable

LIMIT = 6000
"""Characters of one answer, at most: about 2,000 tokens."""
NAME, NAME_IN_LIST = 32, 16
"""Characters of a name that are shown, beside a board and in lists of games."""
CUT = "\n(cut here: the rest does not fit)"


def quoted(name: str, most: int = NAME) -> str:
    """A name that somebody chose, as data: in quotation marks that it does not hold itself, on one line, and short."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in name[: 4 * most]).split()).replace('"', "'")
    return f'"{shown if len(shown) <= most else shown[: most - 1] + "…"}"'


def plain(text: str, most: int = LIMIT) -> str:
    """Lines of printable characters, so many at most."""
    lines = "\n".join(printable(line).rstrip() for line in text.split("\n"))
    return lines if len(lines) <= most else lines[: most - len(CUT)] + CUT


def filled(lines: Iterable[str], room: int) -> tuple[list[str], bool]:
    """The first lines that fit into so many characters, at least one; and whether others follow."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0 and taken:
            return taken, True
        taken.append(line)
    return taken, False
