"""The coast as a picture, drawn from a view alone."""

from __future__ import annotations

from holmgang.engine.drawing import Canvas, heading, result_told, seats_told, standing_told
from holmgang.engine.messages import ENGLISH, Said, Tongue, either, listed, say

from .harbour import clan, middle
from .render import render
from .ring import HIGH, ring
from .views import GoView, OfferView, StintView, View
from .wording import cards, gift, ship_of

KINDS = {
    "sail": say("sail"),
    "arrival": say("arrival"),
    "barrel": say("barrel"),
    "loot": say("loot"),
    "battle_card": say("battle card"),
}
"""What the kinds of turns are called."""
REASONS = {"ships": say("ships"), "turn_limit": say("turn limit"), "last_seat": say("last seat")}
"""Why games end."""


def picture(view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
    """The ring with the shield and the towns' piles in it, and a panel for every clan."""
    canvas = Canvas(tongue)
    y = heading(canvas, "Drakkars", _told(canvas, view)) + 2
    ring(canvas, view, y)
    middle(canvas, view, y)
    y += HIGH + 2
    for seat in view.seats:
        y = clan(canvas, view, seat, y) + 5
    return canvas.document(y + 3, say("Drakkars, turn {turn}", turn=view.turn), render(view, tongue), theme)


def _told(canvas: Canvas, view: View) -> list[tuple[str, str]]:
    standing = standing_told(view.phase, KINDS, view.turn, view.asked, view.sealed)
    lines: list[tuple[str, str]] = [(standing, "alert" if view.asked else "ink")]
    if view.result is not None:
        lines.append((result_told(view.result.ranking, view.result.scores, REASONS[view.result.reason]), "ink"))
    if view.combat is not None:
        fight = view.combat
        told = say(
            "Fight {number} on cell {cell}: {ship} attacks {other}.",
            number=fight.number,
            cell=fight.cell,
            ship=ship_of(fight.attacker, fight.attacker_ship),
            other=ship_of(fight.defender, fight.defender_ship),
        )
        lines.append((told, "ink"))
    if view.go is not None and view.active is not None and (going := _going(view.go, view.active)):
        lines.append((" ".join(map(canvas.said, going)), "ink"))
    if view.offer is not None:
        lines.append((_offer(view.offer), "ink"))
    if view.choice is not None:
        lines.append((say("Your sealed choice: card {card}.", card=view.choice.card), "ink"))
    if view.end is not None:
        ended = [say("Seat {seat} ended the game: enough ships are home.", seat=view.end.seat)]
        if view.end.last_turns:
            ended.append(say("Last turns: {seats}.", seats=seats_told(view.end.last_turns)))
        lines.append((" ".join(map(canvas.said, ended)), "ink"))
    if view.first is not None:
        told = say("First player: seat {seat}. Fights: {fights}.", seat=view.first, fights=view.combats)
        lines.append((told, "muted"))
    lines.append(
        (say("On a hull, I, II and III: the first, second and third ship of its seat. A cloud hides a ship."), "muted")
    )
    return lines


def _going(go: GoView, active: int) -> list[Said]:
    told = []
    if go.arriving is not None:
        told.append(say("To act: {ship}.", ship=ship_of(active, go.arriving)))
    if go.to_do:
        told.append(say("Still to move or act: {ships}.", ships=listed(map(_stint, go.to_do))))
    if go.values and go.arriving is not None:
        told.append(say("The barrel may move by {values}.", values=either(map(str, sorted(set(go.values))))))
    return told


def _stint(stint: StintView) -> Said:
    ship = ship_of(stint.owner, stint.ship)
    return say("{ship} by {steps}", ship=ship, steps=stint.steps) if stint.steps else ship


def _offer(offer: OfferView) -> Said:
    if not offer.count:
        return say("On offer: {gift}.", gift=gift(offer.coins, offer.cards))
    number, discard = cards(offer.count), offer.pile == "discard"
    if offer.values is None:
        if discard:
            return say("On offer: {cards} of choice from the discard pile.", cards=number)
        return say("On offer: {cards} of choice from the central pile.", cards=number)
    shown = " ".join(map(str, offer.values))
    if discard:
        return say("On offer: {cards} of choice from the discard pile: {values}.", cards=number, values=shown)
    return say("On offer: {cards} of choice from the central pile: {values}.", cards=number, values=shown)
