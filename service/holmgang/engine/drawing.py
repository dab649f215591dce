"""Pictures of boards as SVG: pure functions from values to text, in one form, so that equal views give equal bytes.

A picture is `WIDTH` units wide, so that a unit is about a pixel on a small telephone, and as high as it needs. There
are no transformations, scripts, links or fonts in it: every coordinate is the picture's own. What is drawn often is an
outline (`outlines.py`), and takes the place of symbols, which would need names and links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import floor
from typing import NamedTuple

from .messages import ENGLISH, Said, Tongue, listed, say
from .outlines import relative
from .palette import style
from .turn import Seat

WIDTH = 400.0
MARGIN = 8.0
SMALLEST, SMALL, NORMAL, LARGE = 8.0, 10.0, 11.5, 17.0
TOKEN = 17.0
"""How high the tokens are that stand in a row."""
MANY = 4
"""From so many equal tokens on, one is drawn with their number."""

BOLDER = 1.14
_NARROW = frozenset("ijlt.,:;'|!fI() -")
_WIDE = frozenset("mwMW@%×")


def width_of(words: str, size: float, bold: bool = False) -> float:
    """How wide a text is, at most, in any common sans serif."""
    return _ems(words) * size * (BOLDER if bold else 1.0)


@lru_cache(maxsize=4096)
def _ems(words: str) -> float:
    return sum(0.38 if one in _NARROW else 0.92 if one in _WIDE else 0.7 if one.isupper() else 0.61 for one in words)


def wrapped(words: str, size: float, width: float) -> list[str]:
    """The text in lines that fit the width, as far as its words do."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _number(value: float) -> str:
    return f"{value + 0.0:.1f}".removesuffix(".0")


@lru_cache(maxsize=4096)
def _drawn(way: str, classes: tuple[str, ...], line: float, dash: str) -> str:
    """What is the same of a path wherever it starts."""
    told = f'{way}" class="{" ".join(classes)}"'
    if any(one.startswith("s-") for one in classes):
        told += f' stroke-width="{_number(line)}"'
    return told + (f' stroke-dasharray="{dash}"/>' if dash else "/>")


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escaped(words: str) -> str:
    """Text for XML. What is no character there is left out."""
    if not words.isprintable():
        words = "".join(c for c in words if c >= " " or c in "\n\t")
    return words.translate(_ESCAPES)


Place = Callable[[float, float], None]
"""Draws something with its upper left corner at a point."""


class Item(NamedTuple):
    """Something that stands in a row: how wide it is, and what draws it."""

    width: float
    draw: Place


SPACE = Item(5, lambda _x, _y: None)
"""Nothing, between the parts of a row."""


