"""Values of any game as people can read them: effects as sentences, views as text or a picture.

Names are those of the values' fields. A game that wants better words has its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from .drawing import LARGE, MARGIN, NORMAL, WIDTH, Canvas, heading, result_told, standing_told
from .messages import ENGLISH, Said, Tongue, listed, say

CELL = 30.0
"""The sides of a board's squares on pictures, at most."""
HEAD = frozenset({"seat", "phase", "turn", "asked", "result"})
"""Fields of a view that its heading tells."""


class _Line(NamedTuple):
    """Something and its name; without a name where nothing is said of it."""

    depth: int
    name: str
    value: str


class _Board(NamedTuple):
    """Rows of equally many cells."""

    depth: int
    name: str
    rows: tuple[tuple[str, ...], ...]


def sentence(effect: Any) -> str:
    """An effect's name, and its fields; those that are hidden, or tell nothing, are left out."""
    tag = effect.__struct_config__.tag
    what = _words(type(effect).__name__ if tag is None else str(tag))
    fields = [
        say("seat {seat}", seat=value)
        if name == "seat"
        else say("{name} {value}", name=_words(name), value=_short(value))
        if value is not True
        else _words(name)
        for name, value in _parts(effect)
        if value is not None and value is not False
    ]
    what = what[:1].upper() + what[1:]
    return say("{what}: {how}.", what=what, how=listed(fields)) if fields else f"{what}."


def text(title: str, view: Any, tongue: Tongue = ENGLISH) -> str:
    """A view, a line a field."""
    lines = [title, *(tongue.into(said) for said in _head(view))]
    for block in _blocks(view):
        indent = "  " * block.depth
        if isinstance(block, _Board):
            wide = max(len(cell) for row in block.rows for cell in row)
            lines.append(f"{indent}{block.name}:")
            lines += (f"{indent}  {' '.join(cell.rjust(wide) for cell in row)}".rstrip() for row in block.rows)
        else:
            lines.append(f"{indent}{block.name}: {tongue.into(block.value)}".rstrip())
    return "\n".join(lines)


def picture(title: str, view: Any, theme: str, tongue: Tongue = ENGLISH) -> str:
    """The same as an SVG document."""
    canvas = Canvas(tongue)
    y = heading(canvas, title, [(said, "ink") for said in _head(view)]) + 4
    for block in _blocks(view):
        x = MARGIN + 10 * block.depth
        if isinstance(block, _Board):
            y = _drawn(canvas, block, x, canvas.paragraph(x, y, WIDTH - MARGIN - x, block.name) + 3)
        else:
            said = say("{name}: {value}", name=block.name, value=block.value) if block.value else block.name
            y = canvas.paragraph(x, y, WIDTH - MARGIN - x, said)
    return canvas.document(max(y, LARGE) + MARGIN, title, text(title, view, tongue), theme)


def _drawn(canvas: Canvas, board: _Board, x: float, y: float) -> float:
    side = min(CELL, (WIDTH - MARGIN - x) / len(board.rows[0]))
    canvas.begin("board", of=board.name)
    for row in board.rows:
        for n, cell in enumerate(row):
            left = x + n * side
            canvas.rect(left, y, side, side, "f-panel", "s-line")
            canvas.text(left + side / 2, y + side / 2 + 4, cell, NORMAL, at="middle", room=side - 2)
        y += side
    canvas.end()
    return y + 4


def _head(view: Any) -> Iterator[Said]:
    """Whose turn it is, and the result, of views that tell it."""
    phase, asked = getattr(view, "phase", None), getattr(view, "asked", None)
    if phase is None or asked is None:
        return
    yield standing_told(phase, {phase: _words(phase)}, getattr(view, "turn", 0), asked)
    result = getattr(view, "result", None)
    if result is not None:
        yield result_told(result.ranking, result.scores, _words(result.reason))


def _blocks(view: Any) -> Iterator[_Line | _Board]:
    """What the heading does not tell. Where that is one thing, such as the table, its parts are told."""
    told = HEAD if hasattr(view, "phase") and hasattr(view, "asked") else frozenset({"seat"})
    parts = [(name, value) for name, value in _parts(view) if name not in told]
    if len(parts) == 1 and isinstance(parts[0][1], Struct):
        parts = [(name, value) for name, value in _parts(parts[0][1]) if name not in told]
    for name, value in parts:
        yield from _of(name, value, 0)


def _of(name: str, value: Any, depth: int) -> Iterator[_Line | _Board]:
    if value is None:
        return
    words = _words(name)
    rows = _rows(value)
    if rows is not None:
        yield _Board(depth, words, rows)
    elif _is_short(value):
        yield _Line(depth, words, _short(value))
    else:
        yield _Line(depth, words, "")
        for part, member in _parts(value):
            yield from _of(part, member, depth + 1)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The members of a value that has some, by name or number."""
    if isinstance(value, Struct):
        for field in structs.fields(value):
            yield field.encode_name, getattr(value, field.name)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield str(key), member
    else:
        for n, member in enumerate(value):
            yield str(n), member


def _is_one(value: Any) -> bool:
    return not isinstance(value, Struct | Mapping | Sequence | set | frozenset) or isinstance(value, str | bytes)


def _is_short(value: Any) -> bool:
    """Whether it is told on one line: no board is in it, and nothing in its members has members with members."""
    return _is_one(value) or all(
        _is_one(member) or (_rows(member) is None and all(_is_one(inner) for _, inner in _parts(member)))
        for _, member in _parts(value)
    )


def _short(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if _is_one(value):
        return str(msgspec.to_builtins(value))
    if isinstance(value, Struct | Mapping):
        parts = [
            say("{name} {value}", name=_words(name), value=_short(member))
            for name, member in _parts(value)
            if member is not None
        ]
        return listed(parts) if parts else "-"
    members = [_short(member) for member in value if member is not None]
    if not members:
        return "-"
    return " ".join(members) if all(map(_is_one, value)) else "; ".join(members)


def _rows(value: Any) -> tuple[tuple[str, ...], ...] | None:
    """The cells of what is a board: two rows or more, equally long, of single values; or of texts with a letter a cell,
    of which there are three at least."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) < 2:
        return None
    if all(isinstance(row, str) for row in value):
        rows = [tuple(row) for row in value] if len(value) > 2 else []
    elif all(isinstance(row, Sequence) and not isinstance(row, str) and all(map(_is_one, row)) for row in value):
        rows = [tuple("." if cell is None else str(msgspec.to_builtins(cell)) for cell in row) for row in value]
    else:
        return None
    return tuple(rows) if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 else None


def _words(name: str) -> str:
    return name.replace("_", " ")
