"""How a tournament on a server stands, printed at a terminal; and whether it was paired as it had to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from holmgang.engine.messages import how_many
from holmgang.tournaments.checking import Game, PlayedRound, PlayedTable, agreed, commitment, faults
from holmgang.tournaments.course import KINDS, Form
from holmgang.tournaments.standings import Encounter

from .contest_report import PLAIN_LINE, TIE_BREAK, crosstable_of, crosstable_width, figure
from .simulation_report import WIDTH

if TYPE_CHECKING:
    from holmgang import Client, answers


@dataclass(frozen=True)
class Found:
    """All of a tournament that is public."""

    tournament: answers.Tournament
    entries: dict[str, answers.TournamentEntry]
    rounds: list[answers.TournamentRound]
    standings: answers.TournamentStandings
    crosstable: answers.Crosstable

    @classmethod
    def read(cls, client: Client, ident: str, invitation: str | None, *, rounds: bool = True) -> Found:
        """Without `rounds`, of which a ladder may have a million, it cannot be compared."""
        return cls(
            tournament=client.tournament(ident, invitation=invitation),
            rounds=list(client.rounds(ident, invitation=invitation)) if rounds else [],
            standings=client.standings(ident, invitation=invitation),
            crosstable=client.crosstable(ident, invitation=invitation),
            # The last, so that who enters meanwhile is known.
            entries={entry["id"]: entry for entry in client.entries(ident, limit=200, invitation=invitation)},
        )

    @cached_property
    def names(self) -> dict[str, str]:
        """By entries. Built-in bots may enter several times: from the second on they are numbered."""
        seen = Counter[str]()
        names = {}
        for ident, entry in self.entries.items():
            seen[entry["name"]] += 1
            names[ident] = entry["name"] if seen[entry["name"]] == 1 else f"{entry['name']} {seen[entry['name']]}"
        return names


def tell(found: Found, *, rounds: bool) -> None:
    """The title, the standings and the crosstable, if it has room; the rounds if they are wanted."""
    names = list(found.names.values())
    console = Console(highlight=False)
    if not console.is_terminal:
        longest = max(map(len, names), default=0)
        console = Console(
            highlight=False, width=max(WIDTH, PLAIN_LINE + longest + 6 * TIE_BREAK, crosstable_width(names))
        )
    it = found.tournament
    how_far = f"round {it['round']}" if it["status"] == "active" else it["status"]
    players = how_many(it["entered"], "player")
    title = f"{it['name']}: {it['kind']} of {players}, {it['terms']['ruleset']} with {it['seats']}, {how_far}"
    console.print(title, markup=False)
    for each in found.rounds if rounds else ():
        _tell_round(console, found, each)
    console.print(_standings(console, found))
    if it["round"] and crosstable_width(names) <= console.width:
        order = {entry: found.names[entry] for entry in found.crosstable["order"]}
        cells = {
            (cell["entry"], cell["against"]): Encounter(cell["met"], cell["won"]) for cell in found.crosstable["items"]
        }
        console.print(crosstable_of(order, cells, "player"))


def _tell_round(console: Console, found: Found, one: answers.TournamentRound) -> None:
    console.print(f"Round {one['round']}", markup=False)
    for table in one["tables"]:
        points = [figure(each) for each in table["points"]] or ["-"] * len(table["players"])
        line = ", ".join(f"{found.names[entry]} {had}" for entry, had in zip(table["players"], points, strict=True))
        console.print(f"  {table['at']:>3}  {line}", markup=False, soft_wrap=True)
    if one["byes"]:
        console.print(f"  bye  {', '.join(map(found.names.__getitem__, one['byes']))}", markup=False, soft_wrap=True)


def _standings(console: Console, found: Found) -> Grid:
    told = found.standings
    room = (console.width - PLAIN_LINE) // TIE_BREAK
    grid = Grid("", "player", box=SIMPLE_HEAD, pad_edge=False)
    breaks = told["tie_breaks"][: max(0, room)]
    for column in ("points", *(each.replace("-", " ") for each in breaks)):
        grid.add_column(column, justify="right", min_width=max(map(len, column.split())))
    grid.add_column("")
    for line in told["items"]:
        had = ["" if each is None else figure(each) for each in line["tie_breaks"][: len(breaks)]]
        grid.add_row(
            str(line["rank"]),
            Text(found.names.get(line["entry"], line["name"])),
            figure(line["points"]),
            *had,
            line["out"] or "",
        )
    return grid


def differences(found: Found) -> Iterator[str]:
    """What is not as it had to be, in sentences. Of an arena or a ladder only the seed is looked at: who is free when,
    nobody can tell afterwards."""
    it = found.tournament
    if it["seed"] is None:
        return
    form = Form(
        it["kind"],
        it["seats"],
        tuple(it["sizes"]),
        it["rounds"],
        it["games"],
        tuple(it["tie_breaks"]),
        it["seed"],
    )
    if commitment(UUID(it["id"]).bytes, agreed(form, it["terms"]), bytes.fromhex(it["seed"])).hex() != it["commitment"]:
        yield "The seed is not the one that was committed to."
    if it["kind"] not in KINDS:
        return
    entries = [entry for entry in found.entries.values() if entry["number"] is not None]
    entries.sort(key=lambda entry: entry["number"] or 0)
    ratings = {entry["id"]: entry["rating"] or 0.0 for entry in entries}
    yield from faults(form, ratings, list(ratings), [_played(each) for each in found.rounds])


def verified(found: Found) -> str:
    """What has been compared, where nothing differs."""
    if found.tournament["seed"] is None:
        return "Nothing is paired yet: there is nothing to compare."
    if found.tournament["kind"] not in KINDS:
        return "The seed is the one that was committed to. Who was free when cannot be checked."
    rounds = how_many(len(found.rounds), "round")
    return f"The seed is the one that was committed to, and {rounds} with all points are as they had to be."


def _played(one: answers.TournamentRound) -> PlayedRound:
    tables = tuple(
        PlayedTable(
            tuple(table["players"]),
            tuple(_game(game) for game in table["games"] if game["outcome"] is not None),
            tuple(table["points"]),
            table["counted"],
        )
        for table in one["tables"]
    )
    return PlayedRound(tuple(one["present"]), tuple(one["byes"]), one["known"], tables)


def _game(one: Any) -> Game:
    return Game(tuple(one["players"]), tuple(one["ranks"]), tuple(one["absent"]))
