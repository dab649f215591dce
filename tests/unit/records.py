"""Records for tests: written down as the service does, for honest games and for cheats; and digests made anew."""

from __future__ import annotations

import copy
import gc
import random
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any
from uuid import UUID

import msgspec

from holmgang import registry
from holmgang.app.fairness.dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy
from holmgang.app.fairness.results import result_of
from holmgang.engine.codec import state_hash
from holmgang.engine.replay import Entry, settle
from holmgang.engine.rules import AnyRules, Step
from holmgang.engine.turn import Await, Over, Seat

GAME = UUID("01890000-0000-7000-8000-000000000001")


class Scribe:
    """A game and its log. Nothing that is written is checked: `write` takes illegal actions as the rules take them."""

    def __init__(
        self,
        rules: AnyRules,
        seats: int,
        seed: int,
        options: Mapping[str, Any] | None = None,
        loaded: int | None = None,
        entropy: Mapping[Seat, bytes | None] | None = None,
    ) -> None:
        """`loaded` is the draw, counted from 0, that comes out one higher than it should (or the next that can).
        `entropy` is put in the place of what those seats gave."""
        self.rules, self.seats = rules, seats
        self.rng = random.Random(f"{rules.ruleset}/{seats}/{seed}")
        config = rules.configure(seats, options or {})
        self.options = rules.options(config)
        self.seed = self.rng.randbytes(32)
        self.entropy = [self.rng.randbytes(16 + seat) if seat % 3 else None for seat in range(seats)]
        for seat, other in (entropy or {}).items():
            self.entropy[seat] = other
        self.dice = Dice(self.seed, pack_entropy(self.entropy), 0)
        self.terms = game_terms(rules.ruleset, rules.version, seats, self.options)
        self.head = first_head(GAME, self.terms, pack_entropy(self.entropy))
        self.log: list[dict[str, Any]] = []
        self.loaded = loaded
        self.loaded_row: int | None = None
        self.gone: set[Seat] = set()
        self.state = rules.initial(config)
        self.write(turn=0, kind=None)

    def draw(self, label: str, stop: int) -> int:
        value = self.dice.draw(label, stop)
        if self.loaded is None or self.loaded_row is not None or self.dice.drawn <= self.loaded or stop == 1:
            return value
        self.loaded_row = len(self.log)
        return (value + 1) % stop

    @property
    def turn(self) -> Any:
        return self.rules.turn(self.state)

    @property
    def over(self) -> bool:
        return type(self.turn) is Over

    def write(
        self, *, turn: int, kind: str | None, actions: Iterable[tuple[Seat, Any]] = (), resigned: Seat | None = None
    ) -> None:
        state = self.state
        actions = tuple(actions)
        for seat, action in actions:
            state = self.rules.apply(state, seat, action).state
        if resigned is not None:
            state = self.rules.resign(state, resigned).state
        played = settle(self.rules, Step(state, ()), self.draw)
        self.state = played.step.state
        wire = tuple((seat, msgspec.to_builtins(action)) for seat, action in actions)
        self.add(
            Entry(turn=turn, kind=kind if actions else None, actions=wire, resigned=resigned, chance=played.chance)
        )

    def add(self, entry: Entry) -> None:
        row = canonical_json(msgspec.to_builtins(entry))
        digest = state_hash(self.state)
        self.head = next_head(self.head, row, digest)
        self.log.append(
            {
                "seq": len(self.log),
                "entry": msgspec.json.decode(row),
                "state_hash": digest.hex(),
                "row_hash": self.head.hex(),
            }
        )

    def choices(self, seats: Iterable[Seat]) -> list[tuple[Seat, Any]]:
        return [(seat, self.rules.moves(self.state, seat).sample(self.rng)) for seat in seats]

    def choose(self) -> None:
        """All who are asked choose at random."""
        asked = self.turn
        assert type(asked) is Await
        self.write(turn=asked.turn, kind=asked.kind, actions=self.choices(sorted(asked.seats)))

    def resign(self, seat: Seat | None = None) -> None:
        """A seat gives up after some of those who are asked have sealed their choices."""
        asked = self.turn
        assert type(asked) is Await
        seat = self.rng.choice([s for s in range(self.seats) if s not in self.gone]) if seat is None else seat
        side = next(team for team in self.rules.teams(self.seats) if seat in team)
        order = self.rng.sample(asked.seats, len(asked.seats))
        sealed = order[: self.rng.randrange(len(order))]
        if set(asked.seats) - set(sealed) - set(side):
            sealed = [s for s in sealed if s in side]
        self.write(turn=asked.turn, kind=asked.kind, actions=self.choices(sorted(sealed)), resigned=seat)
        self.gone.update(side)

    def play(self, rows: int = 100_000, resigning: float = 0.0) -> Scribe:
        """So many rows more, or to the end."""
        for _ in range(rows):
            if self.over:
                break
            if self.rng.random() < resigning:
                self.resign()
            else:
                self.choose()
        return self

    def record(self) -> dict[str, Any]:
        over = self.turn
        assert type(over) is Over
        return {
            "game": str(GAME),
            "ruleset": self.rules.ruleset,
            "version": self.rules.version,
            "seats": self.seats,
            "teams": [list(team) for team in self.rules.teams(self.seats)],
            "options": self.options,
            "terms": self.terms.decode(),
            "commitment": commitment(GAME, self.terms, self.seed).hex(),
            "seed": self.seed.hex(),
            "entropy": [None if each is None else each.hex() for each in self.entropy],
            "log": copy.deepcopy(self.log),
            "head": self.head.hex(),
            "result": msgspec.to_builtins(result_of(over)),
        }


