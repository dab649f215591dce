"""Players and spectators over the SDK, who keep in mind all that they were told."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

from holmgang import Client

PATIENCE = 120.0
WAIT = 20


class Ledger(httpx.BaseTransport):
    """Counts answers by status, and keeps those of 500 and more that do not say that they may be asked again."""

    def __init__(self) -> None:
        self._inner = httpx.HTTPTransport()
        self.statuses: Counter[int] = Counter()
        self.lost = 0
        self.unmarked: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = self._inner.handle_request(request)
        except httpx.TransportError:
            self.lost += 1
            raise
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            text = answer.read().decode(errors="replace")
            if not _marked(answer, text):
                self.unmarked.append(f"{request.method} {request.url.path}: {answer.status_code} {text[:300]!r}")
        return answer

    def close(self) -> None:
        self._inner.close()


def _marked(answer: httpx.Response, text: str) -> bool:
    return (
        "Retry-After" in answer.headers
        and answer.headers["Content-Type"] == "application/problem+json"
        and httpx.Response(answer.status_code, text=text).json()["retryable"] is True
    )


@dataclass
class Seat:
    """A person's seat and the client that plays it."""

    game: str
    number: int
    client: Client
    ledger: Ledger
    receipts: dict[int, tuple[str, Any]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    over: bool = False


def person(url: str, name: str) -> tuple[Client, Ledger]:
    """A new player's client."""
    token = Client.register(url, name).token
    ledger = Ledger()
    return Client(url, token, patience=PATIENCE, transport=ledger), ledger


class Player(threading.Thread):
    """Waits for the turns of a seat and plays them until the game is over. Every fifth choice is sent twice."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(name=f"seat {seat.number} of {seat.game}", daemon=True)
        self.seat = seat

    def run(self) -> None:
        try:
            self._play()
        except Exception as fault:
            self.seat.wrong.append(repr(fault))
            raise

    def _play(self) -> None:
        seat, rng = self.seat, random.Random(f"{self.seat.game} {self.seat.number}")
        while True:
            turn = seat.client.turn(seat.game, wait=WAIT)
            if turn["status"] == "over":
                seat.over = True
                return
            if not turn["yours"]:
                continue
            legal = turn["legal"]
            assert legal is not None
            action = rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]
            receipt = seat.client.submit(seat.game, turn["turn"], action)
            if turn["turn"] in seat.receipts:
                seat.wrong.append(f"asked twice for turn {turn['turn']}")
            seat.receipts[turn["turn"]] = (receipt["id"], action)
            if len(seat.receipts) % 5 == 0:
                again = seat.client.submit(seat.game, turn["turn"], action)
                if (again["id"], again["revision"]) != (receipt["id"], receipt["revision"]):
                    seat.wrong.append(f"another receipt for the same choice: {receipt} {again}")


class Spectator(threading.Thread):
    """Hears a game's events as they come, until the game is over."""

    def __init__(self, url: str, game: str) -> None:
        super().__init__(name=f"spectator of {game}", daemon=True)
        self.game = game
        self.ledger = Ledger()
        self.client = Client(url, patience=PATIENCE, transport=self.ledger)
        self.heard: list[int] = []
        self.ended = False

    def run(self) -> None:
        for event in self.client.stream(self.game):
            self.heard.append(event["seq"])
        self.ended = True
