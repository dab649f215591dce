"""The board in words and as a picture, from a view alone."""

from __future__ import annotations

from holmgang.engine.drawing import MARGIN, Canvas, emblem, heading, result_told, standing_told
from holmgang.engine.messages import ENGLISH, Tongue, say
from holmgang.engine.open_table import OpenView

from .board import BOARDS, EMPTY, KING, SIDES, closed, goals
from .model import ENDS, State

CROWN = ((-1, -0.7), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1, -0.7), (0.8, 0.7), (-0.8, 0.7))


def render(view: OpenView[State], tongue: Tongue = ENGLISH) -> str:
    """A letter is a man, a dot a free square, `x` a free one where men never stand."""
    state, kept = view.table, closed(view.table.terms)
    marks = ["x" if man == EMPTY and square in kept else man for square, man in enumerate(state.board)]
    key = say("a: attackers (seat 0), d: defenders, k: king (seat 1)")
    return BOARDS[state.terms.board].text(marks) + "\n" + tongue.into(key)


def picture(view: OpenView[State], theme: str, tongue: Tongue = ENGLISH) -> str:
    canvas, state, kept, homes = Canvas(tongue), view.table, closed(view.table.terms), goals(view.table.terms)
    told = [(standing_told(view.phase, {"move": say("move")}, view.turn, view.asked), "alert" if view.asked else "ink")]
    if view.result is not None:
        why = say("rule {rule}", rule=ENDS.get(view.result.reason, "C7"))
        told.append((result_told(view.result.ranking, view.result.scores, why), "ink"))
    top = heading(canvas, "Tafl", told) + 8
    fills = ["f-line" if n in kept else "f-meadow" if n in homes else "f-land" for n in range(len(state.board))]
    there = BOARDS[state.terms.board].draw(canvas, top, fills)
    for square, man in enumerate(state.board):
        if man != EMPTY:
            seat, (x, y), king = int(man in SIDES[1]), there.centre(square), man == KING
            canvas.begin("king" if king else "piece", seat=seat, at=there.board.names[square])
            emblem(canvas, seat, x, y, there.size * 0.34, "" if king else None)
            if king:
                r = there.size * 0.2
                canvas.shape(((x + dx * r, y + dy * r) for dx, dy in CROWN), "f-gold", "s-ink")
            canvas.end()
    return canvas.document(there.bottom + MARGIN, "Tafl", render(view, tongue), theme)
