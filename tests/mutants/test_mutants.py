"""For each rule a change that breaks it, and the proof that the tests of that rule fail then."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holmgang import registry
from tests.mutants import claim, drakkars, eketorp
from tests.mutants.mutant import Mutant, copy_tree, hunt, run_rule_tests
from tests.soon import soon
from tests.unit.claim import rule_ids as of_claim
from tests.unit.drakkars import rule_ids as of_drakkars
from tests.unit.eketorp import rule_ids as of_eketorp

MUTANTS = {"claim": claim.MUTANTS, "drakkars": drakkars.MUTANTS, "eketorp": eketorp.MUTANTS}
RULE_IDS = {"claim": of_claim.RULE_IDS, "drakkars": of_drakkars.RULE_IDS, "eketorp": of_eketorp.RULE_IDS}


def named() -> list[Any]:
    counted: Counter[str] = Counter()
    found = []
    for game, mutants in MUTANTS.items():
        for mutant in mutants:
            counted[mutant.rule] += 1
            found.append(pytest.param(game, mutant, id=f"{mutant.rule}-{counted[mutant.rule]}"))
    return found


each_mutant = pytest.mark.parametrize(("game", "mutant"), named())


@each_mutant
def test_mutant_fits_the_source_at_one_place(game: str, mutant: Mutant) -> None:
    assert mutant.occurrences() == 1
    assert mutant.new != mutant.old


@pytest.mark.parametrize("game", MUTANTS)
def test_every_rule_has_a_mutant(game: str) -> None:
    assert sorted({mutant.rule for mutant in MUTANTS[game]}) == sorted(RULE_IDS[game])


def test_every_game_has_mutants() -> None:
    assert set(MUTANTS) == set(registry.names())


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mutants")
    copy_tree(place)
    return place


@pytest.mark.parametrize("game", soon(MUTANTS, "eketorp"))
def test_the_copy_holds_all_that_the_tests_need(copied: Path, game: str) -> None:
    verdict = run_rule_tests(copied, None, "--collect-only", game=game)
    assert verdict.code == 0, verdict.output


def test_what_cannot_be_imported_catches_nothing(copied: Path) -> None:
    broken = Mutant(
        "K1", "service/holmgang/games/claim/rules/rules.py", "from __future__ import annotations", "import nothing_such"
    )
    verdict = hunt(copied, broken, game="claim")
    assert "nothing_such" in verdict.output
    assert not verdict.killed


@pytest.mark.slow
@pytest.mark.parametrize("game", MUTANTS)
def test_the_sound_source_passes_in_the_copy(copied: Path, game: str) -> None:
    verdict = run_rule_tests(copied, None, game=game)
    assert verdict.code == 0, verdict.output


@pytest.mark.slow
@each_mutant
def test_mutant_is_caught(copied: Path, game: str, mutant: Mutant) -> None:
    verdict = hunt(copied, mutant, game=game)
    assert verdict.killed, f"{mutant}\nsurvived:\n{verdict.output}"