@contextmanager
def briefly(seconds: float = 0.01) -> Iterator[None]:
    """End by TimeoutError what takes longer on the processor: rules that trust their caller may go round for ever.

    The collector rests meanwhile. It runs finalizers of whatever earlier tests left behind, and an exception that is
    raised in a finalizer ends nothing: Python reports it, and pytest takes the report for a failure of this test.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    collecting = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGVTALRM, end)
    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # it may go off just before
    finally:
        signal.signal(signal.SIGVTALRM, before)
        if collecting:
            gc.enable()


def forged(record: dict[str, Any]) -> dict[str, Any]:
    """The record with every digest, the terms and the result made to fit the rest, as far as that can be done.

    Actions are played unchecked and chance is what the log says it is.
    """
    mended = copy.deepcopy(record)
    try:
        _mend(mended)
    except Exception:
        return mended  # the rest is nonsense beyond mending
    return mended


def _mend(mended: dict[str, Any]) -> None:
    terms = game_terms(*(mended[name] for name in ("ruleset", "version", "seats", "options")))
    mended["terms"] = terms.decode()
    game = UUID(mended["game"])
    mended["commitment"] = commitment(game, terms, bytes.fromhex(mended["seed"])).hex()
    head = first_head(game, terms, pack_entropy([e and bytes.fromhex(e) for e in mended["entropy"]]))
    rules = registry.find(mended["ruleset"], mended["version"])
    state = rules.initial(rules.configure(mended["seats"], mended["options"]))
    playable = True
    for line in mended["log"]:
        try:
            if playable:
                with briefly():
                    state = _led_to(rules, state, line["entry"])
                line["state_hash"] = state_hash(state).hex()
        except Exception:  # the rules choke on it: from here on rows are only chained
            playable = False
        head = next_head(head, canonical_json(line["entry"]), bytes.fromhex(line["state_hash"]))
        line["row_hash"] = mended["head"] = head.hex()
    if playable and type(over := rules.turn(state)) is Over:
        mended["result"] = msgspec.to_builtins(result_of(over))


def _led_to(rules: AnyRules, state: Any, entry: dict[str, Any]) -> Any:
    for seat, value in entry.get("actions", ()):
        state = rules.apply(state, seat, rules.decode(entry["kind"], value)).state
    if "resigned" in entry:
        state = rules.resign(state, entry["resigned"]).state
    for _, value in entry.get("chance", ()):
        state = rules.resolve(state, value).state
    return state
