"""`holmgang simulate`: what it counts and draws, people's bots in it, and how it ends."""

from __future__ import annotations

import csv
import os
import pty
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import resvg_py
from click.testing import CliRunner, Result
from PIL import Image

from holmgang import registry
from holmgang.bots.tally import Tally
from holmgang.cli.commands.simulate import command
from holmgang.cli.simulating import Plan, Table, in_order
from holmgang.cli.simulation_plot import drawn
from holmgang.interrupts import undivided, undivided_and_alone
from tests.processes import living
from tests.waiting import wait_until

from .interrupting import interrupted

REPOSITORY = Path(__file__).parents[3]
BOTS = """
import sys
from holmgang import Bot, any_action

class Careless(Bot):
    def choose(self, view, legal):
        return any_action(legal)

class Awaited(Bot):
    rulesets = ("claim",)
    async def choose(self, view, legal):
        return any_action(legal)

class Keeps(Bot):
    def __init__(self):
        self.turns = []
    def choose(self, view, legal):
        self.turns.append((view["turn"], view["seat"]))
        assert self.turns == sorted(set(self.turns)) and len({seat for _, seat in self.turns}) == 1
        return any_action(legal)

class Twice(Careless):
    def choose(self, view, legal):
        if view["turn"] > 4:
            return {"type": "place", "points": ["a1", "a1"]}
        return any_action(legal)

class Unshaped(Bot):
    def choose(self, view, legal):
        return {"type": "place", "points": "a1"}

class Untold(Bot):
    def choose(self, view, legal):
        return {"type": "place", "points": {"a1", "b1"}}

class Forgetful(Bot):
    def choose(self, view, legal):
        any_action(legal)

class Counting(Bot):
    def choose(self, view, legal):
        import numpy
        action = any_action(legal)
        if action["type"] == "place":
            action["fields"] = {field: numpy.int64(vikings) for field, vikings in action["fields"].items()}
        return action

class Other(Bot):
    def choose(self, view, legal):
        return {"type": "castle", "point": "a1"}

class Failing(Bot):
    def choose(self, view, legal):
        return {}["nothing"]

class Leaving(Bot):
    def choose(self, view, legal):
        sys.exit(3)

class Dying(Bot):
    def choose(self, view, legal):
        import os
        os._exit(1)

class Needy(Careless):
    def __init__(self, more):
        pass

class Wordy(Bot):
    def choose(self, view, legal, turn, more):
        return any_action(legal)


class Lettered(Bot):
    rulesets = "claim"

    def choose(self, view, legal):
        return any_action(legal)


class Silent(Bot):
    pass

class Stranger:
    pass
"""


@pytest.fixture
def here(tmp_path: Path) -> str:
    """A file of bots, its name as the command takes it."""
    file = tmp_path / "bots.py"
    file.write_text(BOTS, encoding="utf-8")
    return f"{file}:"


def simulate(*arguments: Any, processes: int = 1) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments), "--processes", str(processes)])


def done(*arguments: Any, processes: int = 1) -> str:
    result = simulate(*arguments, processes=processes)
    assert result.exit_code == 0, result.output
    return result.output


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def row_of(output: str, name: str) -> list[str]:
    """The line of the table that begins with the name."""
    (line,) = [line.split() for line in output.splitlines() if line.split()[:1] == [name]]
    return line


