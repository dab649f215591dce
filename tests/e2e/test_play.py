"""`holmgang play` as people and scripts use it: whole games at a pseudo-terminal and through pipes, in its own process
and against a running service."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holmgang import Client
from tests.e2e.running import Running, serving
from tests.e2e.typist import COMMAND, Player, Typist, environment, plain, too_wide
from tests.unit.games import of_each_game
from tests.waiting import wait_until

from .wheels import beside, built, installed

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def piped(lines: str, home: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(home, **environ),
        check=False,
    )


def assert_played_out(told: str) -> None:
    assert "Final score" in told
    assert re.search(r"(wins?|share the win)\.\s*$", told), told[-300:]
    assert "Traceback" not in told
    assert too_wide(told) == []


@of_each_game("game", "eketorp")
def test_a_whole_game_at_a_terminal_in_this_process(game: str, tmp_path: Path) -> None:
    typist = Typist(["--game", game, "--seed", "5", "--name", "Ann"], tmp_path)
    player = Player(3)
    try:
        assert typist.play(player) == 0
        assert player.numbers > 3
        assert_played_out(typist.told)
        assert "\x1b[1" in typist.raw  # there are colours
        assert "greedy would:" in typist.told
    finally:
        typist.close()


@of_each_game("game", "claim")
def test_a_whole_game_at_a_terminal_on_a_server(game: str, running: Running, tmp_path: Path) -> None:
    typist = Typist(["--url", running.url, "--game", game, "--name", "Ann"], tmp_path, NO_COLOR="1")
    player = Player(4)
    try:
        assert typist.play(player) == 0
        assert_played_out(typist.told)
        assert re.search(r"\x1b\[[0-9;]*3[0-7]", typist.raw) is None  # no colours, as was wished
    finally:
        typist.close()
    (kept,) = tmp_path.glob("holmgang/tokens.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with Client(running.url, token_in(kept, running.url)) as client:
        (found,) = client.my_games(status="over")
    assert found["ruleset"] == game
    assert found["result"] is not None


def token_in(kept: Path, url: str) -> str:
    return str(json.loads(kept.read_text())[url])


@of_each_game("game", "claim")
def test_a_whole_game_through_pipes_in_this_process(game: str, tmp_path: Path) -> None:
    told = piped("hint\ntake\n" * 600, tmp_path, "--game", game, "--seed", "7", "--name", "Ann")
    assert told.returncode == 0, told.stderr
    assert_played_out(told.stdout)
    assert "\x1b" not in told.stdout
    again = piped("hint\ntake\n" * 600, tmp_path, "--game", game, "--seed", "7", "--name", "Ann")
    assert news(again.stdout)[:20] == news(told.stdout)[:20]


def news(told: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith("* ")]


@pytest.mark.parametrize(
    "game", ["drakkars", *(pytest.param(game, marks=pytest.mark.slow) for game in ("claim", "eketorp"))]
)
def test_a_whole_game_through_pipes_on_a_server_that_is_come_back_to(
    game: str, running: Running, tmp_path: Path
) -> None:
    with Client.register(running.url, "Piper") as client:
        begun = piped(
            "hint\ntake\nquit\n", tmp_path, "--url", running.url, "--game", game, HOLMGANG_TOKEN=str(client.token)
        )
        assert begun.returncode == 0, begun.stderr
        (one,) = client.my_games()
        assert f"--game {one['id']}" in begun.stdout
        told = piped(
            "hint\ntake\n" * 600, tmp_path, "--url", running.url, "--game", one["id"], HOLMGANG_TOKEN=str(client.token)
        )
        assert told.returncode == 0, told.stderr
        assert_played_out(told.stdout)
        agrees = "record agrees with what was noted here (commitment, entropy and choices), and it was played again by"
        assert agrees in " ".join(told.stdout.split())
        assert client.game(one["id"])["status"] == "over"
    assert list(tmp_path.iterdir()) == []  # a token that is given is not kept


OWN_BOTS = """
from holmgang import Bot, any_action

class Careless(Bot):
    def choose(self, view, legal):
        return any_action(legal)

class Twice(Bot):
    async def choose(self, view, legal):
        return {"type": "place", "points": ["a1", "a1"]} if view["phase"] == "placement" else any_action(legal)

