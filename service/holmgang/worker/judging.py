"""A process that judges a game that is over: `python -m holmgang.worker.judging`, with the plan as JSON on its first
line of input. It answers with one line for each position, and ends with its input, so that it never outlives its
parent.

It is apart from the worker so that neither a choice of a bot nor a deadline waits for its computing: it gets what time
of the processor others leave.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Raw, Struct

from holmgang import registry
from holmgang.app.reading.analyses import Plan
from holmgang.app.records.analyses import JudgedChoice, JudgedPosition, JudgedStep
from holmgang.bots.base import win_share
from holmgang.bots.registry import judge_of
from holmgang.bots.weighing import Weighed, weigh
from holmgang.engine.codec import encode_json
from holmgang.engine.replay import Entry, replay
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Over, Seat

FULL = 400
"""Choices of a game that are weighed with the bot's whole effort. In a longer one each gets its share of that."""
DIGITS = 4
NICENESS = 19
"""The lowest priority."""
POSITION_SECONDS = 60
"""How much processor time a position may take, many times what any takes; then the process ends."""


class Judged(Struct, frozen=True):
    """A line of the answer: a step up to a position of the log, what it took in seconds of the processor, and how many
    choices there are in the whole game."""

    seq: int
    step: Raw
    seconds: float
    total: int


def judged(plan: Plan) -> Iterator[Judged]:
    """Judge what is left of a game, position by position. Equal plans give equal steps, wherever they begin: chance is
    that of the game's seed and the place in its log."""
    rules = registry.find(plan.ruleset, plan.version)
    config = rules.configure(plan.seats, plan.options, new=False)
    entries = [(seq, msgspec.json.decode(text, type=Entry)) for seq, text in plan.log]
    total = sum(len(entry.actions) for _, entry in entries)
    share = min(1.0, FULL / max(1, total))
    before, last = None, -1
    started = time.process_time()
    for (seq, entry), (_, played) in zip(entries, replay(rules, config, (each for _, each in entries)), strict=True):
        if entry.actions and (plan.after is None or last > plan.after):
            step = _judged_step(rules, plan, before, last, seq, entry, share)
            yield Judged(last, Raw(encode_json(step)), time.process_time() - started, total)
            started = time.process_time()
        before, last = played.step.state, seq
    over = rules.turn(before)
    assert type(over) is Over
    shares = tuple(round(win_share(rules, over, seat), DIGITS) for seat in range(plan.seats))
    end = JudgedStep(JudgedPosition(seq=last, turn=entries[-1][1].turn, values=shares))
    yield Judged(last, Raw(encode_json(end)), time.process_time() - started, total)


def _limit() -> None:
    """Let this process have no more than what a position may take from now on."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    until = int(time.process_time()) + 1 + POSITION_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (until if most == resource.RLIM_INFINITY else min(until, most), most))


def _judged_step(
    rules: AnyRules, plan: Plan, state: Any, position: int, seq: int, entry: Entry, share: float
) -> JudgedStep:
    """The position in which an entry's choices were made, and these."""
    kind = str(entry.kind)
    weighed: dict[Seat, Weighed] = {}
    choices = []
    for seat, value in entry.actions:
        rng = Random(f"{plan.seed}/{seq}/{seat}")  # noqa: S311 # of a game that is over: it is to be repeatable
        view, action = rules.view(state, seat), rules.decode(kind, value)
        found = weigh(rules, judge_of(plan.ruleset), view, action, plan.seats, rng, share)
        weighed[seat] = found
        choices.append(
            JudgedChoice(
                seq=seq,
                turn=entry.turn,
                seat=seat,
                kind=kind,
                context=rules.context(view),
                action=Raw(encode_json(value)),
                preferred=Raw(encode_json(value if found.agrees else found.preferred)),
                agrees=found.agrees,
                forced=found.forced,
                value=round(found.shares[seat], DIGITS),
                preferred_value=round(found.preferred_shares[seat], DIGITS),
            )
        )
    values = tuple(round(each, DIGITS) for each in _together(rules.teams(plan.seats), weighed))
    return JudgedStep(JudgedPosition(seq=position, turn=entry.turn, values=values), tuple(choices))


def _together(sides: Sequence[Sequence[Seat]], weighed: dict[Seat, Weighed]) -> list[float]:
    """How the sides stand, as those judge it who choose, each with the choice that is preferred: a side that chooses is
    judged by its own seats, any other by all. What comes of it is made to add up to 1."""
    found = [0.0] * sum(map(len, sides))
    for side in sides:
        judges = [seat for seat in side if seat in weighed] or list(weighed)
        mean = sum(weighed[seat].preferred_shares[side[0]] for seat in judges) / len(judges)
        for seat in side:
            found[seat] = mean
    total = sum(found[side[0]] for side in sides)
    return [each / total for each in found] if total else [1 / len(sides)] * len(found)


def _answer(lines: Iterable[Judged]) -> None:
    """On what was the standard output: what the code of a game prints goes elsewhere."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        _limit()
        for each in lines:
            answers.write(msgspec.json.encode(each) + b"\n")
            answers.flush()
            _limit()


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the parent ends this process
    os.nice(NICENESS)
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=Plan)
    threading.Thread(target=_end_with_input, daemon=True).start()
    _answer(judged(plan))
    os._exit(0)


if __name__ == "__main__":
    main()
