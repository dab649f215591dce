"""Games of a tournament or a ladder: who plays is said for each, and a bot that fails loses, so that play goes on."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from msgspec import Struct

from holmgang import registry
from holmgang.bots.arena import generators, play_game
from holmgang.bots.base import Bot, imagined
from holmgang.bots.guests import BadChoice, NoSuchBot, find, own
from holmgang.bots.tally import ranks
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await
from holmgang.tournaments.meetings import Meeting, Table, meeting

from .simulating import Plan, in_order, pool_of

AGAIN = 1.0
"""Seconds after which a bot is interrupted once more that has caught what interrupts it."""


class Deal(Struct, frozen=True):
    """A game to play: its number, counted from 1 over all rounds, and the bots by side, as numbers of the plan's."""

    number: int
    bots: tuple[int, ...]


class Played(Struct, frozen=True):
    """A game that was played: the rank of each side from 1, or who failed on which side and how."""

    number: int
    ranks: tuple[int, ...]
    turns: int
    reason: str
    failed: int | None = None
    fault: str = ""

    def meeting(self, number: int, table: Table) -> Meeting:
        failed = () if self.failed is None else (table[self.failed],)
        return meeting(number, table, self.ranks, failed=failed)


class Late(BaseException):
    """A choice took too long. Not an `Exception`, which bots catch."""


class Watched:
    """A person's bot that is interrupted when a choice takes longer than so many seconds."""

    def __init__(self, bot: Bot, name: str, seconds: float) -> None:
        self.bot, self.name, self.seconds = bot, name, seconds

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        """BadChoice where the bot takes too long, or fails as a `Guest` does."""
        before = signal.signal(signal.SIGALRM, _late) or signal.SIG_DFL
        left = signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN)
        try:
            try:
                return self.bot.choose(rules, view, rng)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Late:
            signal.setitimer(signal.ITIMER_REAL, 0)
            turn = rules.turn(imagined(rules, view, rng))
            assert type(turn) is Await
            told = f"choose took longer than {self.seconds:g} s."
            raise BadChoice(self.name, view.seat, turn.turn, turn.kind, None, told) from None
        finally:
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *left)


class Host:
    """Plays games of a plan with any of its bots. NoSuchBot for names that are no bot's."""

    def __init__(self, plan: Plan, seconds: float) -> None:
        self.plan, self.seconds = plan, seconds
        self.rules = registry.latest(plan.ruleset)
        self.makers = [find(name, plan.ruleset) for name in plan.bots]
        self.seats = seats_by_sides(self.rules, plan.seats)

    def play(self, deal: Deal) -> Played:
        seats = self.seats[len(deal.bots)]
        teams = self.rules.teams(seats)
        side_of = {seat: side for side, team in enumerate(teams) for seat in team}
        chance, rngs = generators(self.plan.seed, deal.number, seats)
        seat = 0
        try:
            bots = []
            for seat in range(seats):
                bots.append(self._made(deal.bots[side_of[seat]]))
            game = play_game(self.rules, self.rules.configure(seats, self.plan.options), bots, chance, rngs)
        except BadChoice as fault:
            return self._lost(deal, side_of[fault.seat], str(fault))
        except NoSuchBot as fault:  # it could be made before, and now not
            return self._lost(deal, side_of[seat], str(fault))
        by_seat = ranks(game.over)
        return Played(deal.number, tuple(by_seat[team[0]] for team in teams), game.turns, game.over.reason)

    def _made(self, number: int) -> Bot:
        name, bot = self.plan.bots[number], self.makers[number]()
        return Watched(bot, name, self.seconds) if own(name) else bot

    def _lost(self, deal: Deal, side: int, fault: str) -> Played:
        return Played(deal.number, (1,) * len(deal.bots), 0, "failed", side, fault)


def seats_by_sides(rules: AnyRules, wanted: int) -> Mapping[int, int]:
    """How many seats a table of so many sides has, where a bot plays a whole side: the wanted, or the fewest."""
    found: dict[int, int] = {}
    for seats in sorted(rules.seat_counts, reverse=True):
        found[len(rules.teams(seats))] = seats
    found[len(rules.teams(wanted))] = wanted
    return {sides: seats for sides, seats in found.items() if sides > 1}


def _late(_number: int, _frame: FrameType | None) -> None:
    raise Late


@contextmanager
def playing(host: Host, processes: int) -> Iterator[Callable[[Iterable[Deal]], Iterator[Played]]]:
    """Gives what plays games, in this process or in several, and tells of each in their order."""
    if processes == 1:
        yield lambda deals: map(host.play, deals)
        return
    with pool_of(processes, _begin, host.plan, host.seconds) as pool:
        yield lambda deals: in_order(pool, _play, deals, processes)


_host: Host | None = None


def _begin(plan: Plan, seconds: float) -> None:
    global _host  # of a process that plays for another
    _host = Host(plan, seconds)


def _play(deal: Deal) -> Played:
    assert _host is not None
    return _host.play(deal)
