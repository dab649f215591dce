"""What is wrong, missing or too much in a command is told in a sentence that says how to go on, and nothing is done."""

from __future__ import annotations

from pathlib import Path
from socket import socket

import pytest
from click.testing import CliRunner

from holmgang.cli.main import holmgang
from tests.unit.client.test_mistakes import listening

BOTS = """
from holmgang import Bot, any_action

class One(Bot):
    def choose(self, view, legal):
        return any_action(legal)

class Eketorps(One):
    rulesets = ("eketorp",)

class Silent(Bot):
    pass

class Stranger:
    pass
"""
SEVERAL = "several.py has several bots. Say which: several.py:One or several.py:Eketorps."
TABLE = {
    "arena --game claim --bots greedy": "Two bots are needed, and greedy is one: say --bots greedy,random for example.",
    "arena --game claim --bots random": "say --bots random,greedy for example.",
    "arena --game claim --bots a,b,c": "3 bots are named, and two are needed: `holmgang simulate` takes more.",
    "arena --game claim --bots greedy,": "There is a comma too many in 'greedy,', or a bot too few.",
    "arena --game claim": "Missing option '--bots'.",
    "arena --game chess --bots greedy,random": "There is no game 'chess'. There are: ",
    "arena --game claim --bots greedy,random --seats 0": "Claim takes 2 to 4 players, not 0.",
    "arena --game claim --bots greedy,random --target 1": "1.0 is not in the range 0.1<x<1.",
    "arena --game claim --bots greedy,random --games 0": "0 is not in the range x>=1.",
    "arena --game claim --bots greedy,random --seconds 0": "0.0 is not in the range x>0.",
    "simulate --game claim --bots ,": "No bot is named.",
    "simulate --game claim --bots random,,greedy": "There is a comma too many in 'random,,greedy', or a bot too few.",
    "simulate --game claim --bots random,random": "Name each bot once. One alone plays against itself.",
    "simulate --game claim --bots random --seats 0": "Claim takes 2 to 4 players, not 0.",
    "simulate --game claim --bots one.py,one.py:One": "Name each bot once.",
    "tournament --game claim": "Missing argument 'BOT BOT...'.",
    "tournament --game chess random greedy": "There is no game 'chess'. There are: ",
    "tournament --game claim random": "At least 2 bots are needed.",
    "tournament --game eketorp random greedy": "At least 3 bots are needed.",
    "tournament --game claim random random": "Name each bot once.",
    "tournament --game claim one.py one.py:One": "Name each bot once.",
    "tournament --game claim random,greedy": "No bot 'random,greedy' plays Claim.",
    "tournament --game claim random greedy --seats 9": "Claim takes 2 to 4 players, not 9.",
    "tournament --game claim random greedy --kind cup": "'cup' is not one of 'swiss', 'round-robin', 'knock-out'.",
    "tournament --game claim random greedy --tie-breaks luck": "No tie-break 'luck': there are buchholz-cut-1, ",
    "tournament --game claim random greedy --option x": "An option is written NAME=VALUE, not 'x'.",
    "tournament --game claim random greedy --patience 0": "0.0 is not in the range x>0.",
    "tournament --game claim random greedy --csv none/a.csv": "There is no folder none.",
    "ladder --game claim random greedy --json none/a.json": "There is no folder none.",
    "ladder --game claim random greedy --within 0": "0.0 is not in the range x>0.",
    "play --game chess": "There is no game 'chess'. There are: ",
    "play --game claim --bots ,": "No bot is named.",
    "play --game claim --bots greedy,,greedy": "There is a comma too many in 'greedy,,greedy', or a bot too few.",
    "play --game claim --bots random,random --seats 2": (
        "2 bots and you are more than 2 players. Claim takes 2 to 4 players: name fewer bots, or say more --seats."
    ),
    "play --game claim --seats 5": "Claim takes 2 to 4 players, not 5.",
    "play --game claim --seat 2": "Seats are numbered from 0 to 1.",
    "play --game claim --turn-seconds 5": "--turn-seconds goes with --url.",
    "play --game claim --bank-seconds 5": "--bank-seconds goes with --url.",
    "play --game claim --increment-seconds 5": "--increment-seconds goes with --bank-seconds.",
    "play --url http://127.0.0.1:9 --clock runs": "--clock goes with --turn-seconds or --bank-seconds.",
    "play --url http://127.0.0.1:9 --seed 5": "A server draws its own chance: --seed is for games without --url.",
    "play --game claim --url 127.0.0.1:8000": "The address '127.0.0.1:8000' does not begin with http:// or https://,",
    "play --game claim --url http://x/v1/games": "the service's own ends before /v1, 'http://x'.",
    "demo --url ftp://x": "The address 'ftp://x' does not begin with http:// or https://,",
    "mcp --http --token x": "--token is for a single player: with --http each request brings a token.",
    "mcp --http --name Ann": "--name is for a single player: with --http each request brings a token.",
    "mcp --port 1": "--port goes with --http.",
    "mcp --host ::1": "--host goes with --http.",
    "mcp --http --port 70000": "70000 is not in the range 0<=x<=65535.",
    "mcp --url nowhere --token x": "'nowhere'",
    "mcp --url nowhere --http": "'nowhere'",
    "demo --game chess": "There is no game 'chess'. There are: ",
    "demo --game claim --seats 0": "Claim takes 2 to 4 players, not 0.",
    "check-game chess": "There is no game 'chess'. There are: ",
    "check-game claim --seats 2,9": "Claim takes 2 to 4 players, not 9.",
    "check-game claim --seats two": "'two' is no list of numbers such as 2,3.",
    "check-game claim --law none": "There is no law 'none'. There are: ",
    "check-game claim --write": "--write goes with --goldens FOLDER.",
    "new-game claim": "There is a game 'claim' already",
    "new-game A-b": "'A-b' is no name for a game",
    "openapi --check nowhere.json": "'nowhere.json' does not exist.",
    "openapi --write .": "'.' is a directory.",
    "openapi --check one.py --write b.json": "Say --check or --write, not both.",
    "verify nowhere.json": "nowhere.json cannot be checked. It cannot be opened: No such file or directory.",
    "verify one.py --commitment xyz": "this is not 64 hexadecimal digits.",
    "verify one.py --notes nowhere.json": "nowhere.json: It cannot be opened: No such file or directory.",
    "games chess": "Got unexpected extra argument (chess)",
    "arenas": "No such command 'arenas'.",
}
"""The arguments, and what is told."""
NO_BOTS = {
    "gready": "No bot 'gready' plays Claim. Bots that do: random, greedy, search; or yours, as module:Class or"
    " path/file.py:Class.",
    "nowhere.py": "There is no file nowhere.py, seen from ",
    "nowhere.py:Bot": "There is no file nowhere.py, seen from ",
    "no_such_module:Bot": "no_such_module cannot be imported: ModuleNotFoundError",
    "several.py": SEVERAL,
    "several.py:Two": "several.py has no Two. Its bots: One, Eketorps.",
    "several.py:Stranger": "several.py has something else than a subclass of holmgang.Bot as Stranger. Its bots: One,",
    "several.py:Silent": "several.py:Silent needs a method choose(view, legal).",
    "several.py:Eketorps": "several.py:Eketorps does not play claim: its rulesets are eketorp.",
    "none.py": "none.py has no bot: no subclass of holmgang.Bot with a method choose(view, legal).",
    "broken.py:Bot": "broken.py cannot be imported: ZeroDivisionError: division by zero (line 1 of ",
}
"""What is no bot's name, and what is told."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    one, _, _ = BOTS.partition("class Eketorps")
    for name, text in (("several", BOTS), ("one", one), ("none", "x = 1"), ("broken", "1 / 0")):
        Path(f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def told(arguments: str, code: int = 2) -> str:
    result = CliRunner().invoke(holmgang, arguments.split())
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return " ".join(result.stderr.split())


@pytest.mark.parametrize("arguments", TABLE)
def test_a_wrong_argument(arguments: str, here: Path) -> None:
    before = sorted(here.glob("*.*"))
    assert TABLE[arguments] in told(arguments)
    assert sorted(here.glob("*.*")) == before


@pytest.mark.parametrize(
    "command",
    ["arena --bots greedy,", "simulate --bots ", "play --bots ", "ladder random ", "tournament random "],
    ids=str.split,
)
@pytest.mark.parametrize("name", NO_BOTS)
def test_what_is_no_bot(command: str, name: str) -> None:
    assert NO_BOTS[name] in told(f"{command}{name} --game claim")


@pytest.mark.parametrize("command", ["play --name Astrid", "demo"])
def test_an_address_of_something_else(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLMGANG_TOKEN", raising=False)
    monkeypatch.setenv("HOME", ".")

    def greet(connection: socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHi")

    for port in listening(greet):
        said = told(f"{command} --game claim --url http://127.0.0.1:{port}", 1)
        assert f"Error: What answers at http://127.0.0.1:{port} is no Holmgang" in said


def test_a_token_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLMGANG_TOKEN", "abc\n")
    assert "The token has a line break in it" in told("play --game claim --url http://127.0.0.1:9")


def test_a_file_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.bootstrap.openapi_document", lambda packages: {"packages": packages})
    assert "one.py/b.json cannot be written: " in told("openapi --write one.py/b.json", 1)
