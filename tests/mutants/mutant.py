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
"""pytest's exit code when tests ran and some of them failed: neither a broken run nor an empty one."""


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
        return self.code == TESTS_FAILED


def copy_tree(place: Path) -> None:
    """Copy what the rule tests need: the service, its settings for pytest, and the tests of the units."""
    leave = shutil.ignore_patterns("__pycache__", ".*_cache")
    shutil.copytree(ROOT / "service", place / "service", ignore=leave)
    shutil.copytree(ROOT / "tests" / "unit", place / "tests" / "unit", ignore=leave)
    for name in ("tests/__init__.py", "pyproject.toml"):
        shutil.copy(ROOT / name, place / name)


def run_rule_tests(place: Path, rule: str | None, *, game: str) -> Verdict:
    """Run the tests of one rule id, or of all, in a copied tree."""
    command = [sys.executable, "-m", "pytest", f"tests/unit/{game}", "-x", "-q", "-p", "no:cacheprovider"]
    if rule is not None:
        command += ["-k", f"[{rule}-"]
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
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
