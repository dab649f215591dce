"""The law that a game is alike in every process: some of them, which hash differently, play the same games."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator

import msgspec

from holmgang.engine.codec import encode_state
from holmgang.engine.game import Game

from .walks import Walk, expect, walk

HASH_SEEDS = ("0", "1", "2", "4242")
"""So many that the first of a few names in a set is hardly the same for all."""
SEED = 5
PATIENCE = 300.0
_PROGRAM = "from holmgang.checking.alike import main; main()"


def processes_agree(game: Game) -> None:
    """A game is the same state for state, whatever the process: nothing depends on the order of sets or on hashes."""
    one, *others = (_printed(game, seed) for seed in HASH_SEEDS)
    for two in others:
        for here, there in zip(one, two, strict=False):
            told = ", ".join(here.split()[:2])
            expect(here == there, f"two processes differ in the game with seed {SEED}, {told}: some order is by hashes")
        expect(len(one) == len(two), "two processes play games of different lengths")


def _printed(game: Game, hash_seed: str) -> list[str]:
    named = {"name": game.name, "package": game.package, "rules": game.references, "seats": game.rules.seat_counts}
    environment = {
        **os.environ,
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(  # noqa: S603 # likewise
        [sys.executable, "-c", _PROGRAM, json.dumps(named)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    expect(done.returncode == 0, f"another process cannot play the game: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout.splitlines()


def main() -> None:
    """Play the games and print a line for each step: players, number of the step, digest of all that came of it."""
    named = json.loads(sys.argv[1])
    rules = Game(named["name"], named["package"], rules=tuple(named["rules"])).rules
    for seats in named["seats"]:
        played = walk(rules, rules.configure(seats, {}), random.Random(SEED), resigning=0.002)  # noqa: S311 # repeatable
        for number, digest in enumerate(fingerprints(played)):
            print(f"players={seats} step={number} {digest}")


def fingerprints(game: Walk) -> Iterator[str]:
    """A digest of each step's state, effects and combats, and of what each seat then sees."""
    for moment in game.moments:
        step = moment.step
        digest = hashlib.blake2b(encode_state(step.state), digest_size=16)
        views = [game.rules.view(step.state, seat) for seat in (None, *range(game.seats))]
        digest.update(msgspec.json.encode([step.effects, step.combats, views]))
        yield digest.hexdigest()