class Canvas:
    """A picture that is being drawn, one element a line. What is said in it is put into the reader's language here."""

    def __init__(self, tongue: Tongue = ENGLISH) -> None:
        self.lines: list[str] = []
        self.tongue = tongue

    def said(self, words: str) -> str:
        """What was said, in the reader's language."""
        return self.tongue.into(words)

    def initial(self, word: str) -> str:
        """The letter that stands for a thing: the first of its name in the reader's language."""
        return self.said(word)[0]

    def wide(self, words: str, size: float, bold: bool = False) -> float:
        """How wide a text is, at most, in the reader's language."""
        return width_of(self.said(words), size, bold)

    def _add(self, name: str, classes: Iterable[str], content: str | None = None, /, **values: float | str) -> None:
        told = [f'class="{" ".join(classes)}"']
        told += [f'{n.replace("_", "-")}="{v if isinstance(v, str) else _number(v)}"' for n, v in values.items()]
        self.lines.append(f"<{name} {' '.join(told)}" + ("/>" if content is None else f">{content}</{name}>"))

    def rect(
        self, x: float, y: float, w: float, h: float, *classes: str, corner: float = 0, line: float = 1, dash: str = ""
    ) -> None:
        more: dict[str, float | str] = {"rx": corner} if corner else {}
        if any(one.startswith("s-") for one in classes):
            more["stroke_width"] = line
        if dash:
            more["stroke_dasharray"] = dash
        self._add("rect", classes, x=x, y=y, width=w, height=h, **more)

    def circle(self, x: float, y: float, r: float, *classes: str, line: float = 1) -> None:
        self._add("circle", classes, cx=x, cy=y, r=r, stroke_width=line)

    def shape(self, points: Iterable[tuple[float, float]], *classes: str, line: float = 1) -> None:
        joined = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._add("polygon", classes, points=joined, stroke_width=line, stroke_linejoin="round")

    def path(self, points: Iterable[tuple[float, float]], *classes: str, line: float = 1) -> None:
        """From point to point, not closed."""
        joined = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._add("polyline", classes, points=joined, stroke_width=line, stroke_linejoin="round")

    def draw(self, x: float, y: float, way: str, *classes: str, line: float = 1, dash: str = "") -> None:
        """A path from a point on. `way` is in relative commands of SVG, so that what is drawn often is the same text
        wherever it stands, and compresses well."""
        self.lines.append(f'<path d="M{_number(x)},{_number(y)}{_drawn(way, classes, line, dash)}')

    def stroke(self, x: float, y: float, to_x: float, to_y: float, *classes: str, line: float = 1) -> None:
        self._add("line", classes, x1=x, y1=y, x2=to_x, y2=to_y, stroke_width=line, stroke_linecap="round")

    def outline(self, x: float, y: float, outline: str, *classes: str, scale: float = 1, line: float = 1) -> None:
        """An outline (`outlines.py`) with its 0, 0 at a point. One of a negative `scale` is mirrored: it looks the
        other way."""
        left, upper, way = relative(outline, scale)
        self.draw(x + left, y + upper, way, *classes, line=line)

    def text(
        self, x: float, y: float, words: str, size: float = NORMAL, *, fill: str = "f-ink", at: str = "start",
        bold: bool = False, room: float | None = None,
    ) -> None:  # fmt: skip
        """`y` is the base line; `at` says which point of the text `x` is: `start`, `middle` or `end`. What is wider
        than `room` is written smaller, though not smaller than can be read."""
        told = self.said(words)
        if room is not None and (wide := width_of(told, size, bold)) > room:
            size = max(SMALLEST, floor(10 * size * room / wide) / 10)
        more: dict[str, float | str] = {} if at == "start" else {"text_anchor": at}
        classes = (fill, "b") if bold else (fill,)
        self._add("text", classes, escaped(told), x=x, y=y, font_size=size, **more)

    def paragraph(
        self, x: float, y: float, width: float, words: str, size: float = NORMAL, *, fill: str = "f-ink",
        bold: bool = False,
    ) -> float:  # fmt: skip
        """The text in as many lines as it needs, `y` being its upper edge; gives its lower edge."""
        for line in wrapped(self.said(words), size * (BOLDER if bold else 1.0), width):
            y += size + 3
            self.text(x, y - 2, line, size, fill=fill, bold=bold)
        return y

    def centred(self, y: float, width: float, words: str, size: float = SMALL) -> float:
        """Muted text in the middle of the picture, `y` being its upper edge; gives its lower edge."""
        for line in wrapped(self.said(words), size, width):
            y += size + 3
            self.text(WIDTH / 2, y - 2, line, size, fill="f-muted", at="middle")
        return y

    def begin(self, kind: str, /, **data: object) -> None:
        """A group that tells what it is of: a class, and data about it."""
        told = "".join(f' data-{name}="{escaped(str(value))}"' for name, value in data.items())
        self.lines.append(f'<g class="{kind}"{told}>')

    def end(self) -> None:
        self.lines.append("</g>")

    def group(self, at: int, kind: str, /, **data: object) -> None:
        """A group, like `begin`, of what was drawn since there were `at` lines."""
        self.begin(kind, **data)
        self.lines.insert(at, self.lines.pop())
        self.end()

    def flow(self, items: Iterable[Item], x: float, y: float, width: float, row: float = TOKEN) -> float:
        """The items in rows as wide as `width`, `y` being the upper edge; gives the lower edge."""
        at, bottom = x, y
        for item in items:
            if at > x and at + item.width > x + width:
                at, y = x, y + row + 2
            item.draw(at, y)
            at += item.width + 3
            bottom = y + row
        return bottom

    def boxed(
        self, at: int, x: float, y: float, w: float, h: float, *classes: str, of: tuple[str, str] | None = None
    ) -> None:
        """A panel behind what was drawn since there were `at` lines; `of` tells its group's class and its place."""
        after, self.lines = self.lines[at:], self.lines[:at]
        if of is not None:
            self.begin(of[0], at=of[1])
        self.rect(x, y, w, h, *(classes or ("f-panel",)), corner=6)
        if of is not None:
            self.end()
        self.lines += after

    def document(self, height: float, title: str, description: str, theme: str) -> str:
        """The whole picture. The description is for those who cannot see it."""
        language = escaped(self.tongue.language)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" lang="{language}" xml:lang="{language}"'
            f' viewBox="0 0 {_number(WIDTH)} {_number(height)}" role="img" aria-labelledby="title desc">'
        )
        told = (
            f'<title id="title">{escaped(self.said(title))}</title>',
            f'<desc id="desc">{escaped(self.said(description))}</desc>',
        )
        paper = f'<rect class="f-paper" width="{_number(WIDTH)}" height="{_number(height)}"/>'
        return "\n".join((head, *told, f"<style>{style(theme)}</style>", paper, *self.lines, "</svg>", ""))


