"""What may befall a bot on a running service: it is told to stop while it thinks."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from holmgang import Client

from tests.e2e.running import Running, serving
from tests.e2e.test_sdk import script


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def against_greedy(client: Client, **terms: Any) -> str:
    game = client.create_game("claim", 2, **terms)["id"]
    client.seat_bot(game, "greedy")
    return game


ENDLESS = """
import sys, threading
from holmgang import Bot
class Endless(Bot):
    def choose(self, view, legal):
        print("asked", flush=True)
        threading.Event().wait()
Endless().run(sys.argv[1], sys.argv[2], games=[sys.argv[3]])
print("ended", flush=True)
"""


def test_a_bot_stops_when_told_even_if_its_choice_never_ends(running: Running) -> None:
    with Client.register(running.url, "Endless") as client:
        game = against_greedy(client)
        process = script("-c", ENDLESS, running.url, str(client.token), game)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "ended\n", "")
