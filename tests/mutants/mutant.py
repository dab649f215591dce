"""A mutant: a small change of the source that breaks one rule, and the run that shows that the rule's tests notice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TESTS_FAILED = 1
"""pytest's exit code when tests failed, or could not be run, which its summary tells apart."""


PLAIN = ("-p", "no:cacheprovider", "--color=no", "--show-capture=no")
"""So that lines of the output begin with what pytest says."""


class Mutant(NamedTuple):
    """`old` occurs exactly once in `file` (a path from the root); with `new` in its place `rule` is broken."""

    rule: str
    file: str
    old: str
    new: str

    def occurrences(self) -> int:
        return (ROOT / self.file).read_text().count(self.old)


class Verdict(NamedTuple):
    code: int
    output: str

    @property
    def killed(self) -> bool:
        """Whether some test ran and failed: what could not be imported has shown nothing."""
        return self.code == TESTS_FAILED and "\nFAILED " in self.output and "\nERROR " not in self.output


def copy_tree(place: Path) -> None:
    """Copy what the rule tests need: the service, its settings for pytest, the tests of the units and what they use."""
    leave = shutil.ignore_patterns("__pycache__", ".*_cache")
    for folder in ("service", "tests/unit", "tests/languages", "tests/pictures"):
        shutil.copytree(ROOT / folder, place / folder, ignore=leave)
    for name in ("tests/__init__.py", "pyproject.toml"):
        shutil.copy(ROOT / name, place / name)


def run_rule_tests(place: Path, rule: str | None, *options: str, game: str) -> Verdict:
    """Run the tests of one rule id, or of all, in a copied tree."""
    command = [sys.executable, "-m", "pytest", f"tests/unit/{game}", "-x", "-q", *PLAIN, *options]
    if rule is not None:
        command += ["-k", f"[{rule}-"]
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, "PYTHONPATH": f"{place}:{place / 'service'}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Verdict(done.returncode, done.stdout + done.stderr)


def hunt(place: Path, mutant: Mutant, *, game: str) -> Verdict:
    """Plant the mutant in the copied tree, run its rule's tests, and put the source back."""
    source = place / mutant.file
    sound = source.read_text()
    source.write_text(sound.replace(mutant.old, mutant.new))
    try:
        return run_rule_tests(place, mutant.rule, game=game)
    finally:
        source.write_text(sound)
