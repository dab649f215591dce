"""The board in words and as a picture, from a view alone."""

from __future__ import annotations

from service.engine.drawing import MARGIN, SMALL, WIDTH, Canvas, emblem, heading, result_told, standing_told
from service.engine.open_table import OpenView
from service.engine.said import ENGLISH, Tongue, say

from .board import EMPTY, GROUNDS, KING, SIDES, goals
from .model import State

ENDS = {
    "king_home": ("T4.1", say("the king got home")),
    "king_taken": ("T4.2", say("the king was taken")),
    "no_moves": ("T4.3", say("no move was left")),
    "repetition": ("T4.4", say("repetition")),
    "turn_limit": ("T4.5", say("turn limit")),
    "last_seat": ("C7", say("last seat")),
}
"""Why games end: the rule, and words."""
LABELS = 16.0
CROWN = ((-1, -0.7), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1, -0.7), (0.8, 0.7), (-0.8, 0.7))


def render(view: OpenView[State], tongue: Tongue = ENGLISH) -> str:
    """A letter is a man, a dot a free square, `+` the free castle, `x` a corner where only the king may go."""
    state, ground = view.table, GROUNDS[view.table.terms.board]
    marks = dict.fromkeys(ground.corners if state.terms.goal == "corner" else (), "x") | {ground.castle: "+"}
    shown = [marks.get(square, man) if man == EMPTY else man for square, man in enumerate(state.board)]
    lines = ["  " + " ".join("abcdefghi"[: ground.size])]
    for y in range(ground.size):
        lines.append(f"{y + 1} " + " ".join(shown[y * ground.size : (y + 1) * ground.size]))
    return "\n".join((*lines, tongue.into(say("a: attackers (seat 0), d: defenders, k: king (seat 1)"))))


def picture(view: OpenView[State], theme: str, tongue: Tongue = ENGLISH) -> str:
    canvas, state, ground = Canvas(tongue), view.table, GROUNDS[view.table.terms.board]
    told = [(standing_told(view.phase, {"move": say("move")}, view.turn, view.asked), "alert" if view.asked else "ink")]
    if view.result is not None:
        told.append((result_told(view.result.ranking, view.result.scores, ENDS[view.result.reason][1]), "ink"))
    canvas.begin("heading")
    top = heading(canvas, "Tafl", told) + LABELS + 8
    canvas.end()
    size = (WIDTH - 2 * MARGIN - LABELS) / ground.size
    left, closed = MARGIN + LABELS, {ground.castle, *(ground.corners if state.terms.goal == "corner" else ())}
    for n in range(ground.size):
        canvas.text(left + (n + 0.5) * size, top - 5, "abcdefghi"[n], SMALL, at="middle")
        canvas.text(left - 5, top + (n + 0.5) * size + 4, str(n + 1), SMALL, at="end")
    for square, (name, man) in enumerate(zip(ground.names, state.board, strict=True)):
        x, y = left + square % ground.size * size, top + square // ground.size * size
        canvas.begin("point", at=name)
        canvas.rect(x, y, size, size, "f-meadow" if square in goals(state.terms) else "f-land", "s-line", line=0.8)
        if square in closed:
            canvas.rect(x + 4, y + 4, size - 8, size - 8, "n", "s-ink", line=1.5)
        canvas.end()
        if man != EMPTY:
            seat, x, y = int(man in SIDES[1]), x + size / 2, y + size / 2
            canvas.begin("king" if man == KING else "piece", seat=seat, at=name)
            emblem(canvas, seat, x, y, size * 0.34, "" if man == KING else None)
            if man == KING:
                canvas.shape(((x + dx * size * 0.2, y + dy * size * 0.2) for dx, dy in CROWN), "f-gold", "s-ink")
            canvas.end()
    title = say("Tafl, turn {turn}", turn=view.turn)
    return canvas.document(top + ground.size * size + MARGIN, title, render(view, tongue), theme)
