"""What lies on the island inside the ring, piles of coins, the bag and the common cards, and the clans' panels."""

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
    Place,
    card,
    emblem,
    tokens,
    words,
)
from holmgang.engine.messages import Said, listed, say

from .coast import COINS
from .deities import HIGH, WIDE, deity
from .effects import Counts
from .ring import CELL, INSIDE, SIDE
from .shield import WIDE as SHIELD
from .shield import shield
from .ships import STROKES, longship
from .views import SeatView, ShipView, View
from .wording import COIN_WORDS, cards, way_told

ROOM = (SIDE - 1) * CELL - 12
COIN = 13.0
DISC = "M0 6 C0 -2 12 -2 12 6 C12 14 0 14 0 6 Z M1.6 6 C1.6 0.2 10.4 0.2 10.4 6 C10.4 11.8 1.6 11.8 1.6 6 Z"
"""A coin with its edge."""


def middle(canvas: Canvas, view: View, top: float) -> None:
    """The shield beside the piles of the towns, and below them what lies in the bag and the common piles."""
    x, y = INSIDE + 6, top + INSIDE + 5
    canvas.rect(x - 1, y, ROOM + 2, (SIDE - 1) * CELL - 10, "f-panel", "s-line", corner=8, line=0.8)
    canvas.text(x + 5, y + 12, say("Loot shield, the barrel on one cell"), SMALL, fill="f-muted", room=ROOM - 10)
    below = shield(canvas, view, x - 1, y + 14)
    left = x + SHIELD
    for n, town in enumerate(view.towns):
        upper = y + 18 + n * 20
        canvas.begin("pile", town=town.town)
        canvas.text(left, upper + 12, f"T{town.town}", NORMAL, bold=True)
        shown = [_coin(canvas, name, f"town {town.town}") for name in town.coins]
        canvas.flow(shown or [words(canvas, say("empty"))], left + 18, upper, ROOM - SHIELD - 14)
        canvas.end()
    x += 5
    y = canvas.flow([words(canvas, say("bag")), *_coins(canvas, view.bag, "bag", 1)], x, below + 1, ROOM - 10) + 1
    _piles(canvas, view, x, y)


def _piles(canvas: Canvas, view: View, x: float, y: float) -> None:
    """The central pile, face down, and the discard, of which everybody knows what lies there."""
    half = (ROOM - 12) / 2
    canvas.text(x, y + 10, say("Central pile: {count}", count=view.central_size), SMALL, fill="f-muted", room=half)
    canvas.begin("central", count=view.central_size)
    for n in range(min(3, view.central_size)):
        back(canvas, x + 3 * n, y + 14 - n, 22, 29)
    if not view.central_size:
        canvas.rect(x, y + 14, 22, 29, "n", "s-line", corner=3, dash="2 2")
    canvas.end()
    left, x = x, x + 60
    canvas.begin("discard", count=len(view.discard))
    told = say("Discard: {count}", count=len(view.discard))
    canvas.text(left + 2 * half, y + 10, told, SMALL, fill="f-muted", at="end", room=half)
    if not view.discard:
        canvas.rect(x, y + 14, 22, 29, "n", "s-line", corner=3, dash="2 2")
    lying: list[Item] = []
    for value in sorted(set(view.discard)):

        def draw(x: float, y: float, value: int = value) -> None:
            card(canvas, str(value), x, y)

        lying += tokens(canvas, "thrown", view.discard.count(value), 16, draw, 2, card=value)
    canvas.flow(lying, x, y + 13, ROOM - 69, 16)
    canvas.end()


def back(canvas: Canvas, x: float, y: float, wide: float, high: float) -> None:
    """A card of the deities, face down."""
    canvas.rect(x, y, wide, high, "f-muted", "s-ink", corner=3, line=0.9)
    canvas.rect(x + 3, y + 3, wide - 6, high - 6, "n", "s-paper", corner=2, line=0.8)


def coin(canvas: Canvas, name: str, x: float, y: float) -> None:
    """Of a kind, with the letter of its name."""
    canvas.outline(x, y, DISC, f"f-{name}", "s-ink", line=0.8)
    canvas.text(x + 6, y + 9, canvas.initial(COIN_WORDS[name]), 9, fill=f"o-{name}", at="middle", bold=True)


def _coin(canvas: Canvas, name: str, at: str) -> Item:
    def draw(x: float, y: float) -> None:
        canvas.begin("coin", kind=name, at=at, count=1)
        coin(canvas, name, x, y + 2)
        canvas.end()

    return Item(COIN - 5, draw)


def _coins(canvas: Canvas, counts: Counts, at: str, many: int = 4) -> Iterator[Item]:
    for name in COINS:
        if number := counts.get(name, 0):

            def draw(x: float, y: float, name: str = name) -> None:
                coin(canvas, name, x, y + 2)

            yield from tokens(canvas, "coin", number, COIN, draw, many, kind=name, at=at)


