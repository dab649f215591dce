"""The coast as a picture, drawn from a view alone."""

from __future__ import annotations

from service.engine.drawing import Canvas, counted, heading, result_told, seats_told, standing_told

from .harbour import clan, middle
from .render import render
from .ring import HIGH, ring
from .views import GoView, OfferView, View


def picture(view: View, theme: str) -> str:
    """The ring with the shield and the towns' piles in it, and a panel for every clan."""
    canvas = Canvas()
    canvas.begin("heading")
    y = heading(canvas, "Drakkars", _told(view)) + 2
    canvas.end()
    ring(canvas, view, y)
    middle(canvas, view, y)
    y += HIGH + 2
    for seat in view.seats:
        y = clan(canvas, view, seat, y) + 5
    return canvas.document(y + 3, f"Drakkars, turn {view.turn}", render(view), theme)


def _told(view: View) -> list[tuple[str, str]]:
    standing = standing_told(view.phase, view.turn, view.asked, view.sealed)
    lines = [(standing, "alert" if view.asked else "ink")]
    if view.result is not None:
        lines.append((result_told(view.result.ranking, view.result.scores, view.result.reason), "ink"))
    if view.combat is not None:
        fight = view.combat
        lines.append(
            (
                f"Fight {fight.number} on cell {fight.cell}: ship {fight.attacker}.{fight.attacker_ship} attacks"
                f" {fight.defender}.{fight.defender_ship}.",
                "ink",
            )
        )
    if view.go is not None and view.active is not None and (going := _going(view.go, view.active)):
        lines.append((going, "ink"))
    if view.offer is not None:
        lines.append((_offer(view.offer), "ink"))
    if view.choice is not None:
        lines.append((f"Your sealed choice: card {view.choice.card}.", "ink"))
    if view.end is not None:
        after = f" Last turns: {seats_told(view.end.last_turns)}." if view.end.last_turns else ""
        lines.append((f"Seat {view.end.seat} called the end.{after}", "ink"))
    if view.first is not None:
        lines.append((f"First player: seat {view.first}. Fights: {view.combats}.", "muted"))
    lines.append(("Ship 1.2 is ship 2 of seat 1; 1? is its token in the fog.", "muted"))
    return lines


def _going(go: GoView, active: int) -> str:
    told = [] if go.arriving is None else [f"Ship {active}.{go.arriving} acts."]
    if go.to_do:
        moves = (f"{stint.owner}.{stint.ship}" + (f" by {stint.steps}" if stint.steps else "") for stint in go.to_do)
        told.append(f"Still to move or act: {', '.join(moves)}.")
    if go.values and go.arriving is not None:
        told.append(f"The barrel may move by {' or '.join(map(str, sorted(set(go.values))))}.")
    return " ".join(told)


def _offer(offer: OfferView) -> str:
    if offer.count:
        among = "" if offer.values is None else f": {' '.join(map(str, offer.values))}"
        return f"On offer: {counted(offer.count, 'card')} of choice from the {offer.pile} pile{among}."
    return f"On offer: {counted(offer.coins, 'coin')} or {counted(offer.cards, 'card')}."
