"""The search for secrets finds them."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from holmgang import registry
from holmgang.checking.walks import walk

from .seen import secrets, secrets_drawn


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("ruleset", ["drakkars", "eketorp"])
def test_it_finds_another_seats_view_and_nothing_in_ones_own(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    game = walk(rules, rules.configure(3, {}), random.Random(2))
    state = list(game.states())[7]
    for seat in range(3):
        view, picture = plain({"view": rules.view(state, seat)}), rules.picture(rules.view(state, seat), "auto")
        assert list(secrets(view, seat, over=False)) == []
        assert list(secrets_drawn(picture, seat)) == []
        assert list(secrets(view, (seat + 1) % 3, over=False)) == [f"the view of seat {seat}"]
        assert set(secrets_drawn(picture, (seat + 1) % 3)) == {f"an open card of seat {seat}"}
    assert list(secrets(plain(rules.view(state, None)), 0, over=False)) == []


@pytest.mark.parametrize("ruleset", ["drakkars", "eketorp"])
def test_it_finds_what_events_tell_others(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    game = walk(rules, rules.configure(3, {}), random.Random(3))
    effects = [effect for moment in game.moments for effect in moment.step.effects]
    as_seen = [plain([rules.redact(effect, seat) for effect in effects]) for seat in (0, 1, None)]
    assert list(secrets(as_seen[0], 0, over=False)) == []
    assert list(secrets(as_seen[2], 0, over=False)) == []
    assert list(secrets(as_seen[1], 0, over=False))


def test_it_finds_submissions_and_seeds() -> None:
    receipt = {"seat": 1, "revision": 1, "received_at": "", "action": {"type": "play", "card": 3}}
    assert list(secrets({"items": [receipt]}, 0, over=False)) == ["a submission of seat 1"]
    assert list(secrets(receipt, 1, over=False)) == []
    assert list(secrets({"seed": "00"}, 0, over=False)) == ["the seed"]
    assert list(secrets({"seed": None}, 0, over=False)) == []
