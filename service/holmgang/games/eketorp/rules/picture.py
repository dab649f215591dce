"""The table as a picture, drawn from a view alone."""

from __future__ import annotations

from holmgang.engine.drawing import (
    LARGE,
    MARGIN,
    NORMAL,
    SMALL,
    SPACE,
    WIDTH,
    Canvas,
    Item,
    heading,
    result_told,
    standing_told,
    words,
)
from holmgang.engine.messages import ENGLISH, Tongue, counted, listed, say, template

from .board import FIELDS, ROUNDS, STATIONS, STONE_WORDS
from .land import field, grove, island, wood
from .model import Build, Place, Play
from .pieces import VIKING, large_card, siege_told, stones, viking, vikings
from .render import arrived, render
from .views import CombatView, View
from .village import village

TURNS = {
    "placement": say("placement"),
    "initiative": say("initiative"),
    "amulets": say("amulets"),
    "battle_card": say("battle card"),
    "loot": say("loot"),
    "spoils": say("spoils"),
    "building": say("building"),
}
"""What the kinds of turns are called."""
REASONS = {
    "walls_complete": say("walls complete"),
    "tenth_round": say("tenth round"),
    "last_seat": say("last seat"),
}
"""Why games end."""

AWAY = {
    "345": say("misses 2 rounds"),
    "12": say("misses 1 round"),
    "0": say("back next round"),
}
"""How long Vikings on a station of the hospital are away (E6.2)."""

GAP = 5.0
ROOF = 7.0
"""How high the hospital's roof is."""
EDGE = 11.0
"""How far what stands on the island is from the picture's sides."""
SEA = 19.0
"""How much of the sea is seen before the island."""


