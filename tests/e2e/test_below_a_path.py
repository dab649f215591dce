"""The service below a path of its host, behind a proxy that takes the path off, as clients meet it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from holmgang import AsyncClient, Client
from tests.e2e.between import between
from tests.e2e.running import serving

EXAMPLES = Path(__file__).parents[2] / "examples"
BELOW = "/holm/gang"


@dataclass
class Place:
    url: str
    """By which clients reach the service."""
    inside: str
    """The same without the proxy."""


@contextmanager
def below_a_path() -> Iterator[Place]:
    with between(0, below=BELOW) as proxy:
        url = proxy.url.removesuffix("/v1")
        with serving(PUBLIC_URL=url) as service:
            proxy.port = service.port
            yield Place(url, service.url)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with below_a_path() as place:
        yield place


@pytest.fixture(scope="module")
def games(place: Place) -> list[str]:
    """More games than are on a page, the newest first."""
    with Client.register(place.url, "Dagny") as client:
        return [client.create_game("claim", seats=2)["id"] for _ in range(5)][::-1]


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/#/games"])
def test_the_client_goes_through_all_pages(place: Place, games: list[str], end: str) -> None:
    with Client(place.url + end) as client:
        assert [game["id"] for game in client.games(limit=2)] == games


def test_the_client_of_the_inside_goes_through_all_pages_too(place: Place, games: list[str]) -> None:
    with Client(place.inside) as client:
        assert [game["id"] for game in client.games(limit=2)] == games


def test_the_async_client_goes_through_all_pages(place: Place, games: list[str]) -> None:
    async def ask() -> list[str]:
        async with AsyncClient(place.url) as client:
            return [game["id"] async for game in client.games(limit=2)]

    assert asyncio.run(ask()) == games


def test_what_was_made_and_what_comes_next_are_where_headers_say(place: Place, games: list[str]) -> None:
    made = httpx.post(f"{place.url}/v1/players", json={"name": "Ketil"})
    assert httpx.get(made.headers["Location"]).json()["id"] == made.json()["player"]["id"]
    seen, page = [], httpx.get(f"{place.url}/v1/games?limit=2")
    while True:
        seen += [game["id"] for game in page.json()["items"]]
        if "next" not in page.links:
            break
        page = httpx.get(page.links["next"]["url"])
    assert seen == games
    refused = httpx.get(f"{place.url}/v1/me").json()
    assert "What to do" in httpx.get(refused["type"]).text
    assert httpx.get(place.url, headers={"Accept": "application/json"}).json()["links"]["docs"] == f"{place.url}/docs"


@pytest.mark.slow
@pytest.mark.parametrize("end", ["/", "/v1"])
def test_the_demonstration_plays_there(place: Place, end: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "holmgang.cli.main", "demo", "--game", "claim", "--url", place.url + end],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "win" in done.stdout


def test_an_example_of_a_bot_plays_there(place: Place) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "TOKEN" and "proxy" not in name.lower()}
    done = subprocess.run(
        [sys.executable, EXAMPLES / "bot.py", "drakkars", f"{place.url}/v1/"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "winners" in done.stdout
