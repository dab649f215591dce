"""What the terminal says of a deadline: that it stops the clock, where only bots and the absent would wait."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from holmgang import registry
from holmgang.terminal.local import LocalTable
from holmgang.terminal.remote import clock_waits
from holmgang.terminal.sitting import Left, Sitting
from holmgang.terminal.table import Moment
from tests.unit.terminal.test_choices import Script

LATER = "2026-11-28T12:00:00Z"
BOT = {"bot": "greedy"}


def game(*others: dict[str, Any], **terms: str) -> Any:
    seat = {"bot": None, "absent_since": None, "resigned_at": None}
    seats = [{**seat, **one, "seat": n} for n, one in enumerate(({}, *others))]
    return {"clock": "waits", "absence": "default", "seats": seats, **terms}


@pytest.mark.parametrize(
    ("found", "waits"),
    [
        (game(BOT, BOT), True),
        (game(BOT, {"absent_since": LATER}, {"resigned_at": LATER}), True),
        (game(BOT, {}), False),
        (game(BOT, BOT, clock="runs"), False),
        (game(BOT, BOT, absence="forfeit"), False),
        (game(BOT, BOT, absence="bot:random"), True),
    ],
)
def test_the_clock_waits_where_nobody_else_does(found: Any, waits: bool) -> None:
    assert clock_waits(found, 0) is waits


class Timed(LocalTable):
    clock_waits = False

    def now(self) -> Moment:
        return replace(super().now(), deadline=LATER, clock_waits=self.clock_waits)


@pytest.mark.parametrize("waits", [True, False])
def test_it_is_said_at_the_question(waits: bool) -> None:
    table = Timed(registry.latest("claim"), ["random"], 0, "Ann", Random(1))
    table.clock_waits = waits
    screen = Script(["quit"])
    with pytest.raises(Left):
        Sitting(table, screen, Random(1)).play()
    assert f"due at {LATER}." in screen.told
    assert ("Nobody else waits:" in screen.told) is waits
