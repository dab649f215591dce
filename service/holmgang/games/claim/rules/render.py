"""The island as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.messages import ENGLISH, Tongue, counted, say, template

from .island import COLUMNS, Part, island
from .views import View

PIECE_LETTERS = "abcd"
"""One a seat; castles are the capitals."""


def render(view: View, tongue: Tongue = ENGLISH) -> str:
    """Points as a map: a dot is free, a letter a piece of that seat (a is seat 0), a capital a castle."""
    return "\n".join(map(tongue.into, _lines(view)))


def _lines(view: View) -> Iterator[str]:
    layout = tuple(Part(**part) for part in view.options["layout"])
    land = island(layout)
    marks = dict.fromkeys(land.names, ".")
    for seat in view.seats:
        marks.update(dict.fromkeys(seat.pieces, PIECE_LETTERS[seat.seat]))
    for territory in view.territories:
        if territory.castle is not None and territory.castle_point is not None:
            marks[territory.castle_point] = PIECE_LETTERS[territory.castle].upper()
    columns = sorted({name[0] for name in land.names})
    rows = sorted({int(name[1:]) for name in land.names})
    yield "    " + " ".join(COLUMNS[COLUMNS.index(columns[0]) : COLUMNS.index(columns[-1]) + 1])
    for row in rows:
        line = " ".join(marks.get(f"{column}{row}", " ") for column in columns)
        yield f"{row:3} {line}".rstrip()
    for seat in view.seats:
        letter = PIECE_LETTERS[seat.seat]
        who = say("seat {seat} ({letter})", seat=seat.seat, letter=letter)
        castles = sum(t.castle == seat.seat for t in view.territories)
        yield say(
            "{who}: {pieces}, {castles}, lost {caught} to catches and {removed} to removals, turn {turn}",
            who=say("{who} (resigned)", who=who) if seat.resigned else who,
            pieces=counted(len(seat.pieces), template("{count} piece"), template("{count} pieces")),
            castles=counted(castles, template("{count} castle"), template("{count} castles")),
            caught=seat.caught,
            removed=seat.removed,
            turn=seat.battle_turns,
        )