def test_the_table_tells_what_the_lines_of_the_file_add_up_to(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    output = done("--game", "eketorp", "--bots", "greedy,random", "--seats", 4, "--games", 6, "--csv", file)
    lines = rows(file)
    assert [(line["game"], line["seat"]) for line in lines] == [(str(g), str(s)) for g in range(1, 7) for s in range(4)]
    for name in ("greedy", "random"):
        mine = [line for line in lines if line["bot"] == name]
        assert {seat: sum(line["seat"] == seat for line in mine) for seat in "0123"} == dict.fromkeys("0123", 3)
        wins, mean = sum(float(line["win"]) for line in mine), sum(float(line["score"]) for line in mine) / len(mine)
        games, won, rate = row_of(output, name)[1:4]
        assert (games, rate) == ("6", f"{wins / 6:.1%}")
        assert float(won) == pytest.approx(wins)
        assert float(row_of(output, name)[-2]) == pytest.approx(mean, abs=0.006)
    for seat in "0123":
        wins = sum(float(line["win"]) for line in lines if line["seat"] == seat)
        assert row_of(output, seat)[2:4] == [f"{wins:g}", f"{wins / 6:.1%}"]
    assert all(line["win"] == ("1" if line["rank"] == "1" else "0") for line in lines)
    turns = [int(line["turns"]) for line in lines]
    assert f"Turns: {min(turns)} to {max(turns)}," in output
    assert "Eketorp with 4: 6 games, seed 1" in output


def test_equal_arguments_give_equal_games_in_one_process_or_several(tmp_path: Path, here: str) -> None:
    files = [tmp_path / f"{n}.csv" for n in range(4)]
    fixed = ("--game", "claim", "--bots", f"random,{here}Careless,greedy", "--seats", 2, "--games", 9)
    for file, processes, seed in zip(files, (1, 2, 1, 1), (5, 5, 5, 6), strict=True):
        done(*fixed, "--seed", seed, "--csv", file, processes=processes)
    one, other, again, different = (file.read_bytes() for file in files)
    assert one == other == again
    assert one != different
    alone = tmp_path / "alone.csv"
    done(*fixed, "--seed", 5, "--only", 7, "--csv", alone)
    assert rows(alone) == [line for line in rows(files[0]) if line["game"] == "7"]
    assert {line["bot"] for line in rows(files[0])} == {"random", "Careless", "greedy"}


def test_one_bot_plays_against_itself_for_the_balance_of_seats() -> None:
    output = done("--game", "claim", "--bots", "random", "--games", 4)
    assert row_of(output, "random")[1:4] == ["4", "4", "100.0%"]
    assert sum(float(row_of(output, seat)[2]) for seat in "01") == 4


def test_games_have_the_options_that_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    arguments = ("--game", "drakkars", "--bots", "random", "--games", 2, "--csv", file)
    done(*arguments, "--option", "first_player=1", "--option", "coin_worth=[0, 0, 0]")
    with_options = file.read_bytes()
    done(*arguments, "--option", "first_player=random")
    assert file.read_bytes() != with_options


def test_a_persons_bot_plays_each_seat_of_each_game_anew(here: str) -> None:
    done("--game", "claim", "--bots", f"{here}Keeps,{here}Awaited", "--games", 4)
    done("--game", "eketorp", "--bots", f"{here}Keeps", "--games", 2)


def test_numbers_of_numpy_are_numbers(here: str) -> None:
    done("--game", "eketorp", "--bots", f"{here}Counting", "--games", 1)


def test_a_bot_is_found_in_a_module_of_the_folder_one_is_in(
    tmp_path: Path, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(here.rstrip(":")).rename(tmp_path / "my_bots.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert "Careless" in done("--game", "claim", "--bots", "my_bots:Careless,random", "--games", 2)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_illegal_choice_is_told_with_game_seed_turn_and_rule(here: str, processes: int) -> None:
    result = simulate(
        "--game", "claim", "--bots", f"greedy,{here}Twice", "--seed", 8, "--games", 4, processes=processes
    )
    assert result.exit_code == 1
    said = rf"Game 1 of seed 8: {re.escape(here)}Twice on seat [01], turn [56] \(placement\), rule K2.1: Two pieces"
    assert re.search(said, result.stderr), result.stderr
    assert "--only 1" in result.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Unshaped", r"turn [12] \(placement\): the choice has not an action's shape: /points: 'points' must be"),
        ("Untold", r"turn [12] \(placement\): the choice is no action: a value of type set is not JSON\."),
        (
            "Forgetful",
            r"turn [12] \(placement\): the choice is no action: it must be .* None \(is a return missing\?\)\.",
        ),
        ("Other", r"turn [12] \(placement\), rule C2: This turn \(placement\) asks for 'place', not 'castle'\."),
        ("Failing", r"turn [12] \(placement\): choose failed: KeyError: 'nothing' \(line 54 of .*bots\.py\)"),
        ("Leaving", r"turn [12] \(placement\): choose failed: SystemExit: 3 \(line 58 of .*bots\.py\)"),
    ],
)
def test_a_failure_is_told_with_its_place(here: str, name: str, said: str) -> None:
    result = simulate("--game", "claim", "--bots", f"greedy,{here}{name}", "--games", 2)
    assert result.exit_code == 1
    assert re.search(f"Game 1 of seed 1: {re.escape(here)}{name} on seat [01], {said}", result.stderr), result.stderr


def test_the_games_before_a_failure_are_told(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(
        "from holmgang import Bot, any_action\n"
        "class Late(Bot):\n"
        "    made = 0\n"
        "    def __init__(self):\n"
        "        Late.made += 1\n"
        "    def choose(self, view, legal):\n"
        "        return any_action(legal) if Late.made < 4 else None\n",
        encoding="utf-8",
    )
    result = simulate("--game", "claim", "--bots", f"random,{tmp_path}/late.py:Late", "--games", 6)
    assert result.exit_code == 1
    assert "3 of 6 games" in result.stdout
    assert "Game 4 of seed 1" in result.stderr


def test_a_process_that_dies_does_not_leave_one_waiting(here: str) -> None:
    result = simulate("--game", "claim", "--bots", f"random,{here}Dying", "--games", 4, processes=2)
    assert result.exit_code == 1
    assert "A process that played games died." in result.stderr


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("greedy,oracle", "No bot 'oracle' plays Claim. Bots that do: random, greedy, search"),
        ("greedy,greedy", "Name each bot once."),
        ("greedy,", "There is a comma too many in 'greedy,', or a bot too few."),
        ("{here}Nobody", "has no Nobody"),
        ("{here}Stranger", "something else than a subclass of holmgang.Bot"),
        ("{here}Silent", "needs a method choose"),
        ("{here}Wordy,random", "Wordy cannot be asked: A bot's choose takes (view, legal) or (view, legal, turn)"),
        ("{here}Lettered", "Lettered: `rulesets` takes several: write ['claim'], not 'claim'."),
        ("{here}Needy,random", "cannot be made by calling it: TypeError"),
        ("nowhere.py:Bot", "There is no file nowhere.py, seen from "),
        ("no_such_module:Bot", "cannot be imported: ModuleNotFoundError"),
        (",".join(f"b{n}:C" for n in range(9)), "9 bots are named: at most 8 play at a time."),
    ],
)
def test_a_bot_that_there_is_not_is_told(here: str, bots: str, said: str) -> None:
    result = simulate("--game", "claim", "--bots", bots.format(here=here), "--games", 1)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_bot_is_not_made_to_play_what_it_does_not_know(here: str) -> None:
    result = simulate("--game", "eketorp", "--bots", f"{here}Awaited")
    assert result.exit_code == 2
    assert "does not play eketorp: its rulesets are claim" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "chess", "--bots", "random"), "There is no game 'chess'."),
        (("--game", "claim", "--bots", "random", "--seats", "7"), "Claim takes 2 to 4 players, not 7."),
        (("--game", "claim", "--bots", "random", "--option", "layout=3"), "Option /layout (rule K1.3)"),
        (("--game", "claim", "--bots", "random", "--option", "colour"), "written NAME=VALUE"),
        (("--game", "claim", "--bots", "random", "--games", "5", "--only", "9"), "There is no game 9 of 5"),
        (("--game", "claim", "--bots", "random", "--plot", "a.gif"), "The plot is a .png or an .svg."),
        (("--game", "claim", "--bots", "random", "--csv", "nowhere/a.csv"), "There is no folder nowhere."),
    ],
)
def test_wrong_usage_is_told_before_anything_is_played(arguments: tuple[str, ...], said: str) -> None:
    result = simulate(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def picture(file: Path) -> Image.Image:
    if file.suffix == ".png":
        return Image.open(file)
    drawn = file.with_suffix(".drawn.png")
    drawn.write_bytes(bytes(resvg_py.svg_to_bytes(svg_path=str(file), dpi=96)))
    return Image.open(drawn)


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_the_plot_opens_as_a_picture(tmp_path: Path, ending: str) -> None:
    file, again = tmp_path / f"plot{ending}", tmp_path / f"again{ending}"
    for where in (file, again):
        done("--game", "claim", "--bots", "greedy,random", "--games", 2, "--plot", where)
    assert file.read_bytes() == again.read_bytes(), "equal games give equal pictures"
    with picture(file) as seen:
        assert seen.width > 600
        assert seen.height > 400
        pixels = seen.convert("RGB")
        colours = {colour for _, colour in pixels.getcolors(1 << 24) or ()}
        white = sum(n for n, colour in pixels.getcolors(1 << 24) or () if colour == (255, 255, 255))
    assert {(0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)} <= colours, "both bots are there"
    assert 0.5 < white / (seen.width * seen.height) < 0.99


@pytest.mark.parametrize("game", registry.names())
def test_bots_and_seats_are_drawn_to_the_same_scale(game: str) -> None:
    rules = registry.latest(game)
    plan = Plan(game, max(rules.seat_counts), {}, ("greedy", "random"), 1)
    table = Table(plan)
    tally = Tally(rules, plan.seats, plan.labels)
    for number in (1, 2):
        tally.add(table.play(number))
    (bots_wins, bots_scores), (seats_wins, seats_scores) = zip(*[iter(drawn(plan, tally).axes)] * 2, strict=True)
    assert bots_wins.get_xlim() == seats_wins.get_xlim()
    assert bots_scores.get_xlim() == seats_scores.get_xlim()
    low, high = bots_scores.get_xlim()
    means = [line.score.mean for line in (*tally.bots.values(), *tally.seats)]
    assert low < min(means) <= max(means) < high


def test_the_svg_is_a_document_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    done("--game", "claim", "--bots", "greedy,random", "--games", 2, "--plot", file)
    root = ET.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len([each for each in root.iter() if each.tag.endswith("}path")]) > 50
    links = [value for each in root.iter() for name, value in each.attrib.items() if name.endswith("href")]
    assert all(link.startswith("#") for link in links)


def test_without_matplotlib_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "holmgang.cli.simulation_plot", raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plot = tmp_path / "plot.png"
    result = simulate("--game", "claim", "--bots", "random", "--games", 1, "--plot", plot)
    assert result.exit_code == 1
    assert "pip install 'holmgang[play,plot]'" in result.stderr
    assert result.stdout == ""
    assert not plot.exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_tells_what_was_played_so_far(tmp_path: Path, processes: int) -> None:
    file, plot = tmp_path / "games.csv", tmp_path / "plot.png"
    arguments = ["--game", "claim", "--bots", "greedy,random", "--games", "100000", "--processes", str(processes)]
    out, err, children = interrupted(["simulate", *arguments, "--csv", file, "--plot", plot], file, 4)
    games = len(rows(file)) // 2
    assert err == f"Stopped after {games} of 100000 games.\n"
    assert f"{games} of 100000 games, seed 1" in out
    assert row_of(out, "greedy")[1] == str(games)
    with Image.open(plot) as seen:
        seen.verify()
    assert processes == 1 or children
    wait_until(lambda: not living(children), "all processes have ended")


def test_a_bar_is_shown_to_who_looks_at_a_terminal_and_to_nobody_else() -> None:
    arguments = ["--game", "claim", "--bots", "random", "--games", "3", "--processes", "1"]
    command_line = [sys.executable, "-m", "holmgang.cli.main", "simulate", *arguments]
    quiet = subprocess.run(command_line, cwd=REPOSITORY, capture_output=True, timeout=120, check=True)
    assert quiet.stderr == b""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    with subprocess.Popen(command_line, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=theirs, env=environ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:  # the other end was closed
                break
            shown += more
    os.close(ours)
    assert process.returncode == 0
    assert b"games" in shown
    assert b"3/3" in shown


def test_all_games_can_be_simulated() -> None:
    for ruleset in registry.names():
        assert "1 game," in done("--game", ruleset, "--bots", "greedy,random", "--games", 1)


def test_an_interrupt_does_not_part_what_belongs_together() -> None:
    done = []

    @undivided()
    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_while_games_are_handed_out_is_not_lost() -> None:
    class Pool(ThreadPoolExecutor):
        def submit(self, *given: Any, **named: Any) -> Any:
            os.kill(os.getpid(), signal.SIGINT)
            return super().submit(*given, **named)

    with Pool(1) as pool, pytest.raises(KeyboardInterrupt):
        list(in_order(pool, abs, [-1, -2, -3], 1))  # type: ignore[arg-type]


def test_processes_that_play_do_not_hear_ctrl_c() -> None:
    told = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    with undivided_and_alone():
        assert subprocess.check_output([sys.executable, "-c", told], text=True) == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_what_cannot_be_written_is_told_and_the_results_all_the_same(tmp_path: Path) -> None:
    long = tmp_path / ("a" * 300 + ".png")
    result = simulate("--game", "claim", "--bots", "random", "--games", 1, "--plot", long)
    assert result.exit_code == 1
    assert "cannot be written: File name too long." in result.stderr
    assert "win rate" in result.stdout
    result = simulate("--game", "claim", "--bots", "random", "--games", 1, "--csv", long)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "cannot be written: File name too long." in result.stderr
