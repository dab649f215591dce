"""The island as a picture, drawn from a view alone."""

from __future__ import annotations

from typing import NamedTuple

from holmgang.engine.drawing import (
    MARGIN,
    NORMAL,
    SMALL,
    TOKEN,
    WIDTH,
    Canvas,
    Item,
    emblem,
    heading,
    result_told,
    standing_told,
    tokens,
    words,
)
from holmgang.engine.messages import ENGLISH, Tongue, counted, listed, say, template

from .island import COLUMNS
from .render import render
from .views import SeatView, View

KINDS = {
    "placement": say("placement"),
    "removal": say("removal"),
    "claim": say("claim"),
    "move": say("move"),
    "chase": say("chase"),
    "castle": say("castle"),
}
"""What the kinds of turns are called."""
REASONS = {
    "castles": say("castles"),
    "alone": say("alone"),
    "repetition": say("repetition"),
    "turn_limit": say("turn limit"),
    "last_seat": say("last seat"),
}
"""Why games end."""

LABELS = 16.0
"""Room for the rows' numbers, and above for the columns' letters."""
MOST = 44.0
CASTLE = ((0, 1), (0, 0), (0.22, 0), (0.22, 0.18), (0.39, 0.18), (0.39, 0), (0.61, 0), (0.61, 0.18), (0.78, 0.18),
          (0.78, 0), (1, 0), (1, 1))  # fmt: skip


