"""Language models at a table: `holmgang mcp` as their programs start it, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx2
import msgspec
import pytest
from mcp import Client, StdioServerParameters

from holmgang import Client as Caller
from holmgang import registry
from tests.e2e.model import MINE, OVER, Model, over_http
from tests.e2e.running import Running, serving

MCP = ["-m", "holmgang.cli.main", "mcp"]
REPOSITORY = Path(__file__).parents[2]
SEED = "5" * 64
READ = 150_000
"""Characters that a model reads in a whole game, at most, when it lists its choices each time."""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


@pytest.fixture(scope="module")
def address(running: Running) -> Iterator[str]:
    """Of `holmgang mcp --http`."""
    command = [sys.executable, *MCP, "--url", running.url, "--http", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        yield said.split("connect to ")[1].split()[0]
        process.terminate()
        assert process.wait(20) in (143, -signal.SIGTERM)


KINDS = [name for name in registry.names() if name != "claim"]


def started(running: Running, home: Path, *arguments: str) -> StdioServerParameters:
    """How a program starts the command; the terminal's encoding is as poor as can be."""
    environ = {**os.environ, "HOME": str(home), "PYTHONIOENCODING": "ascii"}
    environ.pop("HOLMGANG_TOKEN", None)
    return StdioServerParameters(
        command=sys.executable, args=[*MCP, "--url", running.url, *arguments], env=environ, cwd=home
    )


def tokens(running: Running, *names: str) -> list[str]:
    found = []
    for name in names:
        with Caller.register(running.url, name) as caller:
            found.append(str(caller.token))
    return found


def test_models_play_whole_games_of_each_kind(running: Running, address: str, tmp_path: Path) -> None:
    """Claim over the standard streams, the others over HTTP, all at once."""

    async def play() -> dict[str, str]:
        async with AsyncExitStack() as stack:
            command = started(running, tmp_path, "--name", "Þóra")
            models = {"claim": Model(await stack.enter_async_context(Client(command)), Random(1))}
            for name, token in zip(KINDS, tokens(running, "Bjorn", "Cnut"), strict=True):
                models[name] = await stack.enter_async_context(over_http(address, token, Random(1)))
            games = {name: await model.new_game(name, opponents="random") for name, model in models.items()}
            assert 'player "Þóra", you' in await models["claim"].call("look", game=games["claim"])
            ends = await asyncio.gather(*(model.play(games[name]) for name, model in models.items()))
            for model in models.values():
                assert sum(map(sum, model.sizes.values())) < READ
            return dict(zip(models, ends, strict=True))

    ends = asyncio.run(play())
    assert ends.keys() == set(registry.names())
    assert all(OVER in end for end in ends.values())
    assert "The game's record agrees with what was noted of it here." in ends["claim"]
    assert not list(tmp_path.rglob("games/*/*.json"))


