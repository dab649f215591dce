"""The lists of CONTRIBUTING.md name all the files that a change like their example touches, and no others."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
TEXT = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
ELSEWHERE = ("CHANGELOG.md", "CONTRIBUTING.md", "docs/", "openapi/", "service/holmgang/answers/", "tests/")
"""What changes with nearly everything, or is made of the rest."""


def section(title: str) -> str:
    return TEXT.split(f"## {title}\n")[1].split("\n## ")[0]


def mentioning(pattern: str) -> set[str]:
    found = subprocess.run(
        ["git", "grep", "-lE", pattern, "--", "service", "migrations"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(found.stdout.split())


@pytest.mark.parametrize(
    ("title", "pattern"),
    [
        ("Add an endpoint", r"\<list_combats\>|\<combats\("),
        ("Add an option to a game", r"\<coin_worth\>"),
        ("Add a column", r"\<gone_at\>"),
    ],
)
def test_a_list_names_what_its_example_touches(title: str, pattern: str) -> None:
    named = [path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", section(title)) if not path.startswith(ELSEWHERE)]
    touched = {path for path in mentioning(pattern) if not path.startswith(ELSEWHERE)}
    assert {path for path in touched if not path.startswith(tuple(named))} == set(), "touched, and not named"
    for path in named:
        assert (REPOSITORY / path).exists(), path


@pytest.mark.parametrize("path", re.findall(r"`([\w.-]+/[\w./-]*)`", TEXT))
def test_the_files_that_it_names_are_there(path: str) -> None:
    assert (REPOSITORY / path).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make ([a-z-]+)", TEXT))))
def test_the_targets_that_it_names_are_there(target: str) -> None:
    assert re.search(rf"^{target}:", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
