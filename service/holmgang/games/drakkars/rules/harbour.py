"""What is drawn inside the ring, the piles of the towns and the shield, and the panels of the clans."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.drawing import (
    MARGIN,
    NORMAL,
    SMALL,
    SPACE,
    TOKEN,
    WIDTH,
    Canvas,
    Item,
    card,
    emblem,
    tile,
    tokens,
    words,
)
from holmgang.engine.messages import Said, listed, say

from .coast import COINS, cells_of
from .effects import Counts
from .ring import CELL, INSIDE, SIDE, hull
from .views import SeatView, ShipView, View
from .wording import COIN_WORDS, cards, coins

WIDE = (SIDE - 1) * CELL - 12


def middle(canvas: Canvas, view: View, top: float) -> None:
    """The shield, the piles of the towns, and what lies in the bag and the common piles."""
    x, y = INSIDE + 6, top + INSIDE + 6
    y = _shield(canvas, view, x, y) + 8
    y = _towns(canvas, view, x, y) + 4
    row = [words(canvas, say("bag")), *_coins(canvas, view.bag, "bag", 1)]
    y = canvas.flow(row, x, y, WIDE) + 2
    discard = " ".join(f"{value}×{n}" for value in range(1, 11) if (n := view.discard.count(value)))
    told = say(
        "Central pile: {central}. Discard: {discard}", central=view.central_size, discard=discard or say("nothing")
    )
    canvas.paragraph(x, y, WIDE, told, SMALL, fill="f-muted")


def _shield(canvas: Canvas, view: View, x: float, y: float) -> float:
    """Four cells to the right, four back to the left, as the barrel goes round."""
    canvas.text(x, y + 11, say("Loot shield, the barrel on one cell"), SMALL, fill="f-muted", room=WIDE)
    y += 16
    cells = cells_of(tuple(view.options["shield"]))
    half = len(cells) // 2
    wide, high = WIDE / half, 42.0
    for n, gives in enumerate(cells):
        left = x + (n if n < half else 2 * half - 1 - n) * wide
        upper = y + (0 if n < half else high)
        here = n == view.barrel
        canvas.begin("shield", cell=n, barrel=str(here).lower())
        edge = ("s-alert", 2.4) if here else ("s-line", 0.8)
        canvas.rect(left + 1.5, upper + 1.5, wide - 3, high - 3, "f-panel", edge[0], corner=4, line=edge[1])
        canvas.text(left + 5, upper + 12.5, str(n), SMALL, fill="f-muted")
        if here:
            _barrel(canvas, left + wide - 18, upper + 4)
        first = say("{count} of", count=gives.count) if gives.source else coins(gives.coins)
        second = PILES[gives.source] if gives.source else say("or {cards}", cards=cards(gives.cards))
        canvas.text(left + wide / 2, upper + 25, first, SMALL, at="middle", room=wide - 6)
        canvas.text(left + wide / 2, upper + 36.5, second, SMALL, at="middle", room=wide - 6)
        canvas.end()
    return y + 2 * high


def _barrel(canvas: Canvas, x: float, y: float) -> None:
    points = ((2, 0), (10, 0), (12, 5.5), (10, 11), (2, 11), (0, 5.5))
    canvas.shape(((x + dx, y + dy) for dx, dy in points), "f-barrel", "s-ink", line=1)
    for dy in (3.0, 8.0):
        canvas.stroke(x + 1, y + dy, x + 11, y + dy, "s-ink", line=0.9)


def _towns(canvas: Canvas, view: View, x: float, y: float) -> float:
    """The piles in two columns, the top coin first."""
    wide = WIDE / 2
    for n, town in enumerate(view.towns):
        left, upper = x + n % 2 * wide, y + n // 2 * 22
        canvas.begin("pile", town=town.town)
        canvas.text(left, upper + 12, f"T{town.town}", NORMAL, bold=True)
        shown = [_coin(canvas, name, f"town {town.town}") for name in town.coins]
        canvas.flow(shown or [words(canvas, say("empty"))], left + 21, upper, wide - 20)
        canvas.end()
    return y + (len(view.towns) + 1) // 2 * 22


def _coin(canvas: Canvas, name: str, at: str) -> Item:
    def draw(x: float, y: float) -> None:
        canvas.begin("coin", kind=name, at=at, count=1)
        tile(canvas, name, canvas.initial(COIN_WORDS[name]), x, y + 2, 13, round_=True)
        canvas.end()

    return Item(13, draw)


def _coins(canvas: Canvas, counts: Counts, at: str, many: int = 4) -> Iterator[Item]:
    for name in COINS:
        if number := counts.get(name, 0):

            def draw(x: float, y: float, name: str = name) -> None:
                tile(canvas, name, canvas.initial(COIN_WORDS[name]), x, y + 2, 13, round_=True)

            yield from tokens(canvas, "coin", number, 13, draw, many, kind=name, at=at)


def clan(canvas: Canvas, view: View, seat: SeatView, y: float) -> float:
    """The panel of a clan: what it has in hand, where its ships are, and their cargoes. Gives its lower edge."""
    at, top, own = len(canvas.lines), y, seat.seat
    canvas.begin("seat", seat=own)
    marks: list[str] = [say("Seat {seat}", seat=own)]
    marks += [say("to choose")] if own in view.asked else [say("has chosen")] if own in view.sealed else []
    marks += [say("active")] if own == view.active and own not in view.asked else []
    marks += [say("you")] if own == view.seat else []
    marks += [say("resigned")] if seat.resigned else []
    marks += [say("called the end")] if view.end is not None and view.end.seat == own else []
    marks += [say("partner of {seat}", seat=s) for team in view.teams if own in team for s in team if s != own]
    emblem(canvas, own, MARGIN + 13, y + 13, 8)
    fill = "f-alert" if own in view.asked else "f-ink"
    room = WIDTH - 2 * MARGIN - 32
    canvas.text(MARGIN + 28, y + 17, listed(marks), NORMAL, bold=True, fill=fill, room=room)
    holds: list[str] = [
        say("{coins} in coins", coins=seat.coins),
        say("{ships} home", ships=len(seat.piers)),
        say("deck {cards}", cards=seat.deck_size),
        say("turn {turn}", turn=seat.turns),
    ]
    holds += [say("cards in hand count")] if seat.cards_count else []
    canvas.text(MARGIN + 28, y + 31, listed(holds), SMALL, fill="f-muted", room=room)
    hand = view.hand if own == view.seat and view.hand is not None else seat.hand or (None,) * seat.hand_size
    row = [words(canvas, say("hand")), *(_card(canvas, own, value) for value in hand)]
    if own == view.seat and view.fog_cards:
        row += [
            SPACE,
            words(canvas, say("in the fog")),
            *(_card(canvas, own, value, "hidden") for value in view.fog_cards),
        ]
    elif seat.fog is not None:
        row += [SPACE, words(canvas, say("{cards} in the fog", cards=cards(seat.fog.cards)))]
    y = (
        canvas.flow(row if len(row) > 1 else [words(canvas, say("no cards in hand"))], MARGIN + 8, y + 36, WIDTH - 32)
        + 4
    )
    for ship in seat.ships:
        y = _line(canvas, seat, ship, y)
    if own == view.seat and view.deck is not None:
        told = say("Left in your deck, in no order: {cards}", cards=" ".join(map(str, view.deck)) or say("nothing"))
        y = canvas.paragraph(MARGIN + 8, y, WIDTH - 32, told, SMALL, fill="f-muted")
    canvas.end()
    canvas.boxed(at, MARGIN, top, WIDTH - 2 * MARGIN, y - top + 3)
    return y + 3


def _card(canvas: Canvas, seat: int, value: int | None, kind: str = "hand") -> Item:
    def draw(x: float, y: float) -> None:
        canvas.begin(f"card {kind}", seat=seat, **({} if value is None else {"card": value}))
        card(canvas, None if value is None else str(value), x, y)
        canvas.end()

    return Item(12 if value is None else 16, draw)


PILES = {"discard": say("discard"), "central": say("central")}
"""Where cards of choice come from, as it stands below their number."""
PLACES = {
    "fjord": say("in the fjord"),
    "hidden": say("in the fog"),
    "home": say("home"),
    "reserve": say("in reserve"),
}


def _line(canvas: Canvas, seat: SeatView, ship: ShipView, y: float) -> float:
    """Where a ship is, how far it has to go, and its cargo. One that is neither on the ring nor in
    its fjord is drawn here."""
    x = MARGIN + 8
    if ship.at not in ("sea", "fjord"):
        canvas.begin("ship", seat=seat.seat, ship=ship.ship, at=ship.at)
        hull(canvas, seat.seat, ship.ship, x, y + 1)
        canvas.end()
    else:
        canvas.text(x + 16, y + 16, f"{seat.seat}.{ship.ship}", NORMAL, at="middle", bold=True)
    where: Said = say("on cell {cell}", cell=ship.cell) if ship.at == "sea" else PLACES[ship.at]
    if ship.way_home is not None:
        where = say("{where}, {steps} to go", where=where, steps=ship.way_home)
    cargo: list[Item] = []
    if ship.rank is not None:
        lying = list(_coins(canvas, seat.cargo[ship.rank - 1], f"cargo {seat.seat}.{ship.rank}", 3))
        cargo = [words(canvas, say("cargo {rank}:", rank=ship.rank)), *(lying or [words(canvas, say("none"))])]
    right = WIDTH - MARGIN - 6
    left = min(x + 195, right - sum(item.width + 3 for item in cargo))
    canvas.text(x + 40, y + 16, where, NORMAL, room=left - x - 46 if cargo else None)
    canvas.flow(cargo, left, y + TOKEN / 4, right - left)
    return y + 28
