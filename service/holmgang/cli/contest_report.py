"""What came of a tournament or a ladder, for people (tables on the terminal) and for programs (CSV, JSON)."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from holmgang.bots.arena import Z, wilson
from holmgang.engine.messages import how_many
from holmgang.tournaments.meetings import Pairing, Player
from holmgang.tournaments.standings import TIE_BREAKS, Encounter, crosstable

from .simulation_report import FINE, PLAIN, WIDTH
from .tourney import Contest, Game, Tournament

COLUMNS = ("game", "round", "table", "side", "bot", "rank", "points", "turns", "reason")
CELL = 8
"""Characters of the crosstable's columns, at most."""
PLAIN_LINE, TIE_BREAK = 65, 11
"""Characters of a line of the standings without the bot's name and without tie-breaks; and those of a tie-break."""


class Sheet:
    """A CSV file with a line for each game and side. `points` are the share of the others that a bot was ahead of."""

    def __init__(self, file: Path) -> None:
        self._out = file.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._out, lineterminator="\n")
        self._rows.writerow(COLUMNS)
        self._told = 0

    def add(self, games: Sequence[Game]) -> None:
        """Write those of the games that have not been written."""
        for game in games[self._told :]:
            played, one = game.played, game.meeting
            for side, bot in enumerate(game.table):
                rank = "" if played.failed is not None else played.ranks[side]
                reason = "forfeit" if played.failed == side else played.reason
                points = f"{one.points[side]:.6g}"
                self._rows.writerow((played.number, game.round, game.at, side, bot, rank, points, played.turns, reason))
        self._told = len(games)
        self._out.flush()

    def __enter__(self) -> Sheet:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._out.close()


def console_for(contest: Contest) -> Console:
    """Where tables are printed: as wide as they need, but on a terminal."""
    console = Console(highlight=False)
    if console.is_terminal:
        return console
    longest = max(map(len, contest.players))
    return Console(
        highlight=False, width=max(WIDTH, PLAIN_LINE + longest + 6 * TIE_BREAK, crosstable_width(contest.players))
    )


def tell_title(console: Console, contest: Contest, what: str) -> None:
    plan = contest.host.plan
    bots = how_many(len(contest.players), "bot")
    console.print(f"{contest.host.rules.title} with {plan.seats}: {what} of {bots}, seed {plan.seed}", markup=False)


def tell_round(console: Console, tournament: Tournament, pairing: Pairing) -> None:
    """A round that is over: its tables with the points of each bot, and who sat out."""
    number = len(tournament.rounds)
    met = {one.table: one for one in tournament.meetings if one.round == number}
    console.print(f"Round {number}", markup=False)
    for at, table in enumerate(pairing.tables, start=1):
        points = dict.fromkeys(table, 0.0)
        for game in tournament.games:
            if (game.round, game.at) == (number, at):
                for player in table:
                    points[player] += game.meeting.of(player)
        line = ", ".join(f"{player} {figure(points[player])}" for player in met[table].table)
        console.print(f"  {at:>3}  {line}", markup=False, soft_wrap=True)
    if pairing.byes:
        console.print(f"  bye  {', '.join(pairing.byes)}", markup=False, soft_wrap=True)


def report(console: Console, contest: Contest) -> None:
    """How it stands: the standings with strengths and intervals, the crosstable, and the bots' faults."""
    signs = PLAIN if console.options.ascii_only else FINE
    lines = standing(contest)
    console.print(_standings(lines, _shown(console, contest, lines[0]), signs))
    width = crosstable_width(contest.players)
    if width <= console.width:
        names = {line["bot"]: line["bot"] for line in lines}
        console.print(crosstable_of(names, crosstable(game.meeting for game in contest.games)))
    else:
        console.print(f"The crosstable is {width} columns wide: a file takes it, or --json.", markup=False)
    lost: dict[Player, list[dict[str, Any]]] = {}
    for each in faults(contest):
        lost.setdefault(each["bot"], []).append(each)
    for player, those in lost.items():
        told = f"{player} forfeited {how_many(len(those), 'game')}. Game {those[0]['game']}: {those[0]['fault']}"
        console.print(told, markup=False, soft_wrap=True)