@pytest.mark.slow
def test_who_is_registered_comes_back_as_the_same_player(running: Running, tmp_path: Path) -> None:
    async def play() -> None:
        async with Client(started(running, tmp_path)) as client:
            game = await Model(client, Random(1)).new_game("drakkars", opponents="people")
        async with Client(started(running, tmp_path)) as client:
            told = await Model(client, Random(1)).call("find_games")
            assert f'Yours, open:\n- {game}: drakkars, 1 of 2 seats taken, players "Model"' in told
        (token,) = tokens(running, "Another")
        async with Client(started(running, tmp_path, "--token", token)) as client:
            model = Model(client, Random(1))
            assert 'player "Another", you' in await model.call("sit_down", game=game)

    asyncio.run(play())
    (kept,) = tmp_path.rglob("tokens.json")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_it_stops_when_it_is_told_to_or_nobody_talks_any_more(running: Running, tmp_path: Path) -> None:
    command = started(running, tmp_path)
    for code in (143, 0):
        with subprocess.Popen(
            [command.command, *command.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=command.env,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            process.stdin.flush()
            assert process.stdout.readline().startswith('{"jsonrpc":"2.0","id":1,')
            if code:
                process.terminate()
            else:
                process.stdin.close()
            assert process.wait(20) == code


@pytest.mark.parametrize("given", [None, b"Bearer hg_wrong", b"Bearer \xc3\xa9", b"Bearer", b"Basic YTpi"])
def test_nobody_is_let_in_without_a_players_token(given: bytes | None, address: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {b"Accept": b"application/json, text/event-stream"}
    if given is not None:
        headers[b"Authorization"] = given
    answer = httpx2.post(address, json=body, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_a_token_does_what_it_is_for_and_is_asked_of_the_service_at_each_call(running: Running, address: str) -> None:
    with Caller.register(running.url, "Hilda") as caller:
        reading = caller.create_token("to look on", ["read"])
        game = caller.create_game("claim", 2)["id"]

        async def play() -> None:
            async with over_http(address, reading["token"], Random(1)) as model:
                assert 'player "Hilda", you' in await model.call("look", game=game)
                assert "another token" in await model.refused("resign", game=game)
                caller.revoke_token(reading["id"])
                assert "another token" in await model.refused("look", game=game)

        asyncio.run(play())


def test_each_session_sees_what_its_own_seat_may_see(running: Running, address: str) -> None:
    """Many calls at once, through one server."""
    rules = registry.latest("eketorp")
    given = tokens(running, "Erik", "Freydis", "Gunnar")

    async def play(game: str) -> list[str]:
        async with AsyncExitStack() as stack:
            models = [await stack.enter_async_context(over_http(address, each, Random(1))) for each in given]
            return await asyncio.gather(*(model.call("look", game=game) for model in models * 5))

    callers = [Caller(running.url, token) for token in given]
    game = callers[0].create_game("eketorp", 3, practice=True, seed=SEED)["id"]
    for caller in callers[1:]:
        caller.take_seat(game)
    boards = [rules.render(msgspec.convert(caller.view(game), rules.view_type)) for caller in callers]
    hands = [re.search("^your hand: .+$", board, re.M)[0] for board in boards]  # type: ignore[index]
    assert len(set(hands)) == 3
    for n, text in enumerate(asyncio.run(play(game))):
        assert boards[n % 3] in text
        assert not [hand for hand in hands if hand != hands[n % 3] and hand in text]


def test_wrong_calls_are_refused_with_a_way_on_and_nothing_is_done_twice(running: Running, address: str) -> None:
    (token,) = tokens(running, "Careless")

    async def play() -> str:
        async with over_http(address, token, Random(1)) as model:
            assert "`find_games`" in await model.refused("look", game="the one with the ships")
            assert "`rules` those of rulesets" in await model.refused("new_game", ruleset="chess")
            assert "2 or 3 or 4 seats" in await model.refused("new_game", ruleset="claim", seats=9)
            assert "people, random, greedy" in await model.refused("new_game", ruleset="claim", opponents="a friend")
            assert "There are K1, " in await model.refused("rules", ruleset="claim", section="Z9")
            game = await model.new_game("drakkars", opponents="people")
            assert "Call `wait` again" in await model.call("wait", game=game, seconds=-5)
            assert "has yet to begin" in await model.refused("move", game=game, turn=1, action={"type": "draw"})
            assert "left your seat" in await model.call("resign", game=game)
            game = await model.new_game("claim", opponents="random")
            turn = int(MINE.search(await model.call("wait", game=game))[1])  # type: ignore[index]
            for action in ("a2 to a3", "", True, None, 1.5, [1], "²"):
                assert "words are not read" in await model.refused("move", game=game, turn=turn, action=action)
            for number in (0, -1, 10**9, "99999999999999999999"):
                told = await model.refused("move", game=game, turn=turn, action=number)
                assert "lists them with their numbers" in told or "words are not read" in told
            assert "`turn`: " in await model.refused("move", game=game, turn="soon", action=1)
            assert "`action`: Field required" in await model.refused("move", game=game, turn=turn)
            for shapeless in ({}, {"type": "nonsense"}, {"type": "place", "points": "a1"}):
                assert "`legal` lists" in await model.refused("dry_run", game=game, turn=turn, action=shapeless)
            same = {"type": "place", "points": ["a1", "a1"]}
            assert "(rule K" in await model.refused("move", game=game, turn=turn, action=same)
            assert "would be taken" in await model.call("dry_run", game=game, turn=turn, action=1)
            chosen = json.loads(
                (await model.call("dry_run", game=game, turn=turn, action="2"))[19:].partition(". N")[0]
            )
            forms = [chosen, json.dumps(chosen)] * 3
            at_once = (model.call("move", game=game, turn=turn, action=form) for form in forms)
            assert len({said.partition("\n")[0] for said in await asyncio.gather(*at_once)}) == 1
            assert "Nothing was counted twice" in await model.refused("move", game=game, turn=turn, action=2)
            other = {"type": "place", "points": ["h8", "i6"]}
            assert "`look`" in await model.refused("move", game=game, turn=turn, action=other)
            assert "`look`" in await model.refused("move", game=game, turn=turn + 50, action=other)
            assert OVER in await model.call("resign", game=game)
            for tool, more in (("move", {"turn": turn, "action": other}), ("move", {"turn": turn, "action": 1})):
                assert "`look`" in await model.refused(tool, game=game, **more)
            assert OVER in await model.call("resign", game=game)
            assert OVER in await model.call("wait", game=game)
            assert OVER in await model.call("legal", game=game)
            return game

    game = asyncio.run(play())
    with Caller(running.url, token) as caller:
        log = [line["entry"] for line in caller.record(game)["log"]]
    assert sum(seat == 0 for entry in log for seat, _ in entry.get("actions", [])) == 1


def test_the_setups_of_the_page_do(running: Running, address: str, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs/pages/how-to/let-a-model-play.md").read_text(encoding="utf-8")
    claude, code = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.S))
    (token,) = tokens(running, "Reader")
    one = claude["mcpServers"]["holmgang"]
    assert one["command"].endswith("/holmgang")
    assert one["args"][0] == "mcp"
    other = code["servers"]["holmgang"]
    (asked,) = code["inputs"]
    (header,) = other["headers"].values()
    assert (other["type"], urlsplit(other["url"]).path) == ("http", urlsplit(address).path)
    assert header == f"Bearer ${{input:{asked['id']}}}"

    async def play() -> set[str]:
        arguments = [each.replace("http://127.0.0.1:8000", running.url) for each in one["args"][1:]]
        started_as = started(running, tmp_path)
        command = StdioServerParameters(command=started_as.command, args=[*MCP, *arguments], env=started_as.env)
        async with Client(command) as client, over_http(address, token, Random(1)) as model:
            there = {tool.name for tool in (await client.list_tools()).tools}
            assert there == {tool.name for tool in (await model.client.list_tools()).tools}
            return there

    assert asyncio.run(play()) == set(re.findall(r"^\| `(\w+)` \|", page, re.M))
