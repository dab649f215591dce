"""What the terminal says of a deadline: that it stops the clock, where only bots and the absent would wait."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from holmgang import registry
from holmgang.client._turn import due
from holmgang.terminal.local import LocalTable
from holmgang.terminal.remote import clock_waits, clocks
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


def asked(*seats: tuple[int, str | None, str | None], seat: int = 0, **turn: Any) -> Any:
    """A turn in which each seat has so many milliseconds, since when its clock runs, and its deadline."""
    told = [{"bank_ms": bank, "since": since, "deadline": until} for bank, since, until in seats]
    return {"seat": seat, "deadline": LATER, "server_time": "2026-11-28T11:59:30Z", "clocks": told or None, **turn}


def test_ones_own_clock_counts() -> None:
    mine, theirs = "2026-11-28T12:05:00Z", "2026-11-28T12:00:00Z"
    seats = (340_000, "2026-11-28T11:59:20Z", mine), (40_500, "2026-11-28T11:59:20Z", theirs), (9_000, None, None)
    assert [due(asked(*seats, seat=seat)) for seat in range(3)] == [mine, theirs, None]
    assert clocks(asked(*seats)) == (330.0, (330.0, 30.5, 9.0))
    assert clocks(asked((5_000, "2026-11-28T11:59:20Z", theirs))) == (30.0, (0.0,)), "never less than nothing"


def test_without_banks_the_turns_deadline_does() -> None:
    assert due(asked()) == LATER
    assert clocks(asked()) == (30.0, ())
    before = asked()
    del before["clocks"]  # as an older service answers
    assert (due(before), clocks(before)) == (LATER, (30.0, ()))


class Timed(LocalTable):
    clock_waits = False
    banks: tuple[float, ...] = ()

    def now(self) -> Moment:
        return replace(super().now(), deadline=LATER, clock_waits=self.clock_waits, left=30.9, banks=self.banks)


@pytest.mark.parametrize("waits", [True, False])
def test_it_is_said_at_the_question(waits: bool) -> None:
    table = Timed(registry.latest("claim"), ["random"], 0, "Ann", Random(1))
    table.clock_waits = waits
    screen = Script(["quit"])
    with pytest.raises(Left):
        Sitting(table, screen, Random(1)).play()
    told = " ".join(screen.told.split())  # lines are broken where the screen ends
    assert f"due at {LATER}, 30 seconds from now." in told
    assert ("Nobody else waits:" in told) is waits
    assert "banks" not in screen.told


def test_what_is_left_in_the_banks_is_said_at_the_question() -> None:
    table = Timed(registry.latest("claim"), ["random"], 0, "Ann", Random(1))
    table.banks = (30.9, 600.0)
    screen = Script(["quit"])
    with pytest.raises(Left):
        Sitting(table, screen, Random(1)).play()
    assert f"Seconds in the banks: {table.people.name(0)} 30, {table.people.name(1)} 600." in screen.told
