"""Eketorp at a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.text import Text

from holmgang.engine.messages import how_many
from holmgang.engine.moves import MoveSpace
from holmgang.games.eketorp.rules.board import ENGINES, FIELDS, HEIGHT, KINDS, ROUNDS
from holmgang.games.eketorp.rules.model import (
    Besiege,
    Build,
    Decline,
    Exchange,
    FightAction,
    Laid,
    Loot,
    Place,
    Play,
    Stand,
    Take,
)
from holmgang.games.eketorp.rules.views import SeatView, View
from holmgang.terminal.choosers import Chooser, Composing, Narrowing, Option, Unclear
from holmgang.terminal.fitting import Grid
from holmgang.terminal.screen import seat_text, style_of
from holmgang.terminal.table import People

STONE_STYLES = {"grass": "green", "wood": "yellow", "clay": "red", "stone": "bold"}
BY_LETTER = {kind[0]: kind for kind in KINDS}
_SIEGE = re.compile(r"([0-5]):?(catapult|boat|ram|cat|c|b|r)")
_ERRAND = re.compile(r"([a-g])([1-8]?)")
_LAID = re.compile(r"(grass|wood|clay|stone|[gwcs])([1-6])")


def stones(counts: Mapping[str, int]) -> Text:
    """`2g 1w`."""
    parts = [Text(f"{n}{kind[0]}", style=STONE_STYLES[kind]) for kind in KINDS if (n := counts.get(kind))]
    return Text(" ").join(parts) if parts else Text("-", style="dim")


def said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts.get(kind)) or "nothing"


class EketorpFace:
    rule_of: Mapping[str, str] = {
        "placement": "E3.2",
        "initiative": "E4.2",
        "amulets": "E4.3",
        "battle_card": "E4.4",
        "loot": "E4.7.5",
        "spoils": "E5.1",
        "building": "E5.3",
    }
    boards_at = frozenset({"placement", "initiative", "building"})

    # The board

    def board(self, view: View, people: People) -> RenderableType:
        first = "" if view.first is None else f"   first player {people.name(view.first)}"
        card = f"   card: {view.material_card}" if view.material_card else ""
        head = Text(f"Round {view.round} of {ROUNDS}{first}{card}", style="bold")
        box = Text.assemble("supply ", stones(view.supply), f"   deck {view.deck_size}, discarded {view.discarded}")
        key = Text("g grass 1, w wood 2, c clay 3, s stone 4; walls from the bottom up; < besiegers", style="dim")
        parts: list[RenderableType] = [head, self._fields(view, people), self._villages(view, people), box, key]
        if view.hand is not None:
            mine = Text.assemble("Your hand: ", (" ".join(map(str, view.hand)) or "no cards", "bold"))
            if view.choice is not None:
                mine.append(f"   your secret choice: {self.words(view.choice, view, people)}")
            parts.append(mine)
        return Group(*parts)

    def _fields(self, view: View, people: People) -> Grid:
        table = Grid(padding=0, box=box.ROUNDED)
        table.add_column("fields", width=16, no_wrap=True)
        for name in FIELDS:
            table.add_column(name, width=7, justify="center")
        table.add_row("stones", *(stones(view.fields[name].stones) for name in FIELDS))
        for seat in range(view.players):
            there = [view.fields[name].vikings.get(str(seat), 0) for name in FIELDS]
            if any(there):
                marks = [seat_text(seat, str(n)) if n else Text(".", style="dim") for n in there]
                table.add_row(seat_text(seat, f"{seat} {people.name(seat)}"), *marks)
        return table

    def _villages(self, view: View, people: People) -> Grid:
        table = Grid(padding=0, show_lines=True, box=box.ROUNDED)
        table.add_column("village", width=15)
        for name, width in (("home", 4), ("345 12 0", 8), ("hand", 4), ("pile", 5), ("am.", 3), ("pts", 3)):
            table.add_column(name, width=width, justify="center")
        for n, engine in enumerate(ENGINES):
            table.add_column(f"{engine}\n{2 * n + 1}   {2 * n + 2}", width=8, justify="center")
        for seat in view.seats:
            table.add_row(*self._village(view, seat, people))
        return table

    def _village(self, view: View, seat: SeatView, people: People) -> list[RenderableType]:
        name = seat_text(seat.seat, f"{seat.seat} {people.name(seat.seat)}")
        name.truncate(15)
        under = ["(you)"] if seat.seat == people.me else []
        under += ["resigned"] if seat.resigned else []
        under += ["keeps cards"] if seat.stands else []
        told = Text.assemble(name, "\n", " ".join(under))
        for label, counts in (("carries", seat.carried), ("aside", seat.aside)):
            if counts:
                told.append("\n" if under or label == "aside" else "")
                told.append_text(Text.assemble(f"{label} ", stones(counts)))
        hospital = "  ".join(str(seat.hospital.get(station, 0) or ".") for station in ("345", "12", "0"))
        cells: list[RenderableType] = [
            told,
            str(seat.home),
            hospital,
            str(seat.hand_size),
            " ".join(map(str, seat.pile)) or "-",
            str(seat.amulets),
            Text(str(seat.score), style="bold"),
        ]
        for n, engine in enumerate(ENGINES):
            siege = view.sieges[f"{seat.seat}:{engine}"]
            walls = Text(" ").join([_wall(seat.walls[2 * n]), _wall(seat.walls[2 * n + 1])])
            if siege.seats:
                walls.append("\n<")
                for other in siege.seats:
                    walls.append(f" {other}", style=style_of(other))
                walls.append(" won" if siege.settled else "")
            cells.append(walls)
        return cells

    # Words

    def question(self, view: View, people: People) -> str:
        assert view.seat is not None
        me = view.seats[view.seat]
        if view.phase == "placement":
            return (
                f"Send your {how_many(me.home, 'Viking')} out, in secret: to fields for stones, to siege spaces of"
                " others' villages; who is not sent defends."
            )
        if view.phase == "initiative":
            return "You must open a fight. Which?"
        if view.phase == "building":
            return f"Build {said(me.carried)} on your walls, in secret, one stone after another."
        if view.spoils is not None:
            field = view.spoils.field
            return f"Which stone does your Viking take from field {field} ({said(view.fields[field].stones)})?"
        combat = view.combat
        assert combat is not None
        fight = "besieges" if combat.kind == "siege" else "fights"
        who = f"Combat {combat.number}: {people.name(combat.attacker)} {fight} {people.name(combat.defender)}"
        where = f"{who} {'from' if combat.kind == 'siege' else 'on'} {combat.space}"
        if combat.undefended:
            where += " (nobody defends: that card counts 0)"
        hand = " ".join(map(str, view.hand or ()))
        if view.phase == "amulets":
            return (
                f"{where}. Your hand: {hand}. Swap the whole hand for new cards? It costs {me.hand_size} of your"
                f" {how_many(me.amulets, 'amulet')}."
            )
        if view.phase == "battle_card":
            return f"{where}. Choose a card in secret; your hand: {hand}. The other takes it afterwards."
        won = f"You have won at {combat.space} by {combat.difference}."
        return f"{won} What do you pull down, and which stone do you keep?"

    def words(self, action: Any, view: View, people: People) -> str:
        match action:
            case Place():
                errands = [f"{n} to {field}" for field, n in sorted(action.fields.items())]
                errands += [f"1 to {space} ({people.name(int(space[0]))})" for space in action.sieges]
                return ", ".join(errands) or "all stay at home"
            case FightAction():
                return f"fight {people.name(action.against)} ({action.against}) on {action.space}"
            case Besiege():
                return f"besiege {people.name(int(action.space[0]))} from {action.space}"
            case Exchange():
                return "swap the whole hand, for an amulet a card"
            case Stand():
                return "keep the hand" + (" for the rest of the round, without being asked" if action.until else "")
            case Play():
                return f"play {action.card}"
            case Loot():
                taken = " and ".join(f"{n} off wall {wall}" for wall, n in sorted(action.walls.items()))
                return f"pull down {taken}{self._off(action, view)}, keep {action.kept}"
            case Decline():
                return "take nothing"
            case Take():
                return f"take {action.stone}"
            case _:
                laid = ", ".join(f"{one.stone} on wall {one.wall}" for one in action.stones)
                return laid or "build nothing"

    def _off(self, action: Loot, view: View) -> str:
        """Which stones these are."""
        if view.combat is None or ":" not in view.combat.space:
            return ""
        walls = view.seats[int(view.combat.space[0])].walls
        off = [stone for wall, n in sorted(action.walls.items()) for stone in walls[int(wall) - 1][-n:]]
        return f" ({said(Counter(off))})"

    # Choosing

    def chooser(self, view: View, people: People, space: MoveSpace[Any]) -> Chooser:
        if view.phase == "placement":
            return self._placing(view, people, space)
        if view.phase == "building":
            return self._building(view, space)
        options = [
            Option(action, self.words(action, view, people), key=str(action.card) if isinstance(action, Play) else None)
            for action in space
        ]
        if view.phase == "loot":
            # What keeps the dearest stone first.
            options.sort(key=lambda o: -KINDS.index(o.action.kept) if isinstance(o.action, Loot) else 1)
        return Narrowing(options)

    def _placing(self, view: View, people: People, space: MoveSpace[Any]) -> Composing:
        assert view.seat is not None
        home = view.seats[view.seat].home

        def read(words: list[str], sent: list[Any]) -> list[Any]:
            found = _errands(words)
            fault = space.why_not(_placed([*sent, *found]))
            if fault is not None:
                raise Unclear(fault.detail, fault.rule)
            return found

        def told(sent: list[Any]) -> list[str]:
            out = self.words(_placed(sent), view, people) if sent else "nobody yet"
            return [f"Sent out: {out}; at home: {home - len(sent)}. `ok` sends them."]

        return Composing(
            read,
            _placed,
            told,
            "Type errands: A2 sends two to field A, 2:boat one to that siege space (also 2b, 2c, 2r). Then `ok`;"
            " `ok` alone keeps all at home.",
        )

    def _building(self, view: View, space: MoveSpace[Any]) -> Chooser:
        assert view.seat is not None
        me = view.seats[view.seat]
        must = int(space.grammar()["build_exactly"])

        def read(words: list[str], laid: list[Any]) -> list[Any]:
            found: list[Any] = []
            for word in _joined(words):
                match = _LAID.fullmatch(word)
                if match is None:
                    raise Unclear(f"'{word}' is no stone and wall. {how}")
                kind, wall = BY_LETTER[match[1][0]], int(match[2])
                before = [*laid, *found]
                if sum(one.stone == kind for one in before) >= me.carried.get(kind, 0):
                    raise Unclear(f"You have no {kind} left to build.", "E5.3")
                if len(me.walls[wall - 1]) + sum(one.wall == wall for one in before) >= HEIGHT:
                    raise Unclear(f"Wall {wall} would be more than {HEIGHT} stones high.", "E5.3")
                if len(before) >= must:
                    raise Unclear(f"You build {must}, not more.", "E5.3")
                found.append(Laid(stone=kind, wall=wall))  # type: ignore[arg-type]
            return found

        def told(laid: list[Any]) -> list[str]:
            left = Counter(me.carried) - Counter(one.stone for one in laid)
            walls = [list(wall) for wall in me.walls]
            for one in laid:
                walls[one.wall - 1].append(one.stone)
            look = "  ".join(f"{n + 1}:{_wall(wall).plain}" for n, wall in enumerate(walls))
            return [f"Your walls: {look}", f"In hand: {said(left)}; {must - len(laid)} to build."]

        how = "Type a stone and a wall, such as w3 (wood on wall 3), one or more."
        return Composing(read, lambda laid: Build(stones=tuple(laid)), told, how, exactly=must)

    def typed(self, line: str, view: View) -> Any:
        words = line.lower().split()
        if view.phase == "initiative":
            sieges = _SIEGE.fullmatch(words[0]) if words else None
            if len(words) == 1 and sieges and not line.isdecimal():
                return Besiege(space=_siege(sieges))
            if len(words) == 2 and words[1] in "012345" and (sieges or re.fullmatch("[a-g]", words[0])):
                return FightAction(space=_siege(sieges) if sieges else words[0].upper(), against=int(words[1]))
        if view.phase == "battle_card" and re.fullmatch("[1-6]", line):
            return Play(card=int(line))
        if view.phase == "spoils" and line in KINDS and view.spoils is not None:
            return Take(space=view.spoils.field, stone=line)  # type: ignore[arg-type]
        return None


def _wall(wall: Sequence[str]) -> Text:
    told = Text()
    for stone in wall:
        told.append(stone[0], style=STONE_STYLES[stone])
    told.append("." * (HEIGHT - len(wall)), style="dim")
    return told


def _siege(found: re.Match[str]) -> str:
    engine = next(engine for engine in ENGINES if engine[0] == found[2][0])
    return f"{found[1]}:{engine}"


def _joined(words: list[str]) -> list[str]:
    """`wood 3` is the same as `wood3`."""
    joined: list[str] = []
    for word in words:
        if word.isdecimal() and joined and joined[-1].isalpha():
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _errands(words: list[str]) -> list[str]:
    """A field or siege space for each Viking that is sent."""
    found: list[str] = []
    for word in _joined(words):
        if (siege := _SIEGE.fullmatch(word)) is not None:
            found.append(_siege(siege))
        elif (errand := _ERRAND.fullmatch(word)) is not None:
            found += [errand[1].upper()] * int(errand[2] or 1)
        else:
            raise Unclear(f"'{word}' is neither a field with a number, such as A2, nor a siege space, such as 2:boat.")
    return found


def _placed(sent: list[Any]) -> Place:
    fields = Counter(space for space in sent if len(space) == 1)
    return Place(fields=dict(fields), sieges=tuple(space for space in sent if len(space) > 1))