def standing(contest: Contest) -> list[dict[str, Any]]:
    """The lines, best first: of a tournament by its points and tie-breaks, of a ladder by strength."""
    strengths = contest.strengths()
    games = {
        player: [game.meeting.of(player) for game in contest.games if player in game.table]
        for player in contest.players
    }
    lines: list[tuple[int, Player, dict[str, Any]]]
    if isinstance(contest, Tournament):
        lines = [(s.rank, s.player, {"points": s.points, **s.tie_breaks}) for s in contest.standings()]
    else:
        ranked = sorted(contest.players, key=lambda player: -strengths.elo(player))
        lines = [(rank, player, {}) for rank, player in enumerate(ranked, start=1)]
    return [
        {
            "rank": rank,
            "bot": player,
            **more,
            "games": len(games[player]),
            "won": round(sum(games[player]), 6),
            "interval": list(wilson(sum(games[player]), len(games[player]))),
            "elo": round(strengths.elo(player), 1),
            "elo_error": round(Z * strengths.deviation(player), 1),
        }
        for rank, player, more in lines
    ]


def faults(contest: Contest) -> list[dict[str, Any]]:
    return [
        {"game": game.played.number, "bot": game.table[game.played.failed], "fault": game.played.fault}
        for game in contest.games
        if game.played.failed is not None
    ]


def document(contest: Contest, kind: str) -> dict[str, Any]:
    """All of it as JSON."""
    plan = contest.host.plan
    told: dict[str, Any] = {
        "game": plan.ruleset,
        "seats": plan.seats,
        "options": plan.options,
        "kind": kind,
        "seed": plan.seed,
        "bots": list(contest.players),
        "standings": standing(contest),
        "crosstable": [
            {
                "bot": one,
                "against": other,
                "games": cell.games,
                "won": cell.won,
                "interval": list(wilson(cell.won, cell.games)),
            }
            for (one, other), cell in sorted(crosstable(game.meeting for game in contest.games).items())
        ],
        "faults": faults(contest),
    }
    if isinstance(contest, Tournament):
        told["tie_breaks"] = list(contest.tie_breaks)
        told["rounds"] = [
            {
                "round": number,
                "byes": list(pairing.byes),
                "tables": [
                    {"bots": list(one.table), "points": list(one.points)}
                    for table in pairing.tables
                    for one in contest.meetings
                    if (one.round, one.table) == (number, table)
                ],
            }
            for number, pairing in enumerate(contest.rounds, start=1)
        ]
    return told


def write(file: Path, told: dict[str, Any]) -> None:
    file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _shown(console: Console, contest: Contest, line: dict[str, Any]) -> list[str]:
    """Which of the points and tie-breaks there is room for."""
    room = (console.width - PLAIN_LINE - max(map(len, contest.players))) // TIE_BREAK
    return [name for name in line if name == "points" or name in TIE_BREAKS][: max(1, 1 + room)]


def _standings(lines: Sequence[dict[str, Any]], breaks: Sequence[str], signs: tuple[str, str]) -> Grid:
    to, error = signs
    grid = Grid("", "bot", box=SIMPLE_HEAD, pad_edge=False)
    for name in (*breaks, "games", "won", "95 %", "Elo", f"{error} 95 %"):
        words = name.replace("-", " ") if name in breaks else name
        grid.add_column(words, justify="right", no_wrap=name not in breaks, min_width=max(map(len, words.split())))
    for line in lines:
        low, high = line["interval"]
        share = line["won"] / line["games"] if line["games"] else 0.0
        grid.add_row(
            str(line["rank"]),
            Text(line["bot"]),
            *(figure(line[name]) if name in line else "" for name in breaks),
            str(line["games"]),
            f"{share:.1%}",
            f"{low:.1%} {to} {high:.1%}",
            f"{line['elo']:+.0f}",
            f"{line['elo_error']:.0f}",
        )
    return grid


def crosstable_of(
    names: Mapping[Player, str], met: Mapping[tuple[Player, Player], Encounter], what: str = "bot"
) -> Grid:
    """What each row has had of each column: the games in which they were ahead, halves for level ones, of how many.
    `names` are all in order, by their ids."""
    grid = Grid("", what, box=SIMPLE_HEAD, pad_edge=False)
    for at in range(1, len(names) + 1):
        grid.add_column(str(at), justify="right", no_wrap=True)
    for at, (player, name) in enumerate(names.items(), start=1):
        cells = []
        for other in names:
            cell = met.get((player, other))
            cells.append("" if cell is None else f"{figure(cell.won)}/{cell.games}")
        grid.add_row(str(at), Text(name), *cells)
    return grid


def crosstable_width(names: Collection[str]) -> int:
    return 8 + max(map(len, names), default=0) + len(names) * (CELL + 2)


def figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
