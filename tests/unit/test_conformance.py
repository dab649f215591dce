"""The laws of the engine, for every registered game and player count."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.checking import hidden, playing
from service.checking.walks import Walk, log_of, walk
from tests.unit.games import SETTINGS, Setting

seeds = st.integers(min_value=0, max_value=2**32 - 1)
few = settings(max_examples=5, deadline=None)
some = settings(max_examples=10, deadline=None)
each_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def played(setting: Setting, seed: int, resigning: float = 0.0) -> Walk:
    """A random game with options that the seed picks."""
    rng = random.Random(seed)
    options = setting.laws.options
    return walk(setting.rules, setting.config(options[seed % len(options)]), rng, resigning=resigning)


@each_setting
@some
@given(seeds)
def test_play_ends_and_turns_and_combats_count_up(setting: Setting, seed: int) -> None:
    game = played(setting, seed, resigning=0.004 if seed % 2 else 0.0)
    playing.play_ends(game)
    playing.turns_count_up(game)
    playing.combats_are_numbered(game)


@each_setting
@few
@given(seeds)
def test_values_round_trip(setting: Setting, seed: int) -> None:
    playing.values_round_trip(played(setting, seed, resigning=0.002), every=3)


@each_setting
@some
@given(seeds)
def test_log_replays(setting: Setting, seed: int) -> None:
    playing.log_replays(played(setting, seed, resigning=0.01 if seed % 2 else 0.0))


@each_setting
@few
@given(seeds)
def test_samples_and_defaults_are_legal(setting: Setting, seed: int) -> None:
    playing.samples_are_legal(played(setting, seed), random.Random(seed))


@each_setting
@few
@given(seeds)
def test_listing_counting_and_sampling_agree(setting: Setting, seed: int) -> None:
    game = played(setting, seed, resigning=0.002)
    playing.iteration_agrees(game, most=300, every=2)
    playing.sampling_reaches_all(game, random.Random(seed), every=5)


@each_setting
@few
@given(seeds)
def test_sealed_order_is_free(setting: Setting, seed: int) -> None:
    playing.sealed_order_is_free(played(setting, seed, resigning=0.002), random.Random(seed))


@each_setting
@few
@given(seeds)
def test_determinized_states_fit_their_view(setting: Setting, seed: int) -> None:
    game = played(setting, seed, resigning=0.002)
    hidden.determinized_fit(game, random.Random, every=11)
    hidden.spectators_know_least(game, random.Random, every=23)


@each_setting
@few
@given(seeds)
def test_hidden_things_do_not_show(setting: Setting, seed: int) -> None:
    game = played(setting, seed, resigning=0.002)
    compared = hidden.hidden_things_do_not_show(game, random.Random, setting.reveals, every=9)
    long = sum(1 for _ in game.decisions()) >= 30  # resignations may end a game at once
    assert compared > 0 or not long


@each_setting
@few
@given(seeds)
def test_redaction_keeps_effects(setting: Setting, seed: int) -> None:
    hidden.redaction_keeps_effects(played(setting, seed, resigning=0.004))


@each_setting
@few
@given(seeds)
def test_resignation_is_safe(setting: Setting, seed: int) -> None:
    game = played(setting, seed)
    playing.resignation_is_safe(game, random.Random(seed), every=101)
    playing.last_seat_wins(game, random.Random(seed), every=31)


PRINT_FINGERPRINTS = """
import random
from service.checking.walks import fingerprint, walk
from tests.unit.games import SETTINGS
for setting in SETTINGS:
    print(setting, fingerprint(walk(setting.rules, setting.config(), random.Random(5), resigning=0.002)))
"""


def test_games_are_alike_under_every_hash_seed() -> None:
    root = Path(__file__).resolve().parents[2]
    printed = []
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", PRINT_FINGERPRINTS]
        done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True)
        printed.append(done.stdout)
    assert printed[0].count("\n") == len(SETTINGS)
    assert printed[0] == printed[1] == printed[2]


def play_many(setting: Setting, games: int) -> None:
    """Random games with the game's invariants checked in every state; every fourth has resignations."""
    for number in range(games):
        rng = random.Random(f"{setting} {number}")
        options = setting.laws.options
        config = setting.config(options[number % len(options)])
        resigning = 0.004 if number % 4 == 3 else 0.0
        game = walk(setting.rules, config, rng, resigning=resigning, watch=setting.laws.check)
        playing.play_ends(game)


@each_setting
def test_invariants_hold_in_random_games(setting: Setting) -> None:
    play_many(setting, 25)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@each_setting
def test_invariants_hold_in_many_random_games(setting: Setting) -> None:
    play_many(setting, 500)


HASHES = {
    "eketorp-3": "3b25e50b7609e265",
    "eketorp-4": "23e3c507d40a3d76",
    "eketorp-5": "66257da1e729992f",
    "eketorp-6": "ecf4c868fb6f54a2",
    "drakkars-2": "7164db9ec0353cd9",
    "drakkars-3": "d7393bea10f597e2",
    "drakkars-4": "bae42a0d26bc467c",
    "claim-2": "88054dba490d1759",
    "claim-3": "e6f72dc3498c0310",
    "claim-4": "826aeb2f51fd08f0",
}
"""What the logs of some random games came to when the rules were written. Another line is another version."""


@each_setting
def test_states_keep_the_hashes_that_records_have(setting: Setting) -> None:
    """Games that were recorded, and those that go on, replay to the same states (`docs/adding-a-game.md`)."""
    whole = hashlib.blake2b(digest_size=8)
    for seed in range(6):
        resigning = 0.003 if seed % 2 else 0
        game = walk(setting.rules, setting.config(), random.Random(seed), resigning=resigning)
        for _, digest in log_of(game):
            whole.update(digest or b"-")
    assert whole.hexdigest() == HASHES[str(setting)]
