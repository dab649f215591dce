"""The island as a picture, drawn from a view alone."""

from __future__ import annotations

from holmgang.engine.drawing import (
    MARGIN,
    NORMAL,
    SMALL,
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
from .land import Map, castle, ground, place, warrior
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

LABELS = 20.0
"""Room for the rows' numbers, and above for the columns' letters."""
BEACH = 8.0
"""Room for it on the right, and below."""
MOST = 44.0
CASTLE = 22.0


def picture(view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
    """The island with thick borders between territories, and those who stand on it; a panel for every clan."""
    canvas = Canvas(tongue)
    y = heading(canvas, "Claim", _told(view))
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


def _island(canvas: Canvas, view: View, top: float) -> float:
    points = [place(name) for t in view.territories for name in t.points]
    columns, rows = 1 + max(x for x, _ in points), 1 + max(y for _, y in points)
    size = min(MOST, (WIDTH - 2 * MARGIN - LABELS - BEACH) / columns)
    left = (WIDTH - columns * size - LABELS - BEACH) / 2 + LABELS
    canvas.rect(MARGIN, top, WIDTH - 2 * MARGIN, rows * size + LABELS + BEACH + 2, "f-sea", corner=6)
    where = Map(left, top + LABELS, size)
    small = min(SMALL, size * 0.66)
    for column in range(columns):
        canvas.text(left + (column + 0.5) * size, where.top - 8, COLUMNS[column], small, at="middle")
    for row in range(rows):
        canvas.text(left - 8, where.top + (row + 0.5) * size + small * 0.36, str(row + 1), small, at="end")
    ground(canvas, view.territories, where)
    for seat in view.seats:
        for name in seat.pieces:
            x, y = where.corner(name)
            canvas.begin("piece", seat=seat.seat, at=name)
            if name == view.chaser:
                canvas.circle(x + size / 2, y + size / 2, size * 0.48, "n", "s-alert", line=2.5)
            warrior(canvas, seat.seat, x, y, size)
            canvas.end()
    for territory in view.territories:
        if territory.castle is not None and territory.castle_point is not None:
            x, y = where.corner(territory.castle_point)
            canvas.begin("castle", seat=territory.castle, at=territory.castle_point, territory=territory.number)
            castle(canvas, territory.castle, x, y, size)
            canvas.end()
    return where.top + rows * size + BEACH + 2


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
            canvas, "castle", seat.castles_in_hand, CASTLE, lambda x, y: castle(canvas, own, x, y - 2, CASTLE),
            seat=own, at="hand",
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
    ]
    counts += [say("{count} to place", count=seat.to_place)] if seat.to_place else []
    if seat.caught:
        one, more = template("lost {count} piece to catches"), template("lost {count} pieces to catches")
        counts += [counted(seat.caught, one, more)]
    canvas.text(left, y + 33, listed(counts), SMALL, fill="f-muted", room=room)
    canvas.flow(in_hand, WIDTH - MARGIN - 6 - wide, y + 4, wide + 4)
    canvas.end()
    canvas.boxed(at, MARGIN, y, WIDTH - 2 * MARGIN, 40)
    return y + 40
