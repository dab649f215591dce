"""Connections between clients and the service are cut, at the worst moment: what was done is done once, who asks again
gets the same answer, and who waits or listens misses nothing."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator

import httpx
import pytest

from holmgang import Client, any_action
from holmgang.problems import SecretAlreadyShown
from tests.e2e.test_faults import games_are_whole
from tests.waiting import wait_until
from tests.wire import Wire, wire

RULESET, SEATS = "claim", 2
MOMENTS = (0, 30, 300)
"""Bytes of an answer that arrive before the cut: none, some of the headers, some of the body."""


@pytest.fixture
def cable(port: int) -> Iterator[Wire]:
    with wire(port) as between:
        yield between


@pytest.fixture
def clients(cable: Wire, port: int) -> Iterator[list[Client]]:
    """Players who reach the service by the wire; they pause for little after a fault."""
    url = f"http://127.0.0.1:{port}"
    tokens = []
    for n in range(SEATS):
        with Client.register(url, f"player {n}") as straight:
            tokens.append(straight.token)
    found = [Client(f"http://127.0.0.1:{cable.port}", token, patience=30) for token in tokens]
    yield found
    for client in found:
        client.close()


def seated(clients: list[Client]) -> str:
    game = clients[0].create_game(RULESET, SEATS)["id"]
    for client in clients[1:]:
        client.take_seat(game)
    return game


def move(clients: list[Client], game: str, rng: random.Random) -> bool:
    """Whether the game awaited anybody, who has chosen then."""
    summary = clients[0].game(game)
    for seat in summary["awaited"]:
        turn = clients[seat].turn(game)
        assert turn["legal"] is not None
        clients[seat].submit(game, turn["turn"], any_action(turn["legal"], rng))
    return summary["status"] == "active"


@pytest.mark.parametrize("kept", MOMENTS)
def test_what_was_made_is_made_once(clients: list[Client], cable: Wire, kept: int) -> None:
    me = clients[0]
    cable.cut_answer(b"POST /v1/games ", kept)
    game = me.create_game(RULESET, SEATS)["id"]
    assert [each["id"] for each in me.my_games()] == [game]
    cable.cut_answer(b"POST /v1/games/%b/seats " % game.encode(), kept)
    assert clients[1].take_seat(game)["seat"] == 1
    assert cable.cuts == 2


@pytest.mark.parametrize("kept", MOMENTS)
def test_a_choice_whose_answer_was_lost_counts_once(
    clients: list[Client], cable: Wire, module_database: str, kept: int
) -> None:
    game, rng = seated(clients), random.Random(kept)
    for _ in range(6):
        cable.cut_answer(b"/submissions ", kept)
        assert move(clients, game, rng)
    assert cable.cuts == 6
    games_are_whole(module_database, [game])


@pytest.mark.parametrize("kept", MOMENTS)
def test_the_same_key_gets_the_same_bytes(clients: list[Client], cable: Wire, port: int, kept: int) -> None:
    token, body = clients[0].token, {"ruleset": RULESET, "seats": SEATS}
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"a key for {kept}".replace(" ", "-")}
    cable.cut_answer(b"POST /v1/games ", kept)
    with pytest.raises(httpx.TransportError):
        httpx.post(f"http://127.0.0.1:{cable.port}/v1/games", headers=headers, json=body)
    first, second = (
        httpx.post(f"http://127.0.0.1:{port}/v1/games", headers=headers, json=body, timeout=30) for _ in range(2)
    )
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    assert [each["id"] for each in clients[0].my_games()] == [first.json()["id"]]


def test_a_secret_whose_answer_was_lost_is_not_shown_again(clients: list[Client], cable: Wire) -> None:
    """What was made is named, so that it can be taken back."""
    game = clients[0].create_game(RULESET, SEATS, visibility="private")["id"]
    cable.cut_answer(b"/invitations ", 0)
    with pytest.raises(SecretAlreadyShown) as told:
        clients[0].create_invitation(game)
    (made,) = clients[0].invitations(game)
    assert told.value.body["location"].endswith(made["id"])


def test_who_waits_waits_on(clients: list[Client], cable: Wire) -> None:
    game = seated(clients)
    (asked,) = clients[0].game(game)["awaited"]
    waiting, mover = clients[1 - asked], clients[asked]
    known = waiting.turn(game)["turn"]
    heard: list[int] = []

    def wait() -> None:
        while not heard:
            turn = waiting.turn(game, wait=20)
            if turn["turn"] != known:
                heard.append(turn["turn"])

    thread = threading.Thread(target=wait)
    thread.start()
    for _ in range(3):
        wait_until(lambda: cable.lines() > 1, "both clients are connected")
        cable.cut()
        mover.game(game)
    turn = mover.turn(game)
    assert turn["legal"] is not None
    mover.submit(game, turn["turn"], any_action(turn["legal"], random.Random(1)))
    thread.join(15)
    assert not thread.is_alive()
    assert heard == [known + 1]


def test_a_stream_goes_on_without_a_gap(clients: list[Client], cable: Wire) -> None:
    """The client's: it names what it heard last."""
    game, rng, over = seated(clients), random.Random(2), threading.Event()
    heard: list[int] = []

    def listen() -> None:
        with Client(f"http://127.0.0.1:{cable.port}", clients[0].token) as client:
            for event in client.stream(game):
                heard.append(event["seq"])  # noqa: PERF401 # each when it comes: others look at them meanwhile
        over.set()

    thread = threading.Thread(target=listen)
    thread.start()
    for number in range(15):
        assert move(clients, game, rng)
        if number in (2, 5, 9):
            wait_until(lambda: len(heard) > 3, "the stream is there")
            cable.cut()
    clients[1].resign(game)
    assert over.wait(60)
    thread.join(5)
    assert heard == list(range(1, clients[0].game(game)["version"] + 1))


def test_last_event_id_names_where_a_stream_goes_on(clients: list[Client], cable: Wire) -> None:
    """As a browser does it."""
    game, rng = seated(clients), random.Random(3)
    for _ in range(5):
        move(clients, game, rng)
    url = f"http://127.0.0.1:{cable.port}/v1/games/{game}/events"
    heard: list[int] = []
    for most in (2, 3, 1):
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {clients[0].token}"}
        if heard:
            headers["Last-Event-ID"] = str(heard[-1])
        with httpx.stream("GET", url, headers=headers, timeout=20) as answer:
            lines = answer.iter_lines()
            for _ in range(most):
                data = next(line for line in lines if line.startswith("data:"))
                heard.append(json.loads(data.removeprefix("data:"))["seq"])
            cable.cut()
    assert heard == [1, 2, 3, 4, 5, 6]