class Needy(Careless):
    def __init__(self, more):
        pass
"""


def test_own_bots_play_on_a_server(running: Running, tmp_path: Path) -> None:
    """What they do wrong is told with its rule, and their records are compared at the end."""
    home, file = tmp_path / "home", tmp_path / "own.py"
    file.write_text(OWN_BOTS, encoding="utf-8")
    new = ["--url", running.url, "--game", "claim", "--name", "Ann", "--bots", f"{file}:Twice"]
    told = piped("hint\ntake\n" * 600, home, *new)
    assert told.returncode == 0, told.stderr
    assert_played_out(told.stdout)
    assert re.search(r"Twice: game \S+.*\(K2\.1\): Two pieces go to two different", " ".join(told.stdout.split()))
    assert not list(home.glob("holmgang/games/*"))


@pytest.mark.slow
def test_own_bots_come_back_as_the_players_that_they_were(running: Running, tmp_path: Path) -> None:
    """Two of a class are two players."""
    home, file = tmp_path / "home", tmp_path / "own.py"
    file.write_text(OWN_BOTS, encoding="utf-8")
    bots = f"{file}:Careless,{file}:Careless"
    new = ["--url", running.url, "--game", "claim", "--seats", "3", "--name", "Ann", "--bots", bots]
    begun = piped("quit\n", home, *new)
    assert begun.returncode == 0, begun.stderr
    ident = re.findall(r"--game (\S+)", begun.stdout)[-1]
    assert f"--bots {bots}".replace(" ", "") in re.sub(r"\s", "", begun.stdout.partition("without your bots.")[2])
    seats = Client(running.url).game(ident)["seats"]
    assert [re.sub(" .*", "", str(seat["name"])) for seat in seats] == ["Ann", "Careless", "Careless"]
    assert len({seat["player"] for seat in seats}) == 3
    kept = (home / "holmgang/tokens.json").read_text(encoding="utf-8")
    again = piped("hint\ntake\nquit\n", home, "--url", running.url, "--game", ident, "--bots", bots)
    assert again.returncode == 0, again.stderr
    assert "You choose" in again.stdout
    assert (home / "holmgang/tokens.json").read_text(encoding="utf-8") == kept
    again = piped("", home, "--url", running.url, "--game", ident, "--bots", "greedy")
    assert (again.returncode, "greedy cannot sit down in it any more" in again.stderr) == (2, True)


def test_nobody_sits_down_with_a_bot_that_cannot_be_made(running: Running, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN_BOTS, encoding="utf-8")
    with Client.register(running.url, "Host") as host, Client.register(running.url, "Ann") as ann:
        for game in ("claim", host.create_game("claim", 3)["id"]):
            wanted = ["--url", running.url, "--game", game, "--bots", f"{file}:Needy"]
            told = piped("", tmp_path, *wanted, HOLMGANG_TOKEN=str(ann.token))
            assert told.returncode == 2
            assert "own.py:Needy cannot be made by calling it: TypeError" in told.stderr
        assert list(ann.my_games()) == []


def test_a_server_that_has_changed_what_was_given_is_not_to_be_trusted(running: Running, tmp_path: Path) -> None:
    """What was noted is changed here, which comes to the same."""
    with Client.register(running.url, "Piper") as client:
        given = {"HOLMGANG_TOKEN": str(client.token)}
        begun = piped("quit\n", tmp_path, "--url", running.url, "--game", "claim", **given)
        assert begun.returncode == 0, begun.stderr
        (one,) = client.my_games()
        assert one["seats"][0]["entropy"] is not None
        (kept,) = tmp_path.glob("holmgang/games/*/*.json")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        noted = json.loads(kept.read_text(encoding="utf-8"))
        assert noted["entropy"] == one["seats"][0]["entropy"]
        kept.write_text(json.dumps({**noted, "entropy": "A" * 43}), encoding="utf-8")
        client.resign(one["id"])
        for wanted in (one["id"], "claim"):  # when one comes back to it, and when one plays another game
            told = piped("quit\n", tmp_path, "--url", running.url, "--game", wanted, **given)
            said = " ".join((told.stdout + told.stderr).split())
            assert "Do not trust this server" in said
            assert "as the entropy of seat 0" in said
            assert told.returncode == (1 if wanted == one["id"] else 0)
        assert kept.exists()


def test_games_are_made_and_joined_by_menus_and_waited_for(running: Running, tmp_path: Path) -> None:
    with Client.register(running.url, "Host") as host:
        open_game = host.create_game("claim", 2)["id"]
        guest = Typist(["--url", running.url], tmp_path)
        try:
            assert "What is your name?" in (guest.read() or "")
            guest.type("Guest")
            shown = guest.read() or ""
            (number,) = re.findall(rf"^ *(\d+)  join: claim .*\n?.*{open_game}", shown, re.M)
            guest.type(number)
            wait_until(lambda: host.turn(open_game)["status"] == "active", "the guest sits", 20)
            if not host.turn(open_game)["yours"]:  # either is asked first
                assert "Put two pieces on free points" in (guest.read() or "")
                guest.type("a1 b1")
                wait_until(lambda: host.turn(open_game)["yours"], "the guest has chosen", 20)
            turn = host.turn(open_game)
            host.submit(open_game, turn["turn"], {"type": "place", "points": ["a4", "b4"]})
            shown = guest.read() or ""
            assert "Host places a4 and b4." in shown
            guest.type("resign")
            guest.read()
            guest.type("yes")
            assert guest.read() is None
            assert guest.process.returncode == 0
            assert "Host wins." in guest.told
        finally:
            guest.close()
        assert host.game(open_game)["status"] == "over"


def test_what_is_illegal_names_the_rule_and_costs_nothing(tmp_path: Path) -> None:
    lines = [
        "A9",
        "A8 B1",
        "0:boat",
        '{"type":"place","fields":{"A":8},"sieges":["1:ram"]}',
        "{",
        "nonsense",
        "rule E3.2",
    ]
    told = piped("\n".join(lines) + "\n", tmp_path, "--game", "eketorp", "--name", "Ann", "--seed", "1")
    assert told.returncode == 3
    assert told.stdout.count("E3.2: You have 8 Vikings at home, but placed 9.") == 2
    assert "E3.2: 0:boat is beside your own village" in told.stdout
    assert "This is no JSON." in told.stdout
    assert "'nonsense' is neither a field" in told.stdout
    assert "E3.2  Placement, in secret and by all at once." in told.stdout
    assert "You choose" not in told.stdout


def test_ctrl_c_and_ctrl_d_end_it_cleanly(running: Running, tmp_path: Path) -> None:
    for key, code in ((b"\x03", 130), (b"\x04", 3)):
        for place in ([], ["--url", running.url]):
            typist = Typist(["--game", "claim", "--name", "Ann", *place], tmp_path)
            try:
                assert typist.read() is not None
                typist.press(key)
                assert typist.read() is None
                assert typist.process.returncode == code
                assert ("The game goes on" in typist.told) == bool(place)
                assert "Traceback" not in typist.told
                assert "Aborted" not in typist.told
            finally:
                typist.close()


def test_ctrl_c_ends_waiting_for_others(running: Running, tmp_path: Path) -> None:
    typist = Typist(["--url", running.url, "--game", "claim", "--bots", "", "--name", "Ann"], tmp_path)
    try:
        typist.read_until("The game begins when all seats are taken.")
        typist.press(b"\x03")
        assert typist.read() is None
        assert typist.process.returncode == 130
        assert "The game goes on" in typist.told
        assert "Traceback" not in typist.told
    finally:
        typist.close()


def wins_by_resignation(typist: Typist, host: Client, game: str, name: str) -> None:
    """Who is not asked hears at once that the host gave up, and who is asked when they answer."""
    turn = host.turn(game)
    asked = turn["seat"] not in turn["awaited"]
    if asked:
        assert typist.read() is not None
    host.resign(game)
    if asked:
        typist.type("hint")
        assert typist.read() is not None
        typist.type("take")
    assert typist.read() is None
    assert f"{name} wins." in typist.told


def test_who_seeks_meets_who_seeks_the_same(running: Running, tmp_path: Path) -> None:
    with Client.register(running.url, "Host") as host:
        arguments = ["--url", running.url, "--game", "claim", "--turn-seconds", "77", "--name", "Seeker", "--seek"]
        typist = Typist(arguments, tmp_path)
        try:
            typist.read_until("You seek a game of Claim.")
            typist.press(b"\x03")
            assert typist.read() is None
            assert typist.process.returncode == 130
        finally:
            typist.close()
        assert [each for each in host.seeks() if each["player"]["name"] == "Seeker"] == [], "it is withdrawn"
        typist = Typist(arguments, tmp_path)
        try:
            game = host.wait_for_seek(host.create_seek("claim", 2, turn_seconds=77)["id"])["game"]
            assert game is not None
            wins_by_resignation(typist, host, game, "Seeker")
        finally:
            typist.close()
    wrong = piped("", tmp_path, "--seek", "--game", "claim")
    assert wrong.returncode == 2
    assert "--seek goes with --url" in wrong.stderr


def test_who_is_challenged_answers_in_the_lobby(running: Running, tmp_path: Path) -> None:
    asking = ["--url", running.url, "--game", "claim", "--turn-seconds", "78", "--name", "Asker"]
    with Client.register(running.url, "Bergthora") as host:
        asker = Typist([*asking, "--challenge", "Bergthora"], tmp_path)
        try:
            asker.read_until("The game begins once Bergthora will play.")
            (asked,) = host.my_challenges(direction="incoming")
            asker.press(b"\x03")
            assert asker.read() is None
            assert asker.process.returncode == 130
            assert host.challenge_by_id(asked["id"])["status"] == "withdrawn"
        finally:
            asker.close()
        declined = Typist([*asking, "--challenge", "Bergthora"], tmp_path)
        try:
            declined.read_until("The game begins once Bergthora will play.")
            (asked,) = host.my_challenges(direction="incoming", status="pending")
            host.decline_challenge(asked["id"], "too_fast")
            assert declined.read() is None
            assert declined.process.returncode == 1
            assert "Bergthora will not play (too fast)." in declined.told
        finally:
            declined.close()
        mine = next(iter(host.players("Asker")))["id"]
        for _ in range(2):
            host.challenge([mine], "claim", turn_seconds=78)
        told = Typist(["--url", running.url], tmp_path)
        try:
            for answer in ("2", "decline", "2", "accept"):
                shown = told.read()
                assert shown is not None
                assert (
                    answer != "2"
                    or "2  answer: Bergthora challenges you to claim (Bergthora, Asker), turns of 78 s"
                    in (" ".join(shown.split()).replace("2 answer", "2  answer"))
                )
                told.type(answer)
            told.read_until("Claim. Type `?`")
            found = [(one["status"], one["game"]) for one in host.my_challenges(direction="outgoing")]
            assert sorted(status for status, _ in found) == ["accepted", "declined"]
            game = next(game for _, game in found if game is not None)
            wins_by_resignation(told, host, game, "Asker")
        finally:
            told.close()
        Client.register(running.url, "Bergthora").close()
        several = piped("", tmp_path, *asking, "--challenge", "Bergthora")
        assert several.returncode == 1
        assert host.me()["player"]["id"] in several.stderr.replace("\n", "")
    wrong = piped("", tmp_path, "--challenge", "Bergthora")
    assert wrong.returncode == 2
    assert "--challenge goes with --url" in wrong.stderr


def test_what_cannot_be_is_told_plainly(running: Running, tmp_path: Path) -> None:
    wrong = piped("", tmp_path, "--game", "chess")
    assert wrong.returncode == 2
    assert "There is no game 'chess'" in wrong.stderr
    wrong = piped("", tmp_path, "--game", "claim", "--bots", "clever")
    assert wrong.returncode == 2
    assert "No bot 'clever' plays Claim" in wrong.stderr
    wrong = piped("", tmp_path, "--url", running.url, "--game", "claim", HOLMGANG_TOKEN="wrong")
    assert wrong.returncode == 1
    assert "token" in wrong.stderr
    (tmp_path / "holmgang").mkdir()
    (tmp_path / "holmgang/tokens.json").write_text("{")
    wrong = piped("", tmp_path, "--url", running.url, "--game", "claim")
    assert wrong.returncode == 1
    assert "cannot be read" in plain(wrong.stderr)


def test_without_unicode_it_is_ascii(tmp_path: Path) -> None:
    told = piped("quit\n", tmp_path, "--game", "drakkars", "--name", "Ann", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert told.returncode == 0, told.stderr
    assert told.stdout.isascii()
    assert "Your hand: " in told.stdout


def shown_commands(running: Running) -> list[str]:
    """Every block of shell in the manual."""
    manual = (REPOSITORY / "docs/pages/how-to/play-at-a-terminal.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", manual, re.S)
    return [block.replace("http://127.0.0.1:8000", running.url) for block in blocks]


def test_what_the_manual_shows_runs_as_it_stands(running: Running, tmp_path: Path) -> None:
    """Single commands are left by `quit`; the script plays a whole game."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/holmgang").write_text(f'#!/bin/sh\nexec {sys.executable} -m holmgang.cli.main "$@"\n')
    (tmp_path / "bin/holmgang").chmod(0o755)
    with Client.register(running.url, "Reader") as reader:
        settings = environment(tmp_path, HOLMGANG_TOKEN=str(reader.token))
    settings["PATH"] = f"{tmp_path / 'bin'}:{settings['PATH']}"
    blocks = shown_commands(running)
    assert len(blocks) == 3
    for block in blocks:
        for command in [block] if "|" in block else block.splitlines():
            told = subprocess.run(
                ["bash", "-c", command],
                input="quit\n",
                capture_output=True,
                text=True,
                timeout=120,
                env=settings,
                check=False,
            )
            assert (told.returncode, told.stderr) == (0, ""), command
            assert ("Final score" in told.stdout) == ("yes" in command)