def picture(view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
    """What goes on, the fields with the hospital, and a panel for every village."""
    canvas = Canvas(tongue)
    title = say("Eketorp, round {round} of {rounds}", round=view.round, rounds=ROUNDS)
    y = heading(canvas, title, _told(canvas, view)) + GAP
    at, top = len(canvas.lines), y - GAP - 2
    if view.combat is not None:
        y = _combat(canvas, view.combat, view.phase, y) + GAP
    coast = y = y + SEA
    y = _spaces(canvas, view, y + GAP)
    wide = (WIDTH - 2 * EDGE - GAP) / 2
    for first in range(0, view.players, 2):
        begun, upper = len(canvas.lines), y
        for column, seat in enumerate(view.seats[first : first + 2]):
            y = max(y, village(canvas, view, seat, EDGE + column * (wide + GAP), upper, wide))
        for column, seat in enumerate(view.seats[first : first + 2]):
            ground = ("f-panel", "s-alert") if seat.seat in view.asked else ("f-panel",)
            canvas.boxed(begun, EDGE + column * (wide + GAP), upper, wide, y - upper + 2, *ground)
        if first + 1 == view.players:
            wood(canvas, EDGE + wide + GAP, upper, wide, y - upper)
        y += 2 + GAP
    island(canvas, at, top, coast, y + GAP + 3)
    title = say("Eketorp, round {round}, turn {turn}", round=view.round, turn=view.turn)
    return canvas.document(y + GAP + 3, title, render(view, tongue), theme)


def _told(canvas: Canvas, view: View) -> list[tuple[str, str]]:
    standing = standing_told(view.phase, TURNS, view.turn, view.asked, view.sealed)
    lines: list[tuple[str, str]] = [(standing, "alert" if view.asked else "ink")]
    if view.result is not None:
        lines.append((result_told(view.result.ranking, view.result.scores, REASONS[view.result.reason]), "ink"))
    if view.spoils is not None:
        told = say("Seat {seat} chooses a stone on field {field}.", seat=view.spoils.seat, field=view.spoils.field)
        lines.append((told, "ink"))
    if view.drawing is not None:
        one, several = (
            template("Seat {seat} draws {count} more card."),
            template("Seat {seat} draws {count} more cards."),
        )
        told = counted(view.drawing.cards, one, several, seat=view.drawing.seat)
        lines.append((told, "ink"))
    if view.choice is not None:
        lines.append((say("Your sealed choice: {choice}.", choice=_choice(view.choice)), "ink"))
    counts = [] if view.first is None else [say("First player: seat {seat}.", seat=view.first)]
    counts.append(say("Combats so far: {combats}.", combats=view.combats))
    lines.append((" ".join(map(canvas.said, counts)), "muted"))
    if view.material_card:
        lines.append((say("New stones: {stones}.", stones=arrived(view.material_card, view.players)), "muted"))
    return lines


def _choice(choice: Place | Play | Build) -> str:
    if isinstance(choice, Play):
        return say("card {card}", card=choice.card)
    if isinstance(choice, Place):
        fields = [say("{count} to {field}", count=n, field=field) for field, n in sorted(choice.fields.items())]
        sent = [*fields, *map(siege_told, sorted(choice.sieges))]
        return listed(sent) if sent else say("everybody stays at home")
    return listed(
        say("{stone} on wall {wall}", stone=STONE_WORDS[laid.stone], wall=laid.wall) for laid in choice.stones
    )


def _combat(canvas: Canvas, fight: CombatView, phase: str, y: float) -> float:
    """The two clans face to face, with their cards once they are shown."""
    at, top = len(canvas.lines), y
    canvas.begin("combat", number=fight.number)
    where = siege_told(fight.space)
    siege = fight.kind == "siege"
    told = (
        say("Siege {number}: {space}", number=fight.number, space=where)
        if siege
        else say("Fight {number}: field {space}", number=fight.number, space=where)
        if len(fight.space) == 1
        else say("Fight {number}: {space}", number=fight.number, space=where)
    )
    canvas.text(WIDTH / 2, y + 15, told, NORMAL, bold=True, at="middle")
    y += 20
    sides = ((fight.attacker, say("attacks"), 0), (fight.defender, say("defends"), 1))
    for seat, does, n in sides:
        x = WIDTH / 2 + (-1, 1)[n] * 62
        viking(canvas, seat, x - 13, y + 2, 1.6)
        told = does
        if fight.amulets[n]:
            spent = counted(fight.amulets[n], template("{count} amulet"), template("{count} amulets"))
            told = say("{does}, {amulets}", does=does, amulets=spent)
        outer = x + (-1, 1)[n] * 18
        room = WIDTH / 2 - 62 - 18 - MARGIN - 2
        canvas.text(outer, y + 25, told, SMALL, fill="f-muted", at=("end", "start")[n], room=room)
        large_card(canvas, None if fight.cards is None else fight.cards[n], WIDTH / 2 + (-40, 12)[n], y)
    canvas.text(WIDTH / 2, y + 25, ":", LARGE, bold=True, at="middle")
    y += 40
    notes: list[str] = [say("without defenders the card is worth 0")] if fight.undefended else []
    notes += [say("difference {number}", number=fight.difference)] if fight.difference is not None else []
    notes += [say("seat {seat} may exchange its hand", seat=fight.asking)] if phase == "amulets" else []
    notes += [say("there was no other fight to begin")] if fight.forced else []
    notes += [say("begun for a seat that gave up")] if fight.defaulted else []
    if notes:
        y = canvas.centred(y, WIDTH - 6 * MARGIN, listed(notes))
    canvas.end()
    canvas.boxed(at, MARGIN, top, WIDTH - 2 * MARGIN, y - top + 4)
    return y + 4


def _spaces(canvas: Canvas, view: View, y: float) -> float:
    """The fields A to G; below them the hospital, and what belongs to nobody."""
    wide = (WIDTH - 2 * EDGE - 3 * GAP) / 4
    for first in range(0, len(FIELDS), 4):
        row = FIELDS[first : first + 4]
        at, top = len(canvas.lines), y
        y += 48
        for column, name in enumerate(row):
            y = max(y, _field(canvas, view, name, EDGE + column * (wide + GAP) + 5, top, wide - 8) + 4)
        after, canvas.lines = canvas.lines[at:], canvas.lines[:at]
        for column, name in enumerate(row):
            canvas.begin("space", at=name)
            field(canvas, first + column, EDGE + column * (wide + GAP), top, wide, y - top)
            canvas.end()
        canvas.lines += after
        if len(row) < 4:
            grove(canvas, EDGE + len(row) * (wide + GAP), top, wide)
        y += GAP
    return _stock(canvas, view, _hospital(canvas, view, y) + GAP) + GAP


def _field(canvas: Canvas, view: View, name: str, x: float, y: float, width: float) -> float:
    here = view.fields[name]
    canvas.begin("field", at=name)
    canvas.text(x, y + 18, name, LARGE, bold=True)
    lying = list(stones(canvas, here.stones, name))
    if sum(item.width + 3 for item in lying) <= width - 15:  # beside the letter; otherwise below it
        canvas.flow(lying, x + 18, y + 4, width - 18)
        y += 23
    else:
        y = canvas.flow(lying, x, y + 23, width) + 3
    there = [item for seat, number in here.vikings.items() for item in vikings(canvas, int(seat), number, name, 3)]
    y = canvas.flow(there, x, y, width, VIKING)
    canvas.end()
    return y


def _stock(canvas: Canvas, view: View, y: float) -> float:
    """What belongs to nobody: the supply of stones, and the piles of cards."""
    at, top = len(canvas.lines), y
    canvas.begin("stock")
    here = [words(canvas, say("Supply")), *stones(canvas, view.supply, "supply", 1), SPACE]
    here.append(
        words(canvas, counted(view.deck_size, template("{count} card to draw"), template("{count} cards to draw")))
    )
    low = canvas.flow(here, EDGE + 6, y + 3, WIDTH - 2 * EDGE - 8) + 3
    canvas.end()
    canvas.boxed(at, EDGE, top, WIDTH - 2 * EDGE, low - top)
    return low


def _hospital(canvas: Canvas, view: View, y: float) -> float:
    """The way of the wounded below a roof, from shelf to shelf from the left."""
    at, top = len(canvas.lines), y
    y += ROOF
    canvas.begin("hospital")
    name = say("Hospital")
    canvas.text(EDGE + 6, y + 18, name, NORMAL, bold=True)
    left = EDGE + max(66, 8 + canvas.wide(name, NORMAL, bold=True))
    wide = (WIDTH - EDGE - 4 - left) / len(STATIONS)
    low = y + 39
    for n, station in enumerate(STATIONS):
        here: list[Item] = []
        for seat in view.seats:
            here += vikings(canvas, seat.seat, seat.hospital.get(station, 0), f"station {station}", 3)
        canvas.text(left + n * wide, y + 10, AWAY[station], SMALL, fill="f-muted", room=wide - 8)
        low = max(low, canvas.flow(here, left + n * wide, y + 13, wide - 6, VIKING) + 5)
    for n in range(len(STATIONS)):
        canvas.draw(left + n * wide - 2, low - 3, f"h{wide - 6:g}", "n", "s-earth", line=2.4)
        if n:
            canvas.draw(left + n * wide - 9, low - 11, "l4,3.5-4,3.5", "n", "s-ink", line=1.3)
    canvas.end()
    canvas.boxed(at, EDGE, top + ROOF / 2, WIDTH - 2 * EDGE, low - top - ROOF / 2)
    canvas.draw(
        EDGE - 3, top + ROOF, f"l12,{-ROOF:g}h{WIDTH - 2 * EDGE - 18:g}l12,{ROOF:g}z", "f-earth", "s-ink", line=0.8
    )
    return low
