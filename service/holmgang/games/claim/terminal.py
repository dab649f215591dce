"""Claim at a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.text import Text

from holmgang.engine.messages import how_many
from holmgang.engine.moves import MoveSpace
from holmgang.games.claim.rules.island import COLUMNS, POINT, Island, Part, island
from holmgang.games.claim.rules.model import Castle, Claim, Move, Place, Remove, Stake
from holmgang.games.claim.rules.moving import Nets, ways
from holmgang.games.claim.rules.views import View, context, state_of
from holmgang.games.claim.rules.work import occupied
from holmgang.terminal.choosers import Chooser, Composing, Narrowing, Option, Unclear
from holmgang.terminal.fitting import Fitted, Grid
from holmgang.terminal.screen import letter, seat_text, style_of
from holmgang.terminal.table import People

WIDEST, MARGIN = 80, 4
"""Columns: of the island at most, and beside its points."""


class ClaimFace:
    rule_of: Mapping[str, str] = {
        "placement": "K2.1",
        "removal": "K2.2",
        "claim": "K5",
        "move": "K3.1",
        "chase": "K4.3",
        "castle": "K4.4",
    }
    boards_at = frozenset({"placement", "removal", "claim", "move", "chase", "castle"})

    # The board

    def board(self, view: View, people: People) -> RenderableType:
        table = Grid(padding=(0, 1), box=box.ROUNDED)
        for name in ("player", "pieces", "to place", "castles", "in hand", "caught from them", "taken off"):
            table.add_column(name, justify="left" if name == "player" else "right", no_wrap=True)
        for seat in view.seats:
            you = " (you)" if seat.seat == people.me else ""
            gone = " resigned" if seat.resigned else ""
            player = seat_text(seat.seat, f"{letter(seat.seat)} {people.name(seat.seat)}"[:16] + you + gone)
            castles = " ".join(str(t.number) for t in view.territories if t.castle == seat.seat) or "-"
            numbers = (len(seat.pieces), seat.to_place or "-", castles, seat.castles_in_hand, seat.caught, seat.removed)
            table.add_row(player, *map(str, numbers))
        key = Text("letters are pieces, capitals castles, numbers free points of that territory", style="dim")
        head = Text("Battle" if any(seat.battle_turns for seat in view.seats) else "Before the battle", style="bold")
        partners = [team for team in view.teams if len(team) > 1]
        if partners:
            head.append("   partners: " + ", ".join(" and ".join(people.name(s) for s in team) for team in partners))
        return Group(head, Fitted(lambda width: self._island(view, min(width, WIDEST))), key, table)

    def _island(self, view: View, width: int) -> Text:
        """Its points with room between them if they fit into the width; if they do not fit close together either, in
        parts, from left to right."""
        land = _land(view)
        marks: dict[str, Text] = {name: Text(str(land.territory[n]), style="dim") for n, name in enumerate(land.names)}
        for seat in view.seats:
            marks.update({point: seat_text(seat.seat, letter(seat.seat)) for point in seat.pieces})
        for territory in view.territories:
            if territory.castle is not None and territory.castle_point is not None:
                style = f"reverse {style_of(territory.castle)}"
                marks[territory.castle_point] = Text(letter(territory.castle).upper(), style=style)
        rows = max(int(name[1:]) for name in land.names)
        wide = max(COLUMNS.index(name[0]) for name in land.names) + 1
        gap = 2 if MARGIN + 3 * wide <= width else 1
        most = max(1, (width - MARGIN) // (gap + 1))
        parts = [range(first, min(first + most, wide)) for first in range(0, wide, most)]
        return Text("\n").join(self._part(land, marks, rows, columns, gap) for columns in parts)

    def _part(self, land: Island, marks: Mapping[str, Text], rows: int, columns: range, gap: int) -> Text:
        told = Text("    " + "".join(COLUMNS[x] + " " * gap for x in columns).rstrip(), style="bold")
        for row in range(1, rows + 1):
            told.append("\n")
            told.append_text(self._edge(land, row, columns, gap))
            told.append(f"\n{row:2} ", style="bold")
            for x in (*columns, columns.stop):
                here, before = _at(land, x, row), _at(land, x - 1, row)
                told.append("|" if here != before else " ")
                if x in columns:
                    told.append_text(marks.get(f"{COLUMNS[x]}{row}", Text(" ")))
                    told.append(" " * (gap - 1))
        told.append("\n")
        told.append_text(self._edge(land, rows + 1, columns, gap))
        return told

    def _edge(self, land: Island, row: int, columns: range, gap: int) -> Text:
        """The line above a row: drawn where one territory, or the sea, ends."""
        told = "   "
        for x in (*columns, columns.stop):
            corner = {_at(land, x - dx, row - dy) for dx in (0, 1) for dy in (0, 1)}
            line = x in columns and _at(land, x, row) != _at(land, x, row - 1)
            left = _at(land, x - 1, row) != _at(land, x - 1, row - 1)
            told += "+" if len(corner) > 1 and (line or left) else "|" if len(corner) > 1 else " "
            told += ("-" if line else " ") * gap if x in columns else ""
        return Text(told.rstrip(), style="dim")

    # Words

    def question(self, view: View, people: People) -> str:
        assert view.seat is not None
        about = context(view)
        me = view.seats[view.seat]
        if view.phase == "placement":
            return f"Put two pieces on free points ({me.to_place} {_are(me.to_place)} left to place)."
        if view.phase == "removal":
            most = ", ".join(f"at most {n} of {people.name(int(seat))}" for seat, n in about["most"].items())
            return f"Take {how_many(about['remove'], 'enemy piece')} off: {most}."
        if view.phase == "claim":
            ground = "; ".join(f"territory {t} on {', '.join(free)}" for t, free in about["claimable"].items())
            return f"You may claim with the {how_many(me.castles_in_hand, 'castle')} in your hand: {ground}."
        if view.phase == "castle":
            return (
                f"Put a castle of yours in the place of the caught one, in territory {' or '.join(map(str, view.due))}."
            )
        if view.phase == "chase":
            return f"Your piece on {view.chaser} may go on with another catch, or stop."
        left = about.get("turns_left")
        told = "" if left is None else f" ({how_many(left, 'turn')} {_are(left)} left)"
        return f"Move a piece: a step to a free neighbour, or jumps{told}."

    def words(self, action: Any, view: View, people: People) -> str:
        match action:
            case Place() | Remove():
                verb = "place" if isinstance(action, Place) else "take off"
                return f"{verb} {' and '.join(action.points)}"
            case Claim():
                stakes = " and ".join(f"territory {stake.territory} on {stake.point}" for stake in action.castles)
                return f"claim {stakes}" if stakes else "claim nothing"
            case Move():
                land = _land(view)
                return self._moved(action, land, Nets(land, state_of(view), people.me), people)
            case Castle():
                return f"a castle on {action.point}"
            case _:
                return "stop here"

    def _moved(self, action: Move, land: Island, nets: Nets, people: People) -> str:
        start, end = land.numbers[action.path[0]], land.numbers[action.path[-1]]
        between = f" by {', '.join(action.path[1:-1])}" if len(action.path) > 2 else ""
        caught = [
            f"{'castle' if castle else 'piece'} of {people.name(foe)} on {land.names[point]}"
            for foe, point, castle, _ in nets.catches(start, end)
        ]
        catch = f", catching a {' and a '.join(caught)}" if caught else ""
        return f"{action.path[0]} to {action.path[-1]}{between}{catch}"

    # Choosing

    def chooser(self, view: View, people: People, space: MoveSpace[Any]) -> Chooser:
        if view.phase in ("placement", "removal"):
            return self._points(view, space)
        if view.phase == "claim":
            return self._claiming(view, people, space)
        land = _land(view)
        nets = Nets(land, state_of(view), people.me)
        options = []
        for action in space:
            if isinstance(action, Move):
                words = self._moved(action, land, nets, people)
                options.append(Option(action, words, (f"the piece on {action.path[0]}",)))
            else:
                options.append(Option(action, self.words(action, view, people), ("",)))
        options.sort(key=lambda option: "catching" not in option.words)
        return Narrowing(options, ("Which piece? (`catching` shows the moves that catch)",))

    def _points(self, view: View, space: MoveSpace[Any]) -> Composing:
        grammar = space.grammar()
        make: Any = Place if view.phase == "placement" else Remove
        rule = self.rule_of[view.phase]
        number = int(grammar["points"])
        if view.phase == "placement":
            there: Collection[str] = set(grammar["free"])
            fault = "is not free"
        else:
            there = {point for points in grammar["pieces"].values() for point in points}
            fault = "has no enemy piece"

        def read(words: list[str], chosen: list[Any]) -> list[Any]:
            found: list[Any] = []
            for word in words:
                if not POINT.fullmatch(word):
                    raise Unclear(f"'{word}' is no point: points are a letter and a number, such as c4.")
                if word not in there:
                    raise Unclear(f"{word} {fault}.", rule)
                if word in (*chosen, *found):
                    raise Unclear(f"{word} is chosen already.", rule)
                found.append(word)
            both = [*chosen, *found]
            if len(both) >= number and (no := space.why_not(make(points=tuple(both[:number])))) is not None:
                raise Unclear(no.detail, no.rule)
            if len(both) > number:
                raise Unclear(f"That makes {how_many(len(both), 'point')}; {number} {_are(number)} asked for.", rule)
            return found

        def told(chosen: list[Any]) -> list[str]:
            return [f"Chosen: {' '.join(chosen) or 'none yet'}; {number - len(chosen)} to choose."]

        how = f"Type {how_many(number, 'point')}, such as c4, at once or one after another."
        return Composing(read, lambda chosen: make(points=tuple(chosen)), told, how, exactly=number)

    def _claiming(self, view: View, people: People, space: MoveSpace[Any]) -> Composing:
        land = _land(view)

        def make(points: list[Any]) -> Claim:
            return Claim(
                castles=tuple(Stake(territory=land.territory[land.numbers[point]], point=point) for point in points)
            )

        def read(words: list[str], chosen: list[Any]) -> list[Any]:
            for word in words:
                if not POINT.fullmatch(word):
                    raise Unclear(f"'{word}' is no point: points are a letter and a number, such as c4.")
                if word not in land.numbers:
                    raise Unclear(f"The island has no point {word}.", "K1.1")
            if (fault := space.why_not(make([*chosen, *words]))) is not None:
                raise Unclear(fault.detail, fault.rule)
            return words

        def told(chosen: list[Any]) -> list[str]:
            return [f"So far: {self.words(make(chosen), view, people)}. `ok` does it."]

        return Composing(read, make, told, "Type a point for each castle, such as g3, then `ok`; `ok` alone declines.")

    def typed(self, line: str, view: View) -> Any:
        words = re.findall(r"[\w]+", line.lower())
        points = tuple(word for word in words if word != "to")
        if not points or not all(POINT.fullmatch(point) for point in points):
            return None
        if view.phase in ("move", "chase") and len(points) > 1:
            return self._path(points, view)
        if view.phase == "castle" and len(points) == 1:
            return Castle(point=points[0])
        return None

    def _path(self, points: tuple[str, ...], view: View) -> Move:
        """The whole path where only its ends were typed, if there is one."""
        assert view.seat is not None
        if len(points) == 2:
            land, state = _land(view), state_of(view)
            if points[0] in land.numbers and points[1] in land.numbers:
                start, end = land.numbers[points[0]], land.numbers[points[1]]
                if state.pieces[view.seat] >> start & 1:
                    path = ways(land, occupied(state), start).get(end)
                    if path is not None:
                        return Move(path=tuple(land.names[p] for p in path))
        return Move(path=points)


def _land(view: View) -> Island:
    return island(tuple(Part(**part) for part in view.options["layout"]))


def _at(land: Island, x: int, row: int) -> int | None:
    """The territory of a place, None for the sea."""
    if not 0 <= x < len(COLUMNS):
        return None
    point = land.numbers.get(f"{COLUMNS[x]}{row}")
    return None if point is None else land.territory[point]


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
