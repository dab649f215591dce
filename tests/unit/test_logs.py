"""What a line of the log looks like, whoever writes it."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars

from holmgang import logs


@pytest.fixture
def lines(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.formatter(getattr(request, "param", logs.JSON)))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield out
    root.removeHandler(handler)
    root.setLevel(before)


def read(lines: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_ours_and_those_of_libraries_have_one_form(lines: StringIO) -> None:
    logs.get_logger("holmgang.test").warning("something", game="g", number=3)
    logging.getLogger("a.library").warning("about %s\nand more", "it")
    ours, theirs = read(lines)
    assert list(ours) == ["timestamp", "level", "logger", "event", "game", "number"]
    assert (ours["level"], ours["event"], ours["game"], ours["number"]) == ("warning", "something", "g", 3)
    assert (theirs["logger"], theirs["event"]) == ("a.library", "about it\nand more")
    assert ours["timestamp"].endswith("Z")


def test_a_line_says_what_it_was_written_for(lines: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_sources", [])
    logs.known_from(lambda: {"request_id": "r", "game": "by the request"})
    with bound_contextvars(game="bound", seat=2):
        logging.getLogger("a.library").warning("one")
    logs.get_logger("holmgang.test").info("two", request_id="its own")
    one, two = read(lines)
    assert (one["request_id"], one["game"], one["seat"]) == ("r", "bound", 2)
    assert (two["request_id"], two["game"]) == ("its own", "by the request")


@pytest.mark.parametrize("lines", [logs.JSON, logs.CONSOLE], indirect=True)
def test_a_trace_tells_no_local_variables(lines: StringIO) -> None:
    token = "hg_" + "x" * 5
    try:
        raise ValueError(len(token))
    except ValueError:
        logs.get_logger("holmgang.test").exception("it broke")
    assert "ValueError: 8" in lines.getvalue()
    assert "Traceback" in lines.getvalue()
    assert token not in lines.getvalue()


@pytest.mark.parametrize("lines", [logs.CONSOLE], indirect=True)
def test_on_a_terminal_a_request_is_one_readable_line(lines: StringIO) -> None:
    logging.getLogger(logs.ACCESS).warning({"method": "GET", "route": "/v1/games", "status": 200})
    (line,) = lines.getvalue().splitlines()
    assert "request" in line
    assert "method=GET" in line
    assert "route=/v1/games" in line
    assert "{" not in line


@pytest.mark.parametrize("form", [logs.JSON, None])
def test_what_nobody_catches_is_a_line_too(form: str | None) -> None:
    """Without a terminal the form is JSON unless told otherwise."""
    program = (
        "import logging, threading, warnings\n"
        "from holmgang.cli.processes import log_to_stderr\n"
        "from holmgang.config import Settings\n"
        f"log_to_stderr(Settings(log_format={form!r}))\n"
        "threading.Thread(target=lambda: 1 / 0).start()\n"
        "warnings.warn('look out')\n"
        "logging.getLogger('alembic').info('chatter')\n"
        "raise LookupError('gone')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 1
    found = [json.loads(line) for line in ended.stderr.splitlines()]
    assert {line["level"] for line in found} == {"critical", "warning"}
    assert sorted(line.get("exception", "").splitlines()[-1:] for line in found) == [
        [],
        ["LookupError: gone"],
        ["ZeroDivisionError: division by zero"],
    ]


def test_gunicorn_quotes_nothing_that_it_could_not_read() -> None:
    """In a process of its own: what serves is patched by gevent."""
    program = (
        "from gunicorn.config import Config\n"
        "from holmgang.cli.gevent_server import Lines\n"
        "from holmgang.cli.processes import log_to_stderr\n"
        "from holmgang.config import Settings\n"
        "log_to_stderr(Settings())\n"
        "lines = Lines(Config())\n"
        "lines.warning('Invalid request from ip=10.0.0.1: Invalid HTTP Header: Authorization Bearer hg_x')\n"
        "lines.warning('Worker exiting (pid: %s)', 5)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert [json.loads(line)["event"] for line in ended.stderr.splitlines()] == [
        "a request could not be read",
        "Worker exiting (pid: 5)",
    ]
