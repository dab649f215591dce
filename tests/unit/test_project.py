"""What the project file and the lock files promise."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests import matrix
from tests.audit import judged

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def locked(name: str) -> dict[str, str]:
    lines = (REPOSITORY / name).read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := re.match(r"([\w.\[\],-]+)==([\w.]+)", line))}


@pytest.mark.parametrize("name", sorted(f"locks/{file.name}" for file in REPOSITORY.glob("locks/*.lock")))
def test_lock_files_have_hashes_and_name_no_index(name: str) -> None:
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert text.count("--hash=sha256:") >= len(locked(name)) > 0


def test_both_lock_files_agree_with_each_other_and_with_the_project() -> None:
    everything, server = locked("locks/development.lock"), locked("locks/server.lock")
    assert server.items() <= everything.items()
    extras = PROJECT["project"]["optional-dependencies"]
    for wanted in [*extras["server"], *extras["otel"], *extras["plot"], *extras["dev"]]:
        name, version = re.sub(r"\[.*\]|;.*", "", wanted).split("==")
        found = {re.sub(r"\[.*\]", "", each): value for each, value in everything.items()}
        assert found[name] == version


@pytest.mark.parametrize("extra", ["fuzz", "bench", "training"])
def test_what_is_installed_besides_changes_nothing_that_is_there(extra: str) -> None:
    """Of a package that has several versions, by Python's, only the last one is looked at."""
    everything = locked("locks/development.lock")
    besides = locked(f"locks/{extra}.lock")
    assert {name: everything[name] for name in besides if name in everything}.items() <= besides.items()


def test_the_distribution_alone_needs_only_what_the_client_needs() -> None:
    # A range, so that it goes with what else its users have.
    assert PROJECT["project"]["dependencies"] == ["httpx>=0.28.1,<1"]
    assert locked("locks/development.lock")["httpx"] == locked("locks/server.lock")["httpx"]


def test_what_the_security_linter_is_told_to_pass_over_says_why() -> None:
    lint = PROJECT["tool"]["ruff"]["lint"]
    assert "S" in lint["select"]
    assert [rule for rule in lint["ignore"] if rule.startswith("S")] == ["S101"]
    of_files = {
        rule for files, rules in lint["per-file-ignores"].items() if files.startswith("service") for rule in rules
    }
    assert of_files == {"ARG001", "PLC0415"}
    passed_over = [
        (file.name, line)
        for folder in ("service", "migrations")
        for file in (REPOSITORY / folder).rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"# noqa: S\d", line)
    ]
    assert passed_over
    for file, line in passed_over:
        assert re.search(r"  # noqa: S\d{3} # \w.{7,}$", line), (file, line)


def test_assertions_cannot_be_taken_out() -> None:
    refused = subprocess.run(
        [sys.executable, "-O", "-c", "import holmgang.engine"], capture_output=True, text=True, cwd=REPOSITORY
    )
    assert refused.returncode == 1
    assert "python -O" in refused.stderr


@pytest.mark.parametrize(
    ("dependencies", "code"),
    [
        ([{"name": "flask", "version": "1", "vulns": []}], 0),
        ([{"name": "flask", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}], 1),
        ([{"name": "flask", "skip_reason": "unknown"}, {"name": "x", "version": "1", "vulns": []}], 2),
        ([], 2),
    ],
)
def test_an_audit_that_could_ask_nobody_does_not_pass(dependencies: list[dict[str, Any]], code: int) -> None:
    assert judged(dependencies)[0] == code


def test_the_version_is_said_in_one_place() -> None:
    version = PROJECT["project"]["version"]
    found = subprocess.run(
        ["git", "grep", "-lE", rf"(^|[^0-9.]){re.escape(version)}([^0-9.]|$)", "--", ".", ":!locks", ":!*-lock.json"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(found.stdout.split()) <= {"pyproject.toml", "CHANGELOG.md", "openapi/openapi.json"}
    assert re.search(r"^## ([\d.]+),", (REPOSITORY / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[1] == version  # type: ignore[index]


def test_the_classifiers_name_the_pythons_that_it_runs_on() -> None:
    named = [each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if "Python :: 3" in each]
    assert named == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.15"


def test_what_runs_before_a_commit_is_installed_with_the_rest() -> None:
    """Nothing is fetched: each hook is a program of the virtual environment, or pre-commit's own search."""
    hooks = (REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (\S+)", hooks) == ["local"]
    programs = re.findall(r"entry: \.venv/bin/(\S+)", hooks)
    assert len(programs) + hooks.count("language: pygrep") == hooks.count("- id:")
    for program in programs:
        assert (Path(sys.executable).parent / program).exists(), program


def test_the_matrix_has_every_python_that_the_project_is_for() -> None:
    least, most = (version.split(".") for version in (matrix.PYTHONS[0], matrix.PYTHONS[-1]))
    assert PROJECT["project"]["requires-python"] == f">={'.'.join(least)},<{most[0]}.{int(most[1]) + 1}"
