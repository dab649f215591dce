"""What operators see of a running service: its log, its figures from all of its processes, and its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from holmgang.cli.processes import GRACE_SECONDS
from tests.waiting import wait_until

from .running import Running, serving

HELD = 60
DRAIN = 3


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setenv("LOG_LEVEL", "debug")
    monkeypatch.setenv("DRAIN_SECONDS", str(DRAIN))
    monkeypatch.setenv("WAITS_PER_TOKEN", str(HELD))
    with serving(WORKERS="2") as running:
        yield running


def figures(running: Running) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = httpx.get(f"{running.url}/metrics", timeout=10)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def test_one_log_one_set_of_figures_and_an_answer_for_all_who_wait(service: Running) -> None:
    with httpx.Client(base_url=service.url, timeout=30) as client:
        me = client.post("/v1/players", json={"name": "Ragna"}).json()
        client.headers["Authorization"] = f"Bearer {me['token']}"
        game = client.post("/v1/games", json={"ruleset": "claim", "seats": 2}).json()["id"]
        client.post(f"/v1/games/{game}/seats", json={"bot": "greedy"})

        # Requests on many connections land in both processes, and one of them answers for both.
        before = figures(service)
        for _ in range(40):
            httpx.get(f"{service.url}/v1/rulesets", timeout=10)
        after = figures(service)
        labels = {"route": "/v1/rulesets", "method": "GET", "status": "2xx", "held": "no"}
        asked = ("holmgang_request_seconds_count", frozenset(labels.items()))
        assert after[asked] - before.get(asked, 0) == 40

        def memory() -> set[str]:
            found = [dict(labels) for name, labels in figures(service) if name == "holmgang_memory_bytes"]
            return {labels["pid"] for labels in found if labels["part"] == "server"}

        wait_until(lambda: len(memory()) == 2, "both processes have noted what they do")
        assert service.process is not None

        # One that is killed is forgotten, and what it had counted is not.
        victim = int(sorted(memory())[0])
        psutil.Process(victim).kill()
        wait_until(lambda: len(memory() - {str(victim)}) == 2, "another has taken its place", 30)
        assert str(victim) not in memory()
        assert figures(service)[asked] >= after[asked]

        # The bot is the worker's, which is asked about in the server.
        turn = client.get(f"/v1/games/{game}/turn").json()
        if turn["yours"]:
            legal = turn["legal"]
            action = legal["actions"][0] if "actions" in legal else legal["sample"]
            move = {"turn": turn["turn"], "action": action}
            assert client.post(f"/v1/games/{game}/submissions", json=move).status_code == 201
        chosen = ("holmgang_bot_choice_seconds_count", frozenset({("bot", "greedy"), ("ruleset", "claim")}))
        wait_until(lambda: figures(service).get(chosen, 0) >= 1, "the bot has chosen")
        wait_until(lambda: client.get(f"/v1/games/{game}/turn").json()["yours"], "it is the player's turn")

        # All who wait are answered when the service is told to stop, as if their time were up.
        tag = client.get(f"/v1/games/{game}/view").headers["ETag"]
        with ThreadPoolExecutor(HELD) as hands:

            def wait(_: int) -> int:
                held = {"Authorization": f"Bearer {me['token']}", "If-None-Match": tag}
                return httpx.get(f"{service.url}/v1/games/{game}/view?wait=50", headers=held, timeout=30).status_code

            waiting = [hands.submit(wait, number) for number in range(HELD)]
            gauge = ("holmgang_requests_waiting", frozenset[tuple[str, str]]())
            wait_until(lambda: figures(service).get(gauge) == HELD, "all of them wait")
            service.process.send_signal(signal.SIGTERM)

            # First it says that it is going, and serves on.
            wait_until(lambda: httpx.get(f"{service.url}/readyz").status_code == 503, "it is ready no more", 5)
            assert httpx.get(f"{service.url}/v1/rulesets").status_code == 200
            assert not any(each.done() for each in waiting)
            assert {each.result(DRAIN + GRACE_SECONDS + 5) for each in waiting} == {304}
    assert service.process.wait(20) == 0

    lines = [json.loads(line) for line in service.log().splitlines() if line.startswith("{")]
    others = [line for line in service.log().splitlines() if not line.startswith("{")]
    assert not any("Traceback" in line for line in others), others
    assert {"holmgang.access", "gunicorn.error"} <= {line["logger"] for line in lines}
    assert all({"timestamp", "level", "event"} <= set(line) for line in lines)
    assert {line.get("game") for line in lines if line.get("route") == "/v1/games/<uuid:game>/view"} == {game}
    assert me["token"] not in service.log()


@pytest.mark.slow
def test_a_backup_of_a_running_service_becomes_another_one(service: Running, open_folder: Path) -> None:
    def holmgang(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "DATA_DIR": str(folder)}
        environ.pop("DATABASE_URL", None)
        return subprocess.run(
            [sys.executable, "-m", "holmgang.cli.main", *command],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    with httpx.Client(base_url=service.url, timeout=30) as client:
        token = client.post("/v1/players", json={"name": "Ragna"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        game = client.post("/v1/games", json={"ruleset": "claim", "seats": 2}).json()["id"]
        file = open_folder / "backup"
        made = holmgang(service.folder, "backup", str(file))
        assert made.returncode == 0, made.stderr
        assert client.get("/readyz").status_code == 200
    refused = holmgang(service.folder, "restore", str(file))
    assert (refused.returncode, "not empty" in refused.stderr) == (1, True)
    assert service.stop() == 0

    other = Running(open_folder / "other", service.port)
    other.folder.mkdir()
    other.folder.chmod(0o755)
    assert holmgang(other.folder, "restore", str(file)).returncode == 0
    try:
        other.start()
        with httpx.Client(base_url=other.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
            assert client.post(f"/v1/games/{game}/seats", json={"bot": "greedy"}).status_code == 201
            assert client.get(f"/v1/games/{game}").json()["status"] == "active"
        assert other.stop() == 0
    finally:
        other.kill(database=True)
