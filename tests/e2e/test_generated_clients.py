"""Clients that are generated from the API's document, without a warning, each playing a game against the service."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holmgang import registry
from tests.e2e.npm import CLIENTS, PACKAGES, REPOSITORY, packages, run
from tests.e2e.running import Running, serving

DOCUMENT = REPOSITORY / "openapi/openapi.json"


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def without_a_warning(*command: str | Path, folder: Path) -> None:
    """A generator at work, which says neither in its output nor in its complaints that it has stumbled."""
    done = run(*command, folder=folder)
    assert not re.search("warn|unable|unsupported|deprecated", done.stdout + done.stderr, re.IGNORECASE), done


def test_a_generated_python_client_plays_a_game(running: Running, tmp_path: Path) -> None:
    generator = Path(sys.executable).with_name("openapi-python-client")
    wanted = ("--path", DOCUMENT, "--config", CLIENTS / "python.yaml", "--output-path", tmp_path / "generated")
    without_a_warning(generator, "generate", "--fail-on-warning", *wanted, folder=tmp_path)
    played = run(
        sys.executable,
        CLIENTS / "play.py",
        running.url,
        "claim",
        folder=tmp_path,
        PYTHONPATH=str(tmp_path / "generated"),
    )
    assert int(played.stdout.split()[1]) > 5


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The program of the TypeScript client; generator, compiler and library are kept for the next run."""
    packages()
    for name in ("tsconfig.json", "play.ts"):
        shutil.copy(CLIENTS / name, PACKAGES)
    tools = PACKAGES / "node_modules/.bin"
    wanted = ("--default-non-nullable", "false", "-o", "schema.d.ts")
    without_a_warning(tools / "openapi-typescript", DOCUMENT, *wanted, folder=PACKAGES)
    run(tools / "tsc", "-p", ".", folder=PACKAGES)
    return PACKAGES / "out/play.js"


@pytest.mark.parametrize("ruleset", registry.names())
def test_a_generated_typescript_client_plays_a_game(running: Running, compiled: Path, ruleset: str) -> None:
    told = json.loads(run("node", compiled, running.url, ruleset, folder=PACKAGES).stdout)
    assert told["status"] == "over"
    assert told["choices"] > 5


def test_the_lock_of_the_packages_names_no_registry() -> None:
    locked = json.loads((CLIENTS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(locked) > 5
    assert [name for name, package in locked.items() if name and "integrity" not in package] == []
    assert [name for name, package in locked.items() if "resolved" in package] == []
