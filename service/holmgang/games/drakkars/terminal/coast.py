"""The coast of Drakkars as text: a ring of 36 cells with the shield, the towns and the piles inside it, or a list."""

from __future__ import annotations

from rich.text import Text

from holmgang.games.drakkars.rules.coast import CELLS
from holmgang.games.drakkars.rules.views import View
from holmgang.terminal.screen import letter, style_of

ACROSS, DOWN = 13, 7
CELL_WIDE, CELL_HIGH = 6, 3
WIDE, HIGH = ACROSS * CELL_WIDE + 1, DOWN * CELL_HIGH + 1
LEFT, TOP = CELL_WIDE + 3, CELL_HIGH + 2
TOWN = "bold reverse"
SHIELD, TOWNS = "Loot shield", "Towns, their coins from the top"


def place(cell: int) -> tuple[int, int]:
    """Column and row of a cell: clockwise from the upper left."""
    corners = (ACROSS - 1, ACROSS + DOWN - 2, 2 * ACROSS + DOWN - 3)
    if cell <= corners[0]:
        return cell, 0
    if cell <= corners[1]:
        return ACROSS - 1, cell - corners[0]
    if cell <= corners[2]:
        return corners[2] - cell, DOWN - 1
    return 0, CELLS - cell


class Sheet:
    """Characters with styles, written anywhere."""

    def __init__(self, wide: int, high: int) -> None:
        self.rows = [[(" ", "")] * wide for _ in range(high)]

    def write(self, x: int, y: int, words: str, style: str = "") -> None:
        row = self.rows[y]
        for n, character in enumerate(words[: len(row) - x]):
            row[x + n] = (character, style)

    def text(self) -> Text:
        return Text("\n").join(Text.assemble(*row) for row in self.rows)


def coast(view: View, width: int) -> Text:
    """The ring, or all that it tells in lines where it is too wide."""
    return _ring(view) if width >= WIDE else _listed(view)


def _ring(view: View) -> Text:
    sheet = Sheet(WIDE, HIGH)
    for cell in range(CELLS):
        column, row = place(cell)
        x, y = column * CELL_WIDE, row * CELL_HIGH
        for dy in (0, CELL_HIGH):
            sheet.write(x, y + dy, "+" + "-" * (CELL_WIDE - 1) + "+", "dim")
        for dy in range(1, CELL_HIGH):
            sheet.write(x, y + dy, "|", "dim")
            sheet.write(x + CELL_WIDE, y + dy, "|", "dim")
    for cell in range(CELLS):
        column, row = place(cell)
        _cell(sheet, view, cell, column * CELL_WIDE, row * CELL_HIGH)
    for seat in view.seats:
        _fjord(sheet, seat.seat, seat.fjord)
    _middle(sheet, view)
    return sheet.text()


def _cell(sheet: Sheet, view: View, cell: int, x: int, y: int) -> None:
    sheet.write(x + 1, y + 1, str(cell), "dim")
    town = next((town for town in view.towns if town.cell == cell), None)
    if town is not None:
        sheet.write(x + 4, y + 1, f"T{town.town}", TOWN)
    there = _ships(view, cell)
    for n, (mark, style) in enumerate(there[:2]):
        sheet.write(x + 1 + 3 * n, y + 2, mark, f"{style} reverse")
    if len(there) > 2:
        sheet.write(x + 3, y + 2, "+", "bold")


def _ships(view: View, cell: int) -> list[tuple[str, str]]:
    """Marks of ships, and of those in the fog, with their styles."""
    there = [
        (f"{letter(seat.seat)}{ship.ship}", style_of(seat.seat))
        for seat in view.seats
        for ship in seat.ships
        if ship.cell == cell
    ]
    there += [
        (f"{letter(seat.seat)}?", style_of(seat.seat))
        for seat in view.seats
        if seat.fog is not None and seat.fog.cell == cell
    ]
    return there


def _fjord(sheet: Sheet, seat: int, cell: int) -> None:
    """A mouth in the outer edge of its cell."""
    column, row = place(cell)
    x, y = column * CELL_WIDE, row * CELL_HIGH
    mark = f"<{letter(seat)}>"
    if row in (0, DOWN - 1):
        sheet.write(x + 2, y if row == 0 else y + CELL_HIGH, mark, style_of(seat))
    else:
        edge = 0 if column == 0 else WIDE - 1
        sheet.write(edge, y + 1, letter(seat), f"{style_of(seat)} reverse")
        sheet.write(edge, y + 2, letter(seat), f"{style_of(seat)} reverse")


def _middle(sheet: Sheet, view: View) -> None:
    y = TOP
    sheet.write(LEFT, y, SHIELD, "bold")
    for n, told in enumerate(_shield(view)):
        sheet.write(LEFT + 31 * (n // 4), y + 1 + n % 4, told[:30], "bold" if n == view.barrel else "")
    y += 6
    sheet.write(LEFT, y, TOWNS, "bold")
    for n, told in enumerate(_towns(view)):
        sheet.write(LEFT + 20 * (n % 3), y + 1 + n // 3, told)
    sheet.write(LEFT, y + 5, "   ".join(_piles(view)))


def _shield(view: View) -> list[str]:
    return [f"{'>' if n == view.barrel else ' '}{n} {gives}" for n, gives in enumerate(view.options["shield"])]


def _towns(view: View) -> list[str]:
    return [f"T{town.town} {' '.join(coin[0] for coin in town.coins) or 'empty'}" for town in view.towns]


def _piles(view: View) -> tuple[str, ...]:
    coins = " ".join(f"{n}{name[0]}" for name, n in view.bag.items()) or "empty"
    return f"bag {coins}", f"central pile {view.central_size}", f"discard {len(view.discard)}"


def _listed(view: View) -> Text:
    """Cell by cell, clockwise."""
    fjords = {seat.fjord: seat.seat for seat in view.seats}
    towns = {town.cell: town.town for town in view.towns}
    told = Text("Cells, clockwise:", style="bold")
    for cell in range(CELLS):
        told.append(f" {cell}", style="dim")
        if cell in fjords:
            told.append(f"<{letter(fjords[cell])}>", style=style_of(fjords[cell]))
        if cell in towns:
            told.append(f":T{towns[cell]}", style=TOWN)
        for mark, style in _ships(view, cell):
            told.append(f":{mark}", style=style)
    told.append(f"\n{SHIELD}:", style="bold")
    told.append(f" {'; '.join(each.strip() for each in _shield(view))}")
    told.append(f"\n{TOWNS}:", style="bold")
    told.append(f" {'; '.join(_towns(view))}\n{', '.join(_piles(view))}")
    return told
