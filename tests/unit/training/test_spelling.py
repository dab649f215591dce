"""Choices as words: every legal action has one spelling, every spelling is a legal action."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from holmgang import registry
from holmgang.checking.walks import walk
from holmgang.engine.turn import Await
from holmgang.training.spelling import Listed, Picked, Spelling, Words
from tests.unit.games import Setting, each_setting

ENUMERATED, OFTEN = 3000, 40


def every(spelling: Spelling, written: Words = ()) -> list[tuple[Words, Any]]:
    """All whole actions with their words."""
    action = spelling.action(written)
    following = list(spelling.following(written))
    if action is not None:
        assert not following, "no spelling begins another"
        return [(written, action)]
    assert following == sorted(set(following))
    assert following, f"{written} leads nowhere"
    return [found for word in following for found in every(spelling, (*written, word))]


def plain(setting: Setting, seat: int, action: Any) -> bytes:
    return msgspec.json.encode(setting.rules.canonical(seat, action), order="deterministic")


@pytest.mark.parametrize("which", [0, 1, -1])
@each_setting
def test_words_spell_the_legal_actions_and_nothing_else(setting: Setting, which: int) -> None:
    rules, rng = setting.rules, Random(11)
    config = setting.config(setting.laws.options[which])
    language = registry.game(setting.ruleset).language(rules, config)
    enumerated: set[str] = set()
    met: Counter[str] = Counter()
    for moment in walk(rules, config, rng).moments:
        turn = moment.turn
        if type(turn) is not Await or met[turn.kind] >= OFTEN:
            continue
        for seat in turn.seats:
            space = rules.moves(moment.before, seat)
            spelling = language.spelling(rules.view(moment.before, seat), space)
            count = space.count()
            assert count is not None
            met[turn.kind] += 1
            if count <= ENUMERATED and (count <= 100 or turn.kind not in enumerated):
                enumerated.add(turn.kind)
                found = every(spelling)
                assert len(found) == count
                assert {plain(setting, seat, a) for _, a in found} == {plain(setting, seat, a) for a in space}
                for words, action in found:
                    assert language.spell(seat, rules.canonical(seat, action)) == words
            for _ in range(5):
                action = rules.canonical(seat, space.sample(rng))
                words = language.spell(seat, action)
                for n, word in enumerate(words):
                    assert word in spelling.following(words[:n])
                assert plain(setting, seat, spelling.action(words)) == plain(setting, seat, action)
                by_chance: Words = ()
                while spelling.action(by_chance) is None:
                    following = spelling.following(by_chance)
                    by_chance = (*by_chance, following[rng.randrange(len(following))])
                assert space.why_not(spelling.action(by_chance)) is None
    assert len(met) >= 3
    assert len(enumerated) >= 2


def test_picked_words_are_ascending_sets() -> None:
    spelling = Picked([3, 1, 1, 2], 2, tuple)
    assert [words for words, _ in every(spelling)] == [(1, 1), (1, 2), (1, 3), (2, 3)]
    limited = Picked([1, 2, 3, 4], 2, tuple, {1: 0, 2: 0, 3: 1, 4: 1}, {0: 1, 1: 2})
    assert [words for words, _ in every(limited)] == [(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    all_of_one = Picked([1, 2, 3], 2, tuple, {1: 0, 2: 1, 3: 1}, {0: 1, 1: 1})
    assert [words for words, _ in every(all_of_one)] == [(1, 2), (1, 3)]


def test_listed_actions_are_found_by_their_words() -> None:
    spelling = Listed(["ab", "ac", "b"], lambda text: tuple(map(ord, text)))
    assert [action for _, action in every(spelling)] == ["ab", "ac", "b"]
    assert (spelling.following((1,)), spelling.action((1,))) == ((), None)
