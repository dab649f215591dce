"""The example of a receiver: run as its reader would run it, and sent what the service sends and what it does not."""

from __future__ import annotations

import ast
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holmgang.app.webhooks import signing
from holmgang.worker import sending

EXAMPLE = Path(__file__).parents[3] / "examples/webhook_receiver.py"
SECRET = signing.new_secret()
BODY = '{"type":"turn.started","data":{"player":"Björn"}}'.encode()


@contextlib.contextmanager
def running() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The receiver as a process of its own, and where it listens."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-X", "utf8", str(EXAMPLE), "0"],
        env={**os.environ, "WEBHOOK_SECRET": SECRET},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    reaper = threading.Timer(60, process.kill)
    reaper.start()
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line.startswith("listening on http://127.0.0.1:"), line
        yield line.removeprefix("listening on "), process
    finally:
        reaper.cancel()
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def receiver() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    with running() as found:
        yield found


def send(url: str, headers: dict[str, str], body: bytes = BODY) -> int | None:
    outcome = sending.post(url, headers, body, allow_private=True, timeout=30)
    assert outcome.error is None
    return outcome.status


def test_it_believes_what_is_signed_and_prints_a_message_once(receiver: tuple[str, subprocess.Popen[str]]) -> None:
    url, process = receiver
    now = int(time.time())
    for at in (now, now - 5):
        assert send(url, signing.signed_headers([SECRET], "m1", at, BODY)) == 204
    assert send(url, signing.signed_headers([signing.new_secret(), SECRET], "m2", now, BODY)) == 204
    assert process.stdout is not None
    assert [process.stdout.readline().strip() for _ in range(2)] == [f"m1 {BODY.decode()}", f"m2 {BODY.decode()}"]


@pytest.mark.parametrize(
    "changed",
    [
        {"webhook-id": "m4"},
        {"webhook-timestamp": "1"},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": "9" * 5000},
        {"webhook-signature": "v1,"},
        {"webhook-signature": "nonsense"},
    ],
)
def test_it_refuses_what_was_changed(receiver: tuple[str, subprocess.Popen[str]], changed: dict[str, str]) -> None:
    headers = signing.signed_headers([SECRET], "m3", int(time.time()), BODY)
    assert send(receiver[0], {**headers, **changed}) == 400


def test_it_refuses_another_body_another_secret_old_messages_and_missing_headers(
    receiver: tuple[str, subprocess.Popen[str]],
) -> None:
    url, now = receiver[0], int(time.time())
    headers = signing.signed_headers([SECRET], "m3", now, BODY)
    assert send(url, headers, BODY + b" ") == 400
    assert send(url, signing.signed_headers([signing.new_secret()], "m3", now, BODY)) == 400
    assert send(url, signing.signed_headers([SECRET], "m3", now - 400, BODY)) == 400
    for missing in headers:
        assert send(url, {name: value for name, value in headers.items() if name != missing}) == 400


def test_it_is_short_and_needs_only_the_standard_library() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    for node in ast.walk(ast.parse(text)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {each.split(".")[0] for each in names} <= sys.stdlib_module_names
