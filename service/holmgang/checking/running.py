"""Tries laws on games, and makes of what breaks one the smallest game that still does."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from holmgang.engine.game import Game
from holmgang.engine.rules import play
from holmgang.engine.turn import Await, Chance

from .patience import TooLong, within
from .table import Law, Trial
from .walks import MOST_STEPS, Moment, Walk, walk

LOOKS = 10
"""At how many moments of a game a law looks at least, as far as it has so many."""
LIMIT = 20.0
"""Seconds that a game may take over one thing."""
SEARCH = 20.0
"""Seconds that are spent on a smaller game that breaks the same law."""
UNPLAYABLE = "play-goes-on"
"""The law that is broken where a game cannot be played to its end, on which all others are tried."""


class Finding(NamedTuple):
    """A law that a game breaks, where, and how that came out. `unplayable`: by what came after the trial's walk."""

    law: Law
    trial: Trial
    options: Mapping[str, Any]
    error: BaseException
    unplayable: bool = False


class Tried(NamedTuple):
    """What came of trying a law on some games. `skipped` says why it was tried on none."""

    law: Law
    games: int = 0
    decisions: int = 0
    finding: Finding | None = None
    skipped: str | None = None


class Unplayable(Exception):
    """A random game did not come to its end; `partly` is what was played of it, None where it did not begin."""

    def __init__(self, partly: Walk | None) -> None:
        super().__init__("a random game did not come to its end")
        self.partly = partly


def options_of(game: Game, seed: int) -> Mapping[str, Any]:
    return game.laws.options[seed % len(game.laws.options)]


def deal(game: Game, law: Law, seats: int, seed: int, *, looks: int = LOOKS, most: int = MOST_STEPS) -> Trial:
    """What a law is tried on: for most, the random game of a seed; Unplayable, from what went wrong, if it cannot be
    played."""
    if law.scope != "walk":
        return Trial(game, seats, seed)
    rules, moments = game.rules, list[Moment]()
    try:
        config = rules.configure(seats, options_of(game, seed))
        begun = rules.initial(config)
    except Exception as error:
        raise Unplayable(None) from error
    rng = random.Random(seed)  # noqa: S311 # trials are to be repeatable
    try:
        played = walk(rules, config, rng, resigning=law.resigning[seed % 2], most=most, moments=moments)
    except (Exception, TooLong) as error:
        last = moments[-1].step.state if moments else begun
        raise Unplayable(Walk(rules, config, seats, tuple(moments), last)) from error
    return Trial(game, seats, seed, played, min(law.every, 1 + len(played.moments) // looks))


def try_law(
    law: Law,
    game: Game,
    counts: Sequence[int],
    seeds: Sequence[int],
    limit: float = LIMIT,
    search: float = SEARCH,
) -> Tried:
    """Try a law with each number of seats in turn, on a random game for each seed, until one breaks it."""
    missing = [name for name in law.needs if find_spec(name) is None]
    if missing:
        return Tried(law, skipped=f"{missing[0]} is not installed")
    if law.scope != "walk":
        seeds = seeds[:1]
    games = decisions = 0
    for seats in counts[:1] if law.scope == "game" else counts:
        for number, seed in enumerate(seeds):
            trial, finding = _tried(law, game, seats, seed, limit)
            if trial is None:
                continue
            games += 1
            decisions += 0 if trial.walk is None else sum(1 for _ in trial.walk.decisions())
            if finding is not None:
                smallest = _smallest(finding, seeds[number + 1 :], limit, time.monotonic() + search)
                return Tried(law, games, decisions, smallest)
    return Tried(law, games, decisions, skipped=None if games else "no game could be played")


def _tried(law: Law, game: Game, seats: int, seed: int, limit: float) -> tuple[Trial | None, Finding | None]:
    """What the law was tried on, None where there was no game to try it on, and what was found."""
    try:
        with within(limit):
            trial = deal(game, law, seats, seed)
    except Unplayable as unplayable:
        if law.name != UNPLAYABLE:
            return None, None
        trial = Trial(game, seats, seed, unplayable.partly)
        return trial, Finding(law, trial, options_of(game, seed), unplayable.__cause__ or unplayable, True)
    error = _breaks(law, trial, limit)
    return trial, None if error is None else Finding(law, trial, options_of(game, seed), error)


def _breaks(law: Law, trial: Trial, limit: float) -> BaseException | None:
    try:
        with within(limit):
            law.check(trial)
    except (Exception, TooLong) as error:
        return error
    return None


def _smallest(finding: Finding, seeds: Iterable[int], limit: float, deadline: float) -> Finding:
    """The shortest beginning of a game that still breaks the law: of this one, and of those with other seeds."""
    if finding.trial.walk is None:
        return finding
    best = _shortened(finding, limit, deadline)
    law, game, seats = finding.law, finding.trial.game, finding.trial.seats
    for seed in seeds:
        if time.monotonic() > deadline or isinstance(best.error, TooLong):
            break
        _, other = _tried(law, game, seats, seed, limit)
        if other is not None:
            other = _shortened(other, limit, deadline)
            if len(other.trial.played.moments) < len(best.trial.played.moments):
                best = other
    return best


def _shortened(finding: Finding, limit: float, deadline: float) -> Finding:
    """The same game cut off as soon as it breaks the law. Tried are ever longer beginnings, then those between."""
    played, law = finding.trial.played, finding.law
    if finding.unplayable:
        return finding
    if isinstance(finding.error, TooLong):
        return finding._replace(trial=finding.trial._replace(walk=played.upto(played.place.at)))
    cuts = [n for n, moment in enumerate(played.moments) if type(moment.turn) is Await] + [len(played.moments)]
    sound, broken, size = -1, len(cuts) - 1, 0
    best = finding
    while sound < broken - 1 and time.monotonic() < deadline:
        trial = finding.trial._replace(walk=played.upto(cuts[size]), every=1)
        error = _breaks(law, trial, limit)
        if error is None:
            sound = size
            size = min(2 * size + 1, broken - 1) if best is finding else (sound + broken) // 2
        else:
            best, broken = finding._replace(trial=trial, error=error), size
            size = (sound + broken) // 2
    return best


def decisions_a_second(game: Game, seats: int, seconds: float) -> float:
    """How many decisions random play makes, of those that seats are asked for: with `turn`, `moves`, a sample, the
    checked `play` and all chance between them."""
    rules, rng = game.rules, random.Random(seats)  # noqa: S311 # likewise
    asked, begun = 0, time.perf_counter()
    state = rules.initial(rules.configure(seats, {}))
    while time.perf_counter() < begun + seconds:
        turn = rules.turn(state)
        if type(turn) is Await:
            seat = turn.seats[0]
            state = play(rules, state, seat, rules.moves(state, seat).sample(rng)).state
            asked += 1
        elif type(turn) is Chance:
            state = rules.resolve(state, int(rng.random() * turn.stop)).state
        else:
            state = rules.initial(rules.configure(seats, {}))
    return asked / (time.perf_counter() - begun)
