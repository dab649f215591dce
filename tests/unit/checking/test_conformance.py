"""The laws of the engine, for every registered game and player count."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmgang import registry
from holmgang.checking.playing import play_ends
from holmgang.checking.running import deal
from holmgang.checking.table import LAWS, Law, Scope
from holmgang.checking.walks import log_of, walk
from tests.unit.games import SETTINGS, Setting, each_setting

seeds = st.integers(min_value=0, max_value=2**32 - 1)


def laws(scope: Scope) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("law", [law for law in LAWS if law.scope == scope], ids=lambda law: law.name)


@laws("game")
@pytest.mark.parametrize("name", registry.names())
def test_a_game_keeps_the_law(name: str, law: Law) -> None:
    game = registry.game(name)
    law.check(deal(game, law, game.rules.seat_counts[0], 0))


@laws("seats")
@each_setting
def test_a_game_of_so_many_keeps_the_law(setting: Setting, law: Law) -> None:
    law.check(deal(setting.game, law, setting.seats, 0))


@laws("walk")
@each_setting
def test_random_games_keep_the_law(setting: Setting, law: Law) -> None:
    @settings(max_examples=law.examples, deadline=None)
    @given(seeds)
    def keeps(seed: int) -> None:
        trial = deal(setting.game, law, setting.seats, seed, looks=1)
        found = law.check(trial)
        if law.name == "hidden-things-do-not-show":  # it tells how many steps it compared; resignations may leave none
            assert found or sum(1 for _ in trial.played.decisions()) < 30

    keeps()


def play_many(setting: Setting, games: int) -> None:
    """Random games with the game's invariants checked in every state; every fourth has resignations."""
    for number in range(games):
        rng = random.Random(f"{setting} {number}")
        options = setting.laws.options
        config = setting.config(options[number % len(options)])
        resigning = 0.004 if number % 4 == 3 else 0.0
        game = walk(setting.rules, config, rng, resigning=resigning, watch=setting.laws.check)
        play_ends(game)


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
"""What the logs of some random games came to when the rules were written. Another line is another version.
Games that came later have their playthroughs alone."""


@pytest.mark.parametrize("setting", [each for each in SETTINGS if str(each) in HASHES], ids=str)
def test_states_keep_the_hashes_that_records_have(setting: Setting) -> None:
    """Games that were recorded, and those that go on, replay to the same states."""
    whole = hashlib.blake2b(digest_size=8)
    for seed in range(6):
        resigning = 0.003 if seed % 2 else 0
        game = walk(setting.rules, setting.config(), random.Random(seed), resigning=resigning)
        for _, digest in log_of(game):
            whole.update(digest or b"-")
    assert whole.hexdigest() == HASHES[str(setting)]
