"""Every code block of every document is run as it stands, or listed here with the reason why it is not.

The blocks of a document run in their order in one shell, against a service that documents share: `sh` and `bash` by
`set -eu -o pipefail`, `python` as a script whose argument is the service's address. What the service refuses fails the
test as well. Of what stands there only the port is changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest

from tests.e2e.between import between
from tests.e2e.fenced import REPOSITORY, Block, all_blocks, blocks_of, check_json, documents
from tests.e2e.running import Running, serving
from tests.soon import soon

ADDRESS = "127.0.0.1:8000"
SHELL, PYTHON, JSON = ("sh", "bash"), "python", "json"
BY_A_PERSON = "It asks whoever sits there; test_play answers it, as it stands."
BY_EVERYBODY = "It serves until it is stopped, and is the test of tests; test_serve runs what `make serve` runs."
BY_DOCKER = "It needs Docker and registries of images; test_operations holds the parts of it that can be tried without."
NOT_RUN = {
    (
        "docs/pages/how-to/operate.md",
        "export POSTGRES_PASSWORD=$(openssl rand -hex 24)   # keep it: the database is made with it",
    ): BY_DOCKER,
    ("docs/pages/how-to/update.md", "docker compose build"): BY_DOCKER,
    (
        "docs/pages/how-to/back-up.md",
        "holmgang backup /backups/games-$(date +%F).dump"
        "       # DATABASE_URL or DATA_DIR as the service has them; while it runs",
    ): "It writes outside the project, and restores into a service that is not there; test_backup does both.",
    (
        "docs/pages/how-to/monitor.md",
        '{"timestamp":"2026-11-28T17:01:02.345678Z","level":"info","logger":"holmgang.access","event":"request","method":"GET",'
        '"route":"/v1/games/<uuid:game>/view","status":200,"ms":1.93,"request_id":"019a0c52-...","game":"019a0c52-..."}',
    ): "A line of the log, which is no answer of the API; test_logs reads some.",
    (
        "docs/pages/reference/web-table.md",
        'import { t } from "../../i18n.js";',
    ): "A screen, for a browser; those of the toy and of Tafl are run.",
    ("docs/pages/reference/web-table.md", "// of screen.js: what each piece is"): "As above.",
    ("docs/pages/reference/web-table.md", "// lesson.js"): "A lesson, for a browser; those of our games are run.",
    ("docs/pages/how-to/play-at-a-terminal.md", "holmgang play"): BY_A_PERSON,
    (
        "docs/pages/how-to/play-at-a-terminal.md",
        'yes "hint',
    ): "Its `yes` ends by a broken pipe, a failure to the shell here; test_play runs it.",
    ("docs/pages/how-to/play-at-a-terminal.md", "holmgang play --url http://127.0.0.1:8000"): BY_A_PERSON,
    ("README.md", "make serve    # the service on http://127.0.0.1:8000"): BY_EVERYBODY,
    ("docs/pages/index.md", "make serve    # the service on http://127.0.0.1:8000"): BY_EVERYBODY,
    (
        "docs/pages/how-to/write-a-game.md",
        "class Options(GameOptions, frozen=True, kw_only=True):",
    ): "A part of a module; the tests of `new-game` run the whole.",
    (
        "docs/pages/reference/checking.md",
        "holmgang check-game claim",
    ): "It takes a minute or more; test_check_game runs it.",
    (
        "docs/pages/reference/checking.md",
        "toy breaks the law samples-are-legal (`MoveSpace` in service/holmgang/engine/moves.py).",
    ): "A report, which test_check_game has made.",
    (
        "docs/pages/reference/checking.md",
        "[tool.pytest.ini_options]",
    ): "Lines of a project file; test_check_game has some read.",
    (
        "docs/pages/how-to/translate.md",
        "holmgang messages NAME --write --language fr    # begin, or bring to what the game says now",
    ): "NAME is no game; the tests of languages run it with one that is.",
    (
        "docs/pages/how-to/write-a-bot.md",
        "pip install holmgang",
    ): "It would ask the package index; test_sdk installs the wheel.",
    (
        "docs/pages/how-to/write-a-bot.md",
        "holmgang bot --url http://127.0.0.1:8000 --ladder claim my_bot.py",
    ): "It plays until it is stopped; test_bot_command stops some.",
    (
        "docs/pages/how-to/write-a-bot.md",
        "[Service]",
    ): "A unit for systemd, which no test starts.",
}
ELSEWHERE = {
    "docs/pages/how-to/let-a-model-play.md": "test_mcp sets up clients as its blocks say.",
    "docs/pages/how-to/scale.md": "tests/citus/test_how_to.py carries out the whole page, on servers of its own.",
    "docs/pages/tutorials/adding-a-game.md": "test_guide carries out the whole page, in an empty environment.",
    "docs/pages/tutorials/training-an-agent.md": "test_training runs its script, where what it needs can be installed.",
}
"""Documents whose blocks other tests run."""
ALONE = {"docs/pages/tutorials/first-bot.md": "Its bot sits down in any open game, in which nobody else would move."}
"""Documents that need a service of their own."""
SLOW = {
    (
        "docs/pages/how-to/simulate.md",
        ".venv/bin/holmgang arena --game claim --bots search,greedy --target 0.65 --seconds 1800",
    ): "Its matches take many minutes.",
}
"""Blocks that only the long suites run, each by itself."""
LONG = ("docs/pages/how-to/simulate.md", "docs/pages/how-to/tournaments.md", "docs/pages/how-to/write-a-bot.md")
"""Documents whose games take many seconds; the README and the tutorials are run each time."""

BLOCKS = all_blocks()
TO_RUN = [block for block in BLOCKS if block.name not in NOT_RUN and block.document not in ELSEWHERE]
RUNNABLE = [block for block in TO_RUN if block.language in (*SHELL, PYTHON)]
DOCUMENTS = sorted({block.document for block in RUNNABLE if block.name not in SLOW})


def commands(block: Block, folder: Path, address: str) -> str:
    """What the shell is to do for it, after it has told where it is."""
    told, text = f"echo {block.place} >&2\n", block.text.replace(ADDRESS, address)
    if block.language in SHELL:
        return told + text
    script = folder / f"{Path(block.document).stem}_{block.line}.py"
    script.write_text(text, encoding="utf-8")
    return f"{told}python3 {script} http://{address}\n"


def workplace(folder: Path) -> None:
    """Make it look like the project's folder, but for files to be left in: all of that by links, and its commands."""
    for each in REPOSITORY.iterdir():
        if each.name not in (".venv", ".data", ".git", "build"):
            (folder / each.name).symlink_to(each)
    (folder / ".venv").symlink_to(sys.prefix)


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def play(blocks: list[Block], folder: Path, port: int, seconds: float) -> str:
    """What the blocks print, run one after the other; nothing fails, and the service at this port refuses nothing."""
    for tool in ("bash", "curl", "jq"):
        if shutil.which(tool) is None:
            assert "CI" not in os.environ, f"the runner has no {tool}"
            pytest.skip(f"The documents' commands need {tool}.")
    workplace(folder)
    environ = {
        "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "service"),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
    }
    with between(port) as here:
        address = urlsplit(here.url).netloc
        script = "".join(["set -eu -o pipefail\n", *(commands(block, folder, address) for block in blocks)])
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    assert done.returncode == 0, (done.stdout[-1000:], done.stderr[-3000:])
    assert [each for each in here.seen if each.status not in (200, 201, 202, 204, 304)] == []
    return done.stdout