def clan(canvas: Canvas, view: View, seat: SeatView, y: float) -> float:
    """The panel of a clan: what it has in hand, where its ships are, and their cargoes. Gives its lower edge."""
    at, top, own = len(canvas.lines), y, seat.seat
    canvas.begin("seat", seat=own)
    marks: list[str] = [say("Seat {seat}", seat=own)]
    marks += [say("to choose")] if own in view.asked else [say("has chosen")] if own in view.sealed else []
    marks += [say("on the move")] if own == view.active and own not in view.asked and view.result is None else []
    marks += [say("you")] if own == view.seat else []
    marks += [say("resigned")] if seat.resigned else []
    marks += [say("ended the game")] if view.end is not None and view.end.seat == own else []
    marks += [say("partner of {seat}", seat=s) for team in view.teams if own in team for s in team if s != own]
    emblem(canvas, own, MARGIN + 13, y + 13, 8)
    fill = "f-alert" if own in view.asked else "f-ink"
    room = WIDTH - 2 * MARGIN - 32
    canvas.text(MARGIN + 28, y + 17, listed(marks), NORMAL, bold=True, fill=fill, room=room)
    holds: list[str] = [
        say("{coins} in coins", coins=seat.coins),
        say("{ships} home", ships=len(seat.piers)),
        say("own deck {cards}", cards=seat.deck_size),
        say("turn {turn}", turn=seat.turns),
    ]
    holds += [say("cards in hand count")] if seat.cards_count else []
    canvas.text(MARGIN + 28, y + 31, listed(holds), SMALL, fill="f-muted", room=room)
    if seat.deck_size:
        canvas.begin("deck", seat=own)
        back(canvas, WIDTH - MARGIN - 22, y + 6, 15, 20)
        canvas.end()
    y = _hand(canvas, view, seat, y + 36) + 4
    for ship in seat.ships:
        y = _line(canvas, seat, ship, y)
    if own == view.seat and view.deck is not None:
        told = say("Left in your deck, in no order: {cards}", cards=" ".join(map(str, view.deck)) or say("nothing"))
        y = canvas.paragraph(MARGIN + 8, y, WIDTH - 32, told, SMALL, fill="f-muted")
    canvas.end()
    canvas.boxed(at, MARGIN, top, WIDTH - 2 * MARGIN, y - top + 3)
    return y + 3


def _hand(canvas: Canvas, view: View, seat: SeatView, y: float) -> float:
    """Open cards large, others' as backs, and what lies under a hidden ship. Gives the lower edge."""
    own = seat.seat
    hand = view.hand if own == view.seat and view.hand is not None else seat.hand
    fog: list[Item] = []
    if own == view.seat and view.fog_cards:
        fog = [words(canvas, say("in the fog")), *(_card(canvas, own, value, "hidden") for value in view.fog_cards)]
    elif seat.fog is not None:
        fog = [words(canvas, say("{cards} in the fog", cards=cards(seat.fog.cards)))]
    backs = () if hand else (None,) * seat.hand_size
    said = say("hand") if backs else say("no cards in hand")
    row = [words(canvas, said), *(_card(canvas, own, value) for value in backs), SPACE] if not hand else []
    if row or fog:
        y = canvas.flow([*row, *fog], MARGIN + 8, y, WIDTH - 32) + 2
    return canvas.flow([_large(canvas, own, value) for value in hand or ()], MARGIN + 8, y, WIDTH - 32, HIGH)


def _card(canvas: Canvas, seat: int, value: int | None, kind: str = "hand") -> Item:
    def draw(x: float, y: float) -> None:
        if value is None:
            back(canvas, x, y, 11, 15)
        else:
            card(canvas, str(value), x, y)

    return Item(12 if value is None else 16, _of(canvas, seat, value, kind, draw))


def _large(canvas: Canvas, seat: int, value: int) -> Item:
    return Item(WIDE, _of(canvas, seat, value, "hand", lambda x, y: deity(canvas, value, x, y)))


def _of(canvas: Canvas, seat: int, value: int | None, kind: str, draw: Place) -> Place:
    """What draws a card in a group that tells whose it is."""

    def grouped(x: float, y: float) -> None:
        canvas.begin(f"card {kind}", seat=seat, **({} if value is None else {"card": value}))
        draw(x, y)
        canvas.end()

    return grouped


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
        longship(canvas, seat.seat, ship.ship, x + 1, y - 1, 0.8)
        canvas.end()
    else:
        canvas.text(x + 16, y + 16, STROKES[ship.ship], NORMAL, at="middle", bold=True)
    where: Said = say("on cell {cell}", cell=ship.cell) if ship.at == "sea" else PLACES[ship.at]
    if ship.way_home is not None:
        where = way_told(where, ship.way_home)
    cargo: list[Item] = []
    if ship.rank is not None:
        lying = list(_coins(canvas, seat.cargo[ship.rank - 1], f"cargo {seat.seat}.{ship.rank}", 3))
        cargo = [words(canvas, say("cargo:")), *(lying or [words(canvas, say("none"))])]
    right = WIDTH - MARGIN - 6
    left = min(x + 230, right - sum(item.width + 3 for item in cargo))
    canvas.text(x + 36, y + 16, where, NORMAL, room=left - x - 40 if cargo else None)
    canvas.flow(cargo, left, y + TOKEN / 4, right - left)
    return y + 28
