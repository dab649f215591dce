"""Clients give entropy, keep what they gave, and find out a server that has put other entropy in its place: one that
is played here by whoever stands between client and service, so that the service's record fits in all parts."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import holmgang.client._bot
from holmgang import AsyncClient, Belied, Client, any_action, problems
from tests.e2e.running import Running, serving
from tests.e2e.test_sdk import Quick

OTHER = "A" * 43


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def bent(request: httpx.Request) -> httpx.Request:
    """The request as such a server takes it."""
    body = json.loads(request.content or "null")
    if not isinstance(body, dict) or not body.get("entropy"):
        return request
    headers = {name: value for name, value in request.headers.items() if name != "content-length"}
    return httpx.Request(request.method, request.url, headers=headers, json={**body, "entropy": OTHER})


class Bending(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return super().handle_request(bent(request))


class BendingAsync(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await super().handle_async_request(bent(request))


def play(client: Client, game: str) -> None:
    while (turn := client.turn(game, wait=5))["status"] == "active":
        if turn["legal"] is not None and turn["yours"]:
            client.submit(game, turn["turn"], any_action(turn["legal"]))


def begun(client: Client) -> str:
    game = client.create_game("claim", 2)["id"]
    client.seat_bot(game, "random")
    return game


def test_who_creates_a_game_gives_entropy_and_so_does_who_joins(running: Running) -> None:
    with Client.register(running.url, "Astrid") as astrid, Client.register(running.url, "Bjorn") as bjorn:
        made = astrid.create_game("claim", 2)
        assert made["seats"][0]["player"] == astrid.me()["player"]["id"]
        assert astrid.notes.of(made["id"]).commitment == made["commitment"]
        joined = bjorn.take_seat(made["id"])
        assert bjorn.take_seat(made["id"])["seat"] == joined["seat"] == 1
        for client, seat in ((astrid, 0), (bjorn, 1)):
            note = client.notes.of(made["id"])
            assert note.seat == seat
            assert note.entropy is not None
            assert client.game(made["id"])["seats"][seat]["entropy"] == note.entropy
        with Client(running.url, astrid.token) as again:  # which knows of nothing
            assert again.take_seat(made["id"])["seat"] == 0
            assert again.notes.of(made["id"]).entropy is None
        own = "B" * 43
        alone = astrid.create_game("claim", 2, join=False)
        assert all(seat["player"] is None for seat in alone["seats"])
        assert astrid.take_seat(alone["id"], seat=1, entropy=own)["seat"] == 1
        with pytest.raises(problems.AlreadySeated):
            astrid.take_seat(alone["id"], entropy=OTHER)
        assert (astrid.notes.of(alone["id"]).seat, astrid.notes.of(alone["id"]).entropy) == (1, own)
        astrid.leave_seat(alone["id"], 1)
        bjorn.take_seat(alone["id"], seat=1)
        assert not list(set(astrid.notes.games()) & {alone["id"]}), "what is given there now is another's"
        practice = astrid.create_game("claim", 2, practice=True, seed="0" * 64)
        assert practice["seats"][0]["player"] is not None
        assert astrid.notes.of(practice["id"]).entropy is None, "its chance is its seed's alone"


def test_a_client_verifies_what_it_played_and_finds_out_a_bent_game(running: Running, tmp_path: Path) -> None:
    with Client.register(running.url, "Fair", notes=tmp_path / "fair") as client:
        game = begun(client)
        play(client, game)
        verified = client.verify(game)
        assert verified.compared == ("commitment", "entropy", "choices")
        assert verified.replayed
    with Client(running.url, client.token, notes=tmp_path / "fair") as again:
        assert again.verify(game) == verified
    with Client.register(running.url, "Bent", transport=Bending(), notes=tmp_path / "bent") as client:
        game = begun(client)
        play(client, game)
        with pytest.raises(Belied, match="entropy of seat 0"):
            client.verify(game)
        record = tmp_path / "record.json"
        record.write_text(json.dumps(client.record(game)), encoding="utf-8")
        commitment = client.notes.of(game).commitment

    def verify(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "holmgang.cli.main", "verify", str(record), "--commitment", str(commitment)]
        return subprocess.run([*command, *more], capture_output=True, encoding="utf-8", check=False)

    assert verify().returncode == 0, "alone, the record fits"
    noted = verify("--notes", str(tmp_path / "bent" / f"{game}.json"))
    assert noted.returncode == 1
    assert "not the entropy that was noted for seat 0" in noted.stdout


@pytest.mark.slow
def test_a_bot_verifies_by_itself(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "holmgang")
    with Client.register(running.url, "Host") as host:
        games = []
        for _ in range(2):
            games.append(host.create_game("claim", 2, join=False)["id"])
            host.seat_bot(games[-1], "random")
        Quick().run(running.url, games=games[:1])
        assert f"game {games[0]}: its record holds (commitment, entropy, choices)" in caplog.messages

        class Bent(AsyncClient):
            def __init__(self, *arguments: Any, **settings: Any) -> None:
                super().__init__(*arguments, transport=BendingAsync(), **settings)

        monkeypatch.setattr(holmgang.client._bot, "AsyncClient", Bent)
        with pytest.raises(Belied, match=games[1]):
            Quick().run(running.url, games=games[1:])
        assert any("was not played as its record says" in message for message in caplog.messages)


def test_a_client_of_asyncio_does_the_same(running: Running) -> None:
    async def go() -> None:
        async with await AsyncClient.register(running.url, "Cnut", transport=BendingAsync()) as client:
            game = (await client.create_game("claim", 2))["id"]
            await client.seat_bot(game, "random")
            await client.resign(game)
            with pytest.raises(Belied):
                await client.verify(game)

    asyncio.run(go())