def picture(view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
    """Territories with thick borders, pieces by their clan's shape, castles as towers."""
    canvas = Canvas(tongue)
    canvas.begin("heading")
    y = heading(canvas, "Claim", _told(view))
    canvas.end()
    y = _island(canvas, view, y + 6) + 10
    for seat in view.seats:
        y = _seat(canvas, view, seat, y) + 4
    return canvas.document(y + 4, say("Claim, turn {turn}", turn=view.turn), render(view, tongue), theme)


def _told(view: View) -> list[tuple[str, str]]:
    standing = standing_told(view.phase, KINDS, view.turn, view.asked)
    lines: list[tuple[str, str]] = [(standing, "alert" if view.asked else "ink")]
    if view.result is not None:
        lines.append((result_told(view.result.ranking, view.result.scores, REASONS[view.result.reason]), "ink"))
    if view.chaser is not None:
        lines.append((say("The piece on {point} may catch on.", point=view.chaser), "ink"))
    if view.due:
        due = ", ".join(map(str, view.due))
        lines.append((say("A castle is due in territory {territories}.", territories=due), "ink"))
    if view.first is not None:
        told = say("First player: seat {seat}. Catches: {catches}.", seat=view.first, catches=view.combats)
        lines.append((told, "muted"))
    return lines


class Map(NamedTuple):
    """Where the points of the island are in the picture: the upper left corner of a1, and how wide a point is."""

    left: float
    top: float
    size: float

    def corner(self, name: str) -> tuple[float, float]:
        column, row = _place(name)
        return self.left + column * self.size, self.top + row * self.size


def _island(canvas: Canvas, view: View, top: float) -> float:
    home = {_place(name): t.number for t in view.territories for name in t.points}
    columns, rows = 1 + max(x for x, _ in home), 1 + max(y for _, y in home)
    size = min(MOST, (WIDTH - 2 * MARGIN - LABELS) / columns)
    left = (WIDTH - columns * size - LABELS) / 2 + LABELS
    canvas.rect(MARGIN, top, WIDTH - 2 * MARGIN, rows * size + LABELS + 8, "f-sea", corner=6)
    where = Map(left, top + LABELS, size)
    small = min(SMALL, size * 0.66)
    for column in range(columns):
        canvas.text(left + (column + 0.5) * size, where.top - 4, COLUMNS[column], small, at="middle")
    for row in range(rows):
        canvas.text(left - 4, where.top + (row + 0.5) * size + small * 0.36, str(row + 1), small, at="end")
    _ground(canvas, view, where)
    _borders(canvas, home, where)
    for seat in view.seats:
        for name in seat.pieces:
            x, y = where.corner(name)
            canvas.begin("piece", seat=seat.seat, at=name)
            if name == view.chaser:
                canvas.circle(x + size / 2, y + size / 2, size * 0.48, "n", "s-alert", line=2.5)
            emblem(canvas, seat.seat, x + size / 2, y + size / 2, size * 0.35)
            canvas.end()
    for territory in view.territories:
        if territory.castle is not None and territory.castle_point is not None:
            x, y = where.corner(territory.castle_point)
            canvas.begin("castle", seat=territory.castle, at=territory.castle_point, territory=territory.number)
            castle(canvas, territory.castle, x + size * 0.07, y + size * 0.07, size * 0.86)
            canvas.end()
    return where.top + rows * size + 8


def _ground(canvas: Canvas, view: View, where: Map) -> None:
    size = where.size
    for territory in view.territories:
        ground = "f-land" if territory.number % 2 else "f-meadow"
        canvas.begin("territory", territory=territory.number)
        for name in territory.points:
            x, y = where.corner(name)
            canvas.begin("point", at=name)
            canvas.rect(x, y, size, size, ground, "s-line", line=0.5)
            canvas.circle(x + size / 2, y + size / 2, size * 0.07, "f-line")
            canvas.end()
        canvas.end()


def _borders(canvas: Canvas, home: dict[tuple[int, int], int], where: Map) -> None:
    """Thick lines between territories, and along the coast."""
    size = where.size
    for (column, row), number in sorted(home.items()):
        x, y = where.left + column * size, where.top + row * size
        if home.get((column - 1, row)) != number:
            canvas.stroke(x, y, x, y + size, "s-ink", line=1.6)
        if home.get((column, row - 1)) != number:
            canvas.stroke(x, y, x + size, y, "s-ink", line=1.6)
        if (column + 1, row) not in home:
            canvas.stroke(x + size, y, x + size, y + size, "s-ink", line=1.6)
        if (column, row + 1) not in home:
            canvas.stroke(x, y + size, x + size, y + size, "s-ink", line=1.6)


def _place(name: str) -> tuple[int, int]:
    return COLUMNS.index(name[0]), int(name[1:]) - 1


def castle(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """A tower in a clan's colour with its seat's number on it."""
    canvas.shape(((x + size * dx, y + size * dy) for dx, dy in CASTLE), f"f-clan{seat}", "s-ink", line=1.8)
    canvas.text(x + size / 2, y + size * 0.82, str(seat), size * 0.66, fill=f"o-clan{seat}", at="middle", bold=True)


def _seat(canvas: Canvas, view: View, seat: SeatView, y: float) -> float:
    at, own = len(canvas.lines), seat.seat
    canvas.begin("seat", seat=own)
    castles = sum(t.castle == own for t in view.territories)
    marks: list[str] = [say("Seat {seat}", seat=own)]
    marks += [say("to choose")] if own in view.asked else []
    marks += [say("you")] if view.seat == own else []
    marks += [say("resigned")] if seat.resigned else []
    partners = [s for team in view.teams if own in team for s in team if s != own]
    marks += [say("partner of {seat}", seat=partners[0])] if partners else []
    in_hand: list[Item] = []
    if seat.castles_in_hand:
        in_hand = [words(canvas, say("in hand"))]
        draw = tokens(
            canvas, "castle", seat.castles_in_hand, TOKEN, lambda x, y: castle(canvas, own, x, y, TOKEN - 1), seat=own,
            at="hand",
        )  # fmt: skip
        in_hand += draw
    wide = sum(item.width + 3 for item in in_hand)
    emblem(canvas, own, MARGIN + 13, y + 14, 8)
    fill = "f-alert" if own in view.asked else "f-ink"
    left, room = MARGIN + 28, WIDTH - 2 * MARGIN - 32
    canvas.text(left, y + 18, listed(marks), NORMAL, bold=True, fill=fill, room=room - wide)
    counts: list[str] = [
        counted(len(seat.pieces), template("{count} piece"), template("{count} pieces")),
        counted(castles, template("{count} castle"), template("{count} castles")),
        say("{count} caught", count=seat.caught),
        say("{count} removed", count=seat.removed),
    ]
    counts += [say("{count} to place", count=seat.to_place)] if seat.to_place else []
    counts += [say("battle turn {turn}", turn=seat.battle_turns)] if seat.battle_turns else []
    canvas.text(left, y + 33, listed(counts), SMALL, fill="f-muted", room=room)
    canvas.flow(in_hand, WIDTH - MARGIN - 6 - wide, y + 4, wide + 4)
    canvas.end()
    canvas.boxed(at, MARGIN, y, WIDTH - 2 * MARGIN, 40)
    return y + 40