def _regular(x: float, y: float, r: float, corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x + r * dx, y + r * dy) for dx, dy in corners]


_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    ((0, -1.12), (1.14, 0.88), (-1.14, 0.88)),
    ((0, -1.12), (1.12, 0), (0, 1.12), (-1.12, 0)),
    ((-0.54, -0.98), (0.54, -0.98), (1.08, 0), (0.54, 0.98), (-0.54, 0.98), (-1.08, 0)),
    ((-0.5, -1), (0.5, -1), (0.5, -0.5), (1, -0.5), (1, 0.5), (0.5, 0.5), (0.5, 1), (-0.5, 1), (-0.5, 0.5), (-1, 0.5),
     (-1, -0.5), (-0.5, -0.5)),
)  # fmt: skip
SHAPES = ("circle", "square", "triangle", "diamond", "hexagon", "cross")
"""Of the clans, by seat."""


def emblem(canvas: Canvas, seat: Seat, x: float, y: float, r: float, words: str | None = None) -> None:
    """A clan's shape round a point, with its seat's number on it, or with other words."""
    if SHAPES[seat] == "circle":
        canvas.circle(x, y, r, f"f-clan{seat}", "s-ink", line=1.2)
    else:
        canvas.shape(_regular(x, y, r, _CORNERS[seat]), f"f-clan{seat}", "s-ink", line=1.2)
    shown = str(seat) if words is None else words
    if shown:
        low = 0.62 if SHAPES[seat] == "triangle" else 0.42
        size = max(SMALLEST, r * (1.2 if SHAPES[seat] == "triangle" else 1.25))
        canvas.text(x, y + r * low, shown, size, fill=f"o-clan{seat}", at="middle", bold=True)


def tile(canvas: Canvas, hue: str, letter: str, x: float, y: float, size: float, round_: bool = False) -> None:
    """A stone or a coin with its letter."""
    if round_:
        canvas.circle(x + size / 2, y + size / 2, size / 2 - 0.5, f"f-{hue}", "s-ink", line=0.8)
    else:
        canvas.rect(x + 0.5, y + 0.5, size - 1, size - 1, f"f-{hue}", "s-ink", corner=2, line=0.8)
    canvas.text(x + size / 2, y + size * 0.76, letter, size * 0.76, fill=f"o-{hue}", at="middle", bold=True)


def card(canvas: Canvas, words: str | None, x: float, y: float) -> None:
    """A card 15 units wide, or its back."""
    if words is None:
        canvas.rect(x + 0.5, y + 0.5, 11, 15, "f-muted", "s-ink", corner=2, line=0.8)
        canvas.rect(x + 3, y + 3, 6, 10, "n", "s-paper", line=0.8)
        return
    canvas.rect(x + 0.5, y + 0.5, 15, 15, "f-card", "s-ink", corner=2, line=0.8)
    canvas.text(x + 8, y + 12, words, NORMAL, fill="o-card", at="middle", bold=True)