@pytest.mark.slow
def test_the_wheel_plays_and_simulates_without_the_server(running: Running, tmp_path: Path) -> None:
    """What `pip install 'holmgang[play]'` gives: that extra's packages and no other, beside folders of any name."""
    programs, packages = installed(built(tmp_path), tmp_path / "venv", "play")
    assert not (packages / "flask").exists()
    work = beside(tmp_path / "mine")
    settings = environment(tmp_path)
    settings.pop("PYTHONPATH", None)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / "holmgang", *arguments],
            input="hint\ntake\nquit\n",
            capture_output=True,
            text=True,
            timeout=60,
            env=settings,
            cwd=work,
            check=False,
        )

    for place in ([], ["--url", running.url, "--name", "Wheeler"]):
        played = run("play", "--game", "eketorp", *place)
        assert played.returncode == 0, played.stderr
        assert "You choose: " in played.stdout
    (work / "own.py").write_text(
        "from holmgang import Bot, any_action\n"
        "class Own(Bot):\n"
        "    def choose(self, view, legal):\n"
        "        return any_action(legal)\n",
        encoding="utf-8",
    )
    simulation = ("simulate", "--game", "eketorp", "--bots", "own.py:Own,greedy", "--games", "2", "--processes", "2")
    simulated = run(*simulation, "--csv", "games.csv")
    assert simulated.returncode == 0, simulated.stderr
    assert "win rate" in simulated.stdout
    undrawn = run(*simulation, "--plot", "games.png")
    assert undrawn.returncode == 1
    assert "pip install 'holmgang[play,plot]'" in undrawn.stderr
    for command, module in (("serve", "structlog"), ("openapi", "flask")):
        refused = run(command)
        assert (refused.returncode, refused.stdout) == (1, "")
        need = f"Error: {command} needs {module}, which is not installed: pip install 'holmgang[server]'\n"
        assert refused.stderr == need
    helped = run("--help")
    assert helped.returncode == 0
    listed = dict(re.findall(r"^  ([a-z-]+) +(.+)$", helped.stdout.partition("Commands:")[2], re.MULTILINE))
    offered = {name for name, told in listed.items() if told != "Needs holmgang[server]."}
    assert offered == {
        "arena",
        "bot",
        "check-game",
        "games",
        "ladder",
        "mcp",
        "new-game",
        "play",
        "settings",
        "simulate",
        "standings",
        "tournament",
        "verify",
    }
    met = run("tournament", "--game", "claim", "own.py", "greedy", "random", "--processes", "2")
    assert met.returncode == 0, met.stderr
    assert "Round 2" in met.stdout
