"""For each rule a change that breaks it, and the proof that the tests of that rule fail then."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.mutants import eketorp
from tests.mutants.mutant import Mutant, copy_tree, hunt, run_rule_tests
from tests.unit.eketorp.rule_ids import RULE_IDS


def names(mutants: tuple[Mutant, ...]) -> list[str]:
    counted: Counter[str] = Counter()
    named = []
    for mutant in mutants:
        counted[mutant.rule] += 1
        named.append(f"{mutant.rule}-{counted[mutant.rule]}")
    return named


@pytest.mark.parametrize("mutant", eketorp.MUTANTS, ids=names(eketorp.MUTANTS))
def test_mutant_fits_the_source_at_one_place(mutant: Mutant) -> None:
    assert mutant.occurrences() == 1
    assert mutant.new != mutant.old


def test_every_rule_has_a_mutant() -> None:
    assert sorted({mutant.rule for mutant in eketorp.MUTANTS}) == sorted(RULE_IDS)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mutants")
    copy_tree(place)
    return place


@pytest.mark.slow
def test_the_sound_source_passes_in_the_copy(copied: Path) -> None:
    verdict = run_rule_tests(copied, None, game="eketorp")
    assert verdict.code == 0, verdict.output


@pytest.mark.slow
@pytest.mark.parametrize("mutant", eketorp.MUTANTS, ids=names(eketorp.MUTANTS))
def test_mutant_is_caught(copied: Path, mutant: Mutant) -> None:
    verdict = hunt(copied, mutant, game="eketorp")
    assert verdict.killed, f"{mutant}\nsurvived:\n{verdict.output}"
