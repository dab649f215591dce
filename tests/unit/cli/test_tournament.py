"""`holmgang tournament` and `holmgang ladder`: who meets, what is told, what a bot's faults cost, and how they end."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from holmgang.cli.commands import ladder, tournament
from tests.processes import living
from tests.waiting import wait_until

from .interrupting import interrupted

if TYPE_CHECKING:
    import click

REPOSITORY = Path(__file__).parents[3]
BOTS = """
import asyncio
import time
from holmgang import Bot, any_action

class Careless(Bot):
    def choose(self, view, legal):
        return any_action(legal)

class Raising(Bot):
    def choose(self, view, legal):
        raise LookupError("nowhere")

class Hanging(Bot):
    def choose(self, view, legal):
        while True:
            try:
                time.sleep(60)
            except Exception:
                pass

class Dozing(Bot):
    async def choose(self, view, legal):
        await asyncio.sleep(60)

class Illegal(Bot):
    def choose(self, view, legal):
        return {"type": "place", "points": ["a1", "a1"]}

class Dying(Bot):
    def choose(self, view, legal):
        import os
        os._exit(1)

class Once(Careless):
    made = 0
    def __init__(self):
        Once.made += 1
        if Once.made > 1:
            raise OSError("no more")
"""
FIELD = tuple("ABCDEFG")


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS + "".join(f"class {name}(Careless): pass\n" for name in FIELD), encoding="utf-8")
    return file


def run(command: click.Command, *arguments: str | Path, processes: int = 1) -> Result:
    given = ["--game", "claim", "--processes", str(processes), *map(str, arguments)]
    return CliRunner().invoke(command, given, catch_exceptions=False)


def told(command: click.Command, tmp_path: Path, *arguments: str | Path, processes: int = 1) -> dict[str, Any]:
    done = run(command, *arguments, "--json", tmp_path / "told.json", processes=processes)
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def field(bots: Path, count: int) -> list[str]:
    return [f"{bots}:{name}" for name in FIELD[:count]]


def test_a_swiss_tournament(bots: Path, tmp_path: Path) -> None:
    found = told(
        tournament.command, tmp_path, *field(bots, 6), "greedy", "--rounds", "4", "--csv", tmp_path / "games.csv"
    )
    assert found["kind"] == "swiss"
    assert found["bots"] == [*FIELD[:6], "greedy"]
    assert [len(each["tables"]) for each in found["rounds"]] == [3, 3, 3, 3]
    byes = [player for each in found["rounds"] for player in each["byes"]]
    assert len(set(byes)) == 4
    points: Counter[str] = Counter(byes)
    for each in found["rounds"]:
        for table in each["tables"]:
            points.update(dict(zip(table["bots"], table["points"], strict=True)))
    assert {line["bot"]: line["points"] for line in found["standings"]} == {
        name: points[name] for name in found["bots"]
    }
    assert found["standings"][0]["points"] == max(points.values())
    met = Counter(frozenset(table["bots"]) for each in found["rounds"] for table in each["tables"])
    assert set(met.values()) == {1}
    cells = {(cell["bot"], cell["against"]): cell for cell in found["crosstable"]}
    assert {frozenset(pair) for pair in cells} == set(met)
    assert all(cells[a, b]["won"] + cells[b, a]["won"] == cell["games"] for (a, b), cell in cells.items())
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 12
    assert Counter(row["game"] for row in rows) == {str(n): 2 for n in range(1, 13)}


@pytest.mark.parametrize("command", [tournament.command, ladder.command], ids=["tournament", "ladder"])
def test_processes_change_nothing_and_seeds_do(bots: Path, tmp_path: Path, command: click.Command) -> None:
    games = ("--games", "8") if command is ladder.command else ()
    first = told(command, tmp_path, *field(bots, 4), *games)
    assert told(command, tmp_path, *field(bots, 4), *games, processes=2) == first
    assert told(command, tmp_path, *field(bots, 4), *games, "--seed", "2")["crosstable"] != first["crosstable"]


def test_in_a_round_robin_all_meet_and_sit_everywhere(bots: Path, tmp_path: Path) -> None:
    found = told(tournament.command, tmp_path, *field(bots, 5), "--kind", "round-robin", "--games", "2")
    assert len(found["rounds"]) == 5
    assert {(cell["bot"], cell["against"]) for cell in found["crosstable"]} == {
        (a, b) for a in FIELD[:5] for b in FIELD[:5] if a != b
    }
    assert {cell["games"] for cell in found["crosstable"]} == {2}


def test_a_knock_out_has_one_winner(bots: Path, tmp_path: Path) -> None:
    found = told(tournament.command, tmp_path, *field(bots, 6), "--kind", "knock-out")
    assert [(len(each["tables"]), len(each["byes"])) for each in found["rounds"]] == [(2, 2), (2, 0), (1, 0)]
    assert [line["rank"] for line in found["standings"]] == [1, 2, 3, 3, 5, 5]
    winners = found["rounds"][-1]["tables"][0]
    assert found["standings"][0]["bot"] == winners["bots"][winners["points"].index(1)]


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "knock-out"])
def test_three_at_a_table(kind: str, bots: Path, tmp_path: Path) -> None:
    """Claim takes two as well: nobody sits out of seven at tables of three, two and two."""
    found = told(tournament.command, tmp_path, *field(bots, 7), "--kind", kind, "--seats", "3")
    first = found["rounds"][0]
    assert sorted(len(table["bots"]) for table in first["tables"]) == [2, 2, 3]
    assert first["byes"] == []
    assert found["faults"] == []


def test_a_bot_plays_all_of_a_side(bots: Path, tmp_path: Path) -> None:
    found = told(tournament.command, tmp_path, *field(bots, 4), "--seats", "4")
    assert {len(table["bots"]) for each in found["rounds"] for table in each["tables"]} == {2}


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Raising", "choose failed: LookupError: nowhere"),
        ("Hanging", "choose took longer than 0.05 s."),
        ("Dozing", "choose took longer than 0.05 s."),
        ("Illegal", "rule K2.1: Two pieces go to two different points."),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_bot_that_fails_loses_its_games_and_play_goes_on(
    bot: str, said: str, processes: int, bots: Path, tmp_path: Path
) -> None:
    arguments = (f"{bots}:{bot}", "random", "greedy", "--kind", "round-robin", "--patience", "0.05")
    done = run(tournament.command, *arguments, "--json", tmp_path / "told.json", processes=processes)
    assert done.exit_code == 0
    assert f"{bot} forfeited 2 games. Game " in done.stdout
    assert said in done.stdout
    found = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert [fault["bot"] for fault in found["faults"]] == [bot, bot]
    line = next(line for line in found["standings"] if line["bot"] == bot)
    assert (line["points"], line["games"], line["rank"]) == (0, 2, 3)


def test_a_bot_that_cannot_be_made_again_loses_too(bots: Path, tmp_path: Path) -> None:
    found = told(tournament.command, tmp_path, f"{bots}:Once", "random", "--kind", "round-robin")
    assert "no more" in found["faults"][0]["fault"]


def test_a_process_that_dies_ends_it_with_what_there_is(bots: Path, tmp_path: Path) -> None:
    done = run(tournament.command, f"{bots}:Dying", "random", processes=2)
    assert done.exit_code == 1
    assert "A process that played games died." in done.stderr


def test_a_ladder_ranks_by_strength_and_ends_when_that_is_certain(bots: Path, tmp_path: Path) -> None:
    found = told(ladder.command, tmp_path, "random", f"{bots}:Illegal", "greedy", "--within", "450", "--games", "400")
    assert [line["bot"] for line in found["standings"]] == ["greedy", "random", "Illegal"]
    elo = [line["elo"] for line in found["standings"]]
    assert elo == sorted(elo, reverse=True)
    assert sum(elo) == pytest.approx(0, abs=0.3)
    assert all(line["elo_error"] <= 450 for line in found["standings"])
    assert sum(line["games"] for line in found["standings"]) < 2 * 400


def test_tables_go_where_there_is_room(bots: Path) -> None:
    shown = run(tournament.command, *field(bots, 3), "--kind", "round-robin").stdout
    assert "sonneborn" in shown
    assert "Round 3" in shown
    assert "1/1" in shown


@pytest.mark.parametrize("command", ["tournament", "ladder"])
@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_tells_what_was_played_so_far(command: str, processes: int, bots: Path, tmp_path: Path) -> None:
    file, whole = tmp_path / "games.csv", tmp_path / "told.json"
    many = ["--games", "100000", "--within", "0.1"] if command == "ladder" else ["--rounds", "10000"]
    arguments = ["--game", "claim", "--processes", str(processes), "--csv", str(file), "--json", str(whole), *many]
    out, err, children = interrupted([command, *arguments, *field(bots, 4)], file, 8)
    games = (len(file.read_bytes().splitlines()) - 1) // 2
    assert err == f"Stopped after {games} games.\n"
    assert "95 %" in out
    assert sum(line["games"] for line in json.loads(whole.read_text("utf-8"))["standings"]) == 2 * games
    assert processes == 1 or children
    wait_until(lambda: not living(children), "all processes have ended")