@pytest.mark.parametrize(
    "document", soon(DOCUMENTS, *(name for name in DOCUMENTS if name not in LONG)), ids=lambda name: name
)
def test_the_blocks_of_a_document_run(document: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    ours = [block for block in RUNNABLE if block.document == document and block.name not in SLOW]
    if document in ALONE:
        with serving() as its_own:
            told = play(ours, tmp_path, its_own.port, 240)
    elif any(ADDRESS in block.text for block in ours):
        told = play(ours, tmp_path, request.getfixturevalue("service").port, 240)
    else:
        told = play(ours, tmp_path, 0, 240)
    if document == "README.md":
        assert '"state":"sealed"' in told
        assert '"hand":[' in told
        assert "'winners'" in told
        assert not [file for file in tmp_path.rglob("*.token") if file.stat().st_mode & 0o077], "tokens are private"


@pytest.mark.slow
@pytest.mark.timeout(4000)
@pytest.mark.parametrize("block", [block for block in RUNNABLE if block.name in SLOW], ids=lambda block: block.place)
def test_the_blocks_that_take_long_run(block: Block, tmp_path: Path) -> None:
    play([block], tmp_path, 0, 3900)


def test_excerpts_of_answers_are_true() -> None:
    api = json.loads((REPOSITORY / "openapi/openapi.json").read_text(encoding="utf-8"))
    for block in TO_RUN:
        if block.language == JSON:
            check_json(block, api)


def test_every_block_is_run_or_listed() -> None:
    strange = [block.place for block in TO_RUN if block.language not in (*SHELL, PYTHON, JSON)]
    assert strange == [], "say what it is (sh, python, json), or list it in NOT_RUN with the reason"


def test_the_lists_have_no_stale_entry() -> None:
    names = [block.name for block in BLOCKS]
    assert {name: names.count(name) for name in (*NOT_RUN, *SLOW)} == dict.fromkeys((*NOT_RUN, *SLOW), 1)
    assert not NOT_RUN.keys() & SLOW.keys()
    assert all(NOT_RUN.values())
    assert {*ELSEWHERE, *ALONE} <= {block.document for block in BLOCKS}


def test_blocks_are_found_wherever_they_stand() -> None:
    text = "a\n```sh\nmake\n\n  more\n```\n- b\n  ~~~~ json Turn\n  {\n    ```\n  ~~~~\n`c`\n```\n```\n"
    assert blocks_of("d.md", text) == [
        Block("d.md", 2, "sh", "make\n\n  more\n"),
        Block("d.md", 8, "json Turn", "{\n  ```\n"),
        Block("d.md", 13, "", ""),
    ]
    with pytest.raises(AssertionError, match=r"d\.md:2: this block is never closed"):
        blocks_of("d.md", "a\n```sh\nmake\n")
    with pytest.raises(AssertionError, match=r"d\.md:3: a block needs fences"):
        blocks_of("d.md", "a\n\n    make\n")
    assert {
        "README.md",
        "docs/pages/how-to/write-a-bot.md",
        "bench/README.md",
        "service/holmgang/games/claim/RULES.md",
    } <= {block.document for block in BLOCKS} | set(documents())


@pytest.mark.parametrize(
    ("info", "text", "right"),
    [
        ("json Seat", '{"seat": 0}', True),
        ("json Seat", '{"seat": "first"}', False),
        ("json Seat", '{"chair": 0}', False),
        ("json Chair", "{}", False),
        ("json", "{}", False),
        ("json Seat", '{"seat": 0', False),
    ],
)
def test_wrong_excerpts_are_found(info: str, text: str, right: bool) -> None:
    api = json.loads((REPOSITORY / "openapi/openapi.json").read_text(encoding="utf-8"))
    block = Block("d.md", 1, info, text)
    if right:
        check_json(block, api)
    else:
        with pytest.raises((AssertionError, ValueError, jsonschema.ValidationError)):
            check_json(block, api)


@pytest.mark.parametrize(
    ("language", "text", "why"),
    [
        ("sh", "false\n", r"d\.md:1"),
        ("sh", "false | cat\n", r"d\.md:1"),
        ("sh", "echo $nobody\n", "nobody: unbound"),
        ("sh", f"curl -s http://{ADDRESS}/v1/me\n", "status=401"),
        ("python", "import sys\nsys.exit(sys.argv[1])\n", r"http://127\.0\.0\.1:\d+"),
    ],
)
def test_blocks_that_do_not_run_are_found(language: str, text: str, why: str, tmp_path: Path, service: Running) -> None:
    with pytest.raises(AssertionError, match=why):
        play([Block("d.md", 1, language, text)], tmp_path, service.port, 60)
