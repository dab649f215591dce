"""Games between bots, who sits where, and when a match is decided."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.bots.arena import Standing, Trial, line_ups, match, play_game, wilson
from holmgang.bots.random import RandomBot
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from tests.unit.games import SETTINGS, Setting


class Watcher:
    """Plays at random and keeps what it is given."""

    name = "watcher"

    def __init__(self) -> None:
        self.given: list[tuple[Any, Rng]] = []

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        self.given.append((view, rng))
        return RandomBot().choose(rules, view, rng)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_bot_is_given_its_seats_view_and_its_own_random_numbers(setting: Setting) -> None:
    watchers = [Watcher() for _ in range(setting.seats)]
    rngs = [Random(seat) for seat in range(setting.seats)]
    play_game(setting.rules, setting.config(), watchers, Random(9), rngs)
    for seat, watcher in enumerate(watchers):
        assert watcher.given
        assert {type(view) for view, _ in watcher.given} == {setting.rules.view_type}
        for view, rng in watcher.given:
            assert view.seat == seat
            assert seat in view.asked
            assert rng is rngs[seat]


@pytest.mark.parametrize("kinds", [1, 2, 3, 5])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_seats_are_shared_equally_and_partners_stay_together(setting: Setting, kinds: int) -> None:
    found = line_ups(setting.rules, setting.seats, kinds)
    assert len(set(found)) == len(found)
    teams = setting.rules.teams(setting.seats)
    for start in range(0, len(found), kinds):
        for seat in range(setting.seats):
            assert {kinds_there[seat] for kinds_there in found[start : start + kinds]} == set(range(kinds))
    for kinds_there in found:
        assert all(len({kinds_there[seat] for seat in team}) == 1 for team in teams)
        sides = [sum(kinds_there[team[0]] == kind for team in teams) for kind in range(kinds)]
        assert max(sides) - min(sides) <= 1


def test_every_way_to_sit_down_comes_up() -> None:
    eketorp = registry.latest("eketorp")
    assert set(line_ups(eketorp, 3, 3)) == set(permutations(range(3)))
    assert len(line_ups(eketorp, 4, 2)) == 6
    assert len(line_ups(registry.latest("claim"), 2, 3)) == 6


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (90, 100, 0.8256, 0.9448), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval(wins: float, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("target", "score", "games", "verdict"),
    [(0.9, 1.0, 25, True), (0.9, 0.0, 5, False), (0.65, 1.0, 18, True), (0.65, 0.0, 12, False), (0.6, 0.5, 145, False)],
)
def test_the_trial_stops_at_walds_bounds(target: float, score: float, games: int, verdict: bool) -> None:
    trial = Trial(target)
    for _ in range(games - 1):
        trial.add(score)
        assert trial.verdict() is None
    trial.add(score)
    assert trial.verdict() is verdict


@pytest.mark.parametrize("target", [0.1, 1.0])
def test_a_target_leaves_room_on_both_sides(target: float) -> None:
    with pytest.raises(ValueError, match="target"):
        Trial(target)


@pytest.mark.parametrize(("ruleset", "seats"), [("claim", 2), ("drakkars", 2)])
def test_greedy_beats_random(ruleset: str, seats: int) -> None:
    standing = fight(ruleset, seats, ("greedy", "random"), 6)
    assert standing.games == 6
    assert standing.wins >= 5


def test_a_match_is_repeatable_by_its_seed() -> None:
    one, other = (fight("claim", 2, ("random", "random"), 4) for _ in range(2))
    assert (one.wins, one.interval) == (other.wins, other.interval)


def test_a_match_ends_as_soon_as_it_is_decided() -> None:
    standings = list(fights("claim", 2, ("random", "greedy"), None))
    assert [standing.reached for standing in standings[:-1]] == [None] * (len(standings) - 1)
    assert standings[-1].reached is False


def fights(ruleset: str, seats: int, names: tuple[str, str], games: int | None) -> Any:
    rules = registry.latest(ruleset)
    pair = (lambda: bots.find(names[0]), lambda: bots.find(names[1]))
    return match(rules, rules.configure(seats, {}), pair, 0.9, 1, seconds=60, games=games)


def fight(ruleset: str, seats: int, names: tuple[str, str], games: int) -> Standing:
    *_, last = fights(ruleset, seats, names, games)
    assert isinstance(last, Standing)
    return last
