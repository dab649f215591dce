"""Time banks over a thousand turns, while the database is restarted: what is left is what the events say, and what the
seats of a game have spent together is the time that the game took."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from holmgang import Client, any_action
from tests.e2e.running import serving
from tests.e2e.test_faults import FAST, end_postgres
from tests.waiting import wait_until

BANK, INCREMENT = 3600, 2
TURNS, AT_ONCE = 1000, 4
MOST_MS = 50


@dataclass
class Match(threading.Thread):
    """Games of two, one after the other, until so many turns are played. At each, clocks and events are compared."""

    url: str
    number: int
    played: int = 0
    apart_ms: list[float] = field(default_factory=list)
    """How far what a clock shows is from what the events come to, at each turn and for each seat."""
    drift_ms: list[float] = field(default_factory=list)
    """How far what was spent in a game is from how long it took. Where an outage was made up for, it is not counted."""
    fault: BaseException | None = None

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        try:
            while self.played < TURNS // AT_ONCE:
                self.game(Random(self.played * AT_ONCE + self.number))
        except BaseException as fault:
            self.fault = fault

    def game(self, rng: Random) -> None:
        players = [Client.register(self.url, f"player {self.number}.{seat}") for seat in range(2)]
        game = players[0].create_game("claim", 2, bank_seconds=BANK, increment_seconds=INCREMENT)["id"]
        players[1].take_seat(game)
        banks, seen, feed = [BANK * 1000] * 2, 0, list[Any]()
        while True:
            turn = players[0].turn(game)
            for event in players[0].events(game, after=seen):
                if event["seq"] <= turn["version"]:
                    seen = event["seq"]
                    feed.append(event)
                    if (charge := event["payload"])["type"] == "bank_charged":
                        banks[charge["seat"]] += charge["added_ms"] - charge["spent_ms"]
            assert turn["clocks"] is not None
            shown = [clock["bank_ms"] or 0 for clock in turn["clocks"]]
            self.apart_ms += [abs(one - other) for one, other in zip(shown, banks, strict=True)]
            if turn["status"] == "over":
                break
            (seat,) = turn["awaited"]
            own = players[seat].turn(game)
            assert own["legal"] is not None
            players[seat].submit(game, own["turn"], any_action(own["legal"], rng))
            self.played += 1
        for player in players:
            player.close()
        types = [event["payload"]["type"] for event in feed]
        if "deadline_put_off" not in types:
            moments = [datetime.fromisoformat(event["at"]) for event in feed]
            took = (moments[-1] - moments[types.index("game_started")]) / timedelta(milliseconds=1)
            spent = sum(event["payload"]["spent_ms"] for event in feed if event["payload"]["type"] == "bank_charged")
            self.drift_ms.append(abs(took - spent))


def moved(matches: list[Match], turns: int) -> bool:
    return sum(match.played for match in matches) >= turns or any(match.fault for match in matches)


@pytest.mark.slow
def test_banks_are_what_the_events_say_though_the_database_is_restarted() -> None:
    with serving() as service:
        matches = [Match(service.url, number) for number in range(AT_ONCE)]
        for match in matches:
            match.start()
        for restart in range(1, 4):
            wait_until(partial(moved, matches, restart * TURNS // 4), "the games get on", 240)
            end_postgres(service, FAST)
        for match in matches:
            match.join(240)
        faults = [match.fault for match in matches if match.fault is not None]
        assert faults == []
        apart = [each for match in matches for each in match.apart_ms]
        drift = [each for match in matches for each in match.drift_ms]
        assert sum(match.played for match in matches) >= TURNS
        assert max(apart) == 0
        assert drift
        assert max(drift) <= MOST_MS
