"""Games whose package is gone: they are listed and wait for it, and no request about them or others ends in a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holmgang import registry
from tests.games import install, known

from .calling import Api, Table

READ = [
    "",
    "/turn",
    "/view",
    "/board.svg",
    "/events",
    "/combats",
    "/record",
    "/seats/0",
    "/view?at=1",
    "/turn?include=view",
]
LISTS = ["/v1/games", "/v1/games?status=open", "/v1/games?status=over", "/v1/me/games", "/v1/me/turns", "/v1/rulesets"]
WRITTEN: list[tuple[str, Any]] = [
    ("/submissions", {"turn": 1, "action": {"type": "play", "card": 1}}),
    ("/submissions?dry_run=true", {"turn": 1, "action": {"type": "play", "card": 1}}),
    ("/resignations", {}),
    ("/seats", {}),
    ("/seats", {"bot": "random"}),
    ("/seats/0/return", {}),
]


@pytest.fixture(scope="module")
def gone(api: Api, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """A game that waits for players, one under way and one that is over, by rules that are not here any more."""
    with known(install(tmp_path_factory.mktemp("games"))):
        made = {"open": api.table(2, ruleset="toy", taken=1)}
        made |= {status: api.table(2, ruleset="toy", turn_seconds=60) for status in ("active", "over")}
        made["over"].play()
    assert "toy" not in registry.names()
    api.documented = False
    return made


@pytest.mark.parametrize("path", LISTS)
def test_lists_have_them_or_not_but_do_not_fail(api: Api, gone: dict[str, Table], path: str) -> None:
    for table in gone.values():
        api.call("GET", path, token=table.token(0), status=200)


@pytest.mark.parametrize("status", ["open", "active", "over"])
def test_their_public_facts_are_told(api: Api, gone: dict[str, Table], status: str) -> None:
    told = api.get(gone[status].path)
    assert (told["status"], told["ruleset"]) == (status, "toy")
    assert told in api.get(f"/v1/games?status={status}")["items"]


@pytest.mark.parametrize("path", READ)
@pytest.mark.parametrize("status", ["open", "active", "over"])
def test_what_takes_the_rules_is_unavailable(api: Api, gone: dict[str, Table], status: str, path: str) -> None:
    answer = api.call("GET", gone[status].path + path, token=gone[status].token(0))
    assert answer.status_code < 500 or answer.get_json()["code"] == "ruleset_unavailable", answer.get_json()
    if status == "active" and path in ("/turn", "/view", "/board.svg"):
        assert answer.status_code == 503


@pytest.mark.parametrize(("path", "body"), WRITTEN)
@pytest.mark.parametrize("status", ["open", "active", "over"])
def test_nothing_changes(api: Api, gone: dict[str, Table], status: str, path: str, body: Any) -> None:
    table = gone[status]
    before = api.get(table.path)["version"]
    answer = api.call("POST", table.path + path, token=table.token(1 if path == "/seats" else 0), json=body)
    assert answer.status_code < 500 or answer.get_json()["code"] == "ruleset_unavailable", answer.get_json()
    assert api.get(table.path)["version"] == before


def test_they_go_on_when_it_is_back(api: Api, gone: dict[str, Table], tmp_path: Path) -> None:
    with known(install(tmp_path / "back")):
        assert gone["active"].turn(0)["yours"]
        assert api.get(gone["over"].path)["teams"] == [[0], [1]]
        gone["active"].play()
        assert api.get(gone["active"].path)["status"] == "over"