def tokens(
    canvas: Canvas, kind: str, number: int, width: float, draw: Place, many: int = MANY, /, **data: object
) -> Iterable[Item]:
    """So many equal tokens, or from `many` on one with their number. Each tells in `data-count` how many it is."""

    def one(x: float, y: float, count: int) -> None:
        canvas.begin(kind, **data, count=count)
        draw(x, y)
        if number >= many:
            canvas.text(x + width + 1, y + TOKEN * 0.72, f"×{count}", NORMAL, bold=True)
        canvas.end()

    if number >= many:
        wide = width + 1 + width_of(f"×{number}", NORMAL, bold=True)
        yield Item(wide, lambda x, y: one(x, y, number))
    else:
        for _ in range(number):
            yield Item(width, lambda x, y: one(x, y, 1))


def words(canvas: Canvas, said: str, *, bold: bool = False, fill: str = "f-muted") -> Item:
    """A word in a row of tokens."""
    return Item(
        canvas.wide(said, NORMAL, bold) + 2,
        lambda x, y: canvas.text(x, y + TOKEN * 0.72, said, NORMAL, fill=fill, bold=bold),
    )


def tick(canvas: Canvas, x: float, y: float) -> None:
    """A mark of what is done, eight units wide."""
    canvas.stroke(x, y + 4, x + 3, y + 7, "s-ink", line=1.6)
    canvas.stroke(x + 3, y + 7, x + 8, y, "s-ink", line=1.6)


def _joined(seats: Sequence[Seat]) -> str:
    return ", ".join(map(str, seats))


def seats_told(seats: Sequence[Seat]) -> Said:
    """`seat 1`, `seats 0 and 2`."""
    if not seats:
        return say("nobody")
    if len(seats) == 1:
        return say("seat {seat}", seat=seats[0])
    return say("seats {seats} and {last}", seats=_joined(seats[:-1]), last=seats[-1])


def heading(canvas: Canvas, title: str, lines: Iterable[tuple[str, str]]) -> float:
    """The title, and lines with the role that they are written in; gives their lower edge, which the group tells, too:
    who shows the picture without its heading cuts it there."""
    at = len(canvas.lines)
    canvas.text(MARGIN, 22, title, LARGE, bold=True)
    y = 27.0
    for said, role in lines:
        y = canvas.paragraph(MARGIN, y, WIDTH - 2 * MARGIN, said, fill=f"f-{role}", bold=role == "alert")
    canvas.group(at, "heading", bottom=_number(y))
    return y


def standing_told(
    phase: str, kinds: Mapping[str, str], turn: int, asked: Sequence[Seat], sealed: Sequence[Seat] = ()
) -> Said:
    """Whose turn it is. `kinds` are the names of the kinds of turns."""
    if phase == "over":
        return say("The game is over.")
    if not asked:
        return say("Turn {turn}: chance decides.", turn=turn)
    kind, seats = kinds[phase], seats_told(asked)
    if not sealed:
        return say("Turn {turn}, {kind}: {seats} to choose.", turn=turn, kind=kind, seats=seats)
    return say(
        "Turn {turn}, {kind}: {seats} to choose; {others} chose already.",
        turn=turn, kind=kind, seats=seats, others=seats_told(sealed),
    )  # fmt: skip


def result_told(ranking: Sequence[Sequence[Seat]], scores: Sequence[int], why: str) -> Said:
    """Who won, and why the game ended."""
    points = listed(say("seat {seat} {score}", seat=seat, score=score) for seat, score in enumerate(scores))
    *others, last = ranking[0]
    if not others:
        return say("Seat {seat} won ({why}). Points: {points}.", seat=last, why=why, points=points)
    return say(
        "Seats {seats} and {last} won ({why}). Points: {points}.",
        seats=_joined(others), last=last, why=why, points=points,
    )  # fmt: skip
