"""Many games between bots, played in this process or in several; the results come in the order of their numbers."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from msgspec import Struct

from holmgang import registry
from holmgang.bots.arena import Clock, generators, line_ups, play_game
from holmgang.bots.guests import BadChoice, find
from holmgang.bots.tally import Outcome
from holmgang.interrupts import undivided_and_alone

from .streams import take_any_text

Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD = 4
"""How many games each process has before it, so that none waits for the next while results are counted."""


class Plan(Struct, frozen=True):
    """What is played. A game depends on the plan and its number, and on nothing else."""

    ruleset: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    seed: int

    @property
    def labels(self) -> tuple[str, ...]:
        """The bots as results name them: people's by their classes alone, where that tells them apart."""
        short = [name.rpartition(":")[2] for name in self.bots]
        return tuple(name if short.count(label) > 1 else label for name, label in zip(self.bots, short, strict=True))


class GameFailed(Exception):
    """A game could not be played to its end, for what a person's bot did."""

    def __init__(self, number: int, seed: int, fault: BadChoice) -> None:
        super().__init__(number, seed, fault)
        self.number, self.seed, self.fault = number, seed, fault

    def __str__(self) -> str:
        return f"Game {self.number} of seed {self.seed}: {self.fault}"


class Table:
    """Plays the games of a plan by their numbers. NoSuchBot for names that are no bot's."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rules = registry.latest(plan.ruleset)
        self.config = self.rules.configure(plan.seats, plan.options)
        self.makers = [find(name, plan.ruleset) for name in plan.bots]
        self.seated = line_ups(self.rules, plan.seats, len(plan.bots))

    def play(self, number: int) -> Outcome:
        """Game `number`, counted from 1. GameFailed for what a person's bot did."""
        plan = self.plan
        kinds = self.seated[(number - 1) % len(self.seated)]
        chance, rngs = generators(plan.seed, number, plan.seats)
        clocks = [Clock() for _ in kinds]
        bots = [self.makers[kind]() for kind in kinds]
        try:
            game = play_game(self.rules, self.config, bots, chance, rngs, clocks)
        except BadChoice as fault:
            raise GameFailed(number, plan.seed, fault) from fault.__cause__
        return Outcome(number, tuple(plan.labels[kind] for kind in kinds), game.over, game.turns, tuple(clocks))


def outcomes(table: Table, numbers: Sequence[int], processes: int) -> Generator[Outcome]:
    """Play these games. To leave off, close the iterator: games that are being played are dropped."""
    if processes == 1:
        yield from map(table.play, numbers)
        return
    with pool_of(processes, _begin, table.plan) as pool:
        yield from in_order(pool, _play, numbers, processes)


def in_order(
    pool: ProcessPoolExecutor, play: Callable[[Job], Result], jobs: Iterable[Job], processes: int
) -> Generator[Result]:
    """What the processes make of jobs, in the order of these; each has some before it."""
    left = iter(jobs)
    waiting: deque[Future[Result]] = deque()

    def submit(number: int) -> None:
        with undivided_and_alone():  # it may begin a process
            waiting.extend(pool.submit(play, job) for job in islice(left, number))

    submit(AHEAD * processes)
    while waiting:
        result = waiting.popleft().result()
        submit(1)
        yield result


@contextmanager
def pool_of(processes: int, begin: Callable[..., None], *given: Any) -> Iterator[ProcessPoolExecutor]:
    """Processes that `begin` with what is given and end with the block, whatever they are doing."""
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begun, initargs=(begin, *given)
    )
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_table: Table | None = None


def _begun(begin: Callable[..., None], *given: Any) -> None:
    take_any_text()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    begin(*given)


def _begin(plan: Plan) -> None:
    global _table  # of a process that plays for another
    _table = Table(plan)


def _play(number: int) -> Outcome:
    assert _table is not None
    return _table.play(number)
