"""What every bot keeps to, in every game: legal choices, made from the view and the random numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from holmgang import registry as games
from holmgang.bots import registry
from holmgang.bots.arena import Game, play_game
from holmgang.bots.base import NAMES, Bot, settle
from holmgang.bots.search import SearchBot
from holmgang.engine.rules import AnyRules, play
from holmgang.engine.turn import Await, Seat
from tests.unit.games import SETTINGS, Setting, each_setting

CHOICES = 10
"""So many of a game's choices are looked at, spread over the game."""


def bot(name: str) -> Bot:
    """A bot by name; a search of few continuations."""
    return SearchBot(registry.judge_of, 8) if name == SearchBot.name else registry.find(name)


PLAYING = [
    pytest.param(setting, bot(name), id=f"{setting}-{name}")
    for setting in SETTINGS
    for name in registry.names()
    if registry.plays(name, setting.ruleset)
]


def moments(rules: AnyRules, config: Any, seed: int) -> Iterator[tuple[Any, Seat]]:
    """States of a game in which a seat is asked; the quickest bot that plays the game with some sense makes it."""
    player = registry.find("greedy" if registry.plays("greedy", rules.ruleset) else "random")
    rng = Random(seed)
    state = settle(rules, rules.initial(config), rng)
    while type(turn := rules.turn(state)) is Await:
        seat = turn.seats[rng.randrange(len(turn.seats))]
        yield state, seat
        state = settle(rules, play(rules, state, seat, player.choose(rules, rules.view(state, seat), rng)).state, rng)


@cache
def spread(setting: Setting) -> list[tuple[Any, Seat]]:
    found = list(moments(setting.rules, setting.config(), 1))
    return found[:: -(-len(found) // CHOICES)]


@pytest.mark.parametrize(("setting", "player"), PLAYING)
def test_choices_are_legal(setting: Setting, player: Bot) -> None:
    for state, seat in spread(setting):
        action = player.choose(setting.rules, setting.rules.view(state, seat), Random(2))
        assert setting.rules.moves(state, seat).why_not(action) is None


@pytest.mark.parametrize(("setting", "player"), PLAYING)
def test_choices_follow_from_the_view_and_the_random_numbers(setting: Setting, player: Bot) -> None:
    """Two games that look alike from a seat are alike to its bot, and what it has seen before does not matter."""
    rules = setting.rules
    for state, seat in spread(setting)[::2]:
        view = rules.view(state, seat)
        alike = [rules.view(rules.determinize(view, Random(n)), seat) for n in (4, 5)]
        first, second = (player.choose(rules, each, Random(6)) for each in alike)
        assert first == second


@pytest.mark.parametrize(("setting", "player"), PLAYING)
def test_unusual_options_and_a_seat_that_resigns_are_played_with(setting: Setting, player: Bot) -> None:
    rules, rng = setting.rules, Random(1)
    state = settle(rules, rules.initial(setting.config(setting.laws.options[-1])), rng)
    if len(rules.teams(setting.seats)) > 2:
        state = settle(rules, rules.resign(state, 0).state, rng)
    for n in range(120):
        if type(turn := rules.turn(state)) is not Await:
            break
        seat = turn.seats[-1]
        chooser = player if n % 12 == 0 else registry.find("random")
        action = chooser.choose(rules, rules.view(state, seat), rng)
        state = settle(rules, play(rules, state, seat, action).state, rng)
    assert n > 20


@each_setting
def test_a_game_is_repeatable_by_its_random_numbers(setting: Setting) -> None:
    names = [name for name in ("greedy", "random") if registry.plays(name, setting.ruleset)]
    bots = [registry.find(names[seat % len(names)]) for seat in range(setting.seats)]

    def result(seed: int) -> Game:
        rngs = [Random(seed + seat) for seat in range(setting.seats)]
        return play_game(setting.rules, setting.config(), bots, Random(seed), rngs)

    assert result(7) == result(7)


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(registry.UnknownBot):
        registry.find("oracle")
    assert not registry.plays("oracle", "claim")


def test_the_bots_that_can_be_asked_for_are_those_there_are() -> None:
    assert registry.names() == NAMES
    assert all(registry.plays(name, ruleset) for name in NAMES for ruleset in games.names())
