"""Games and seats over HTTP: created, found, filled, left, resigned from."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from .calling import Api, Table

NEW = {"ruleset": "eketorp", "seats": 3}


def test_a_new_game_is_open_with_its_creator_on_seat_0(api: Api) -> None:
    ragna = api.register("Ragna")
    answer = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201)
    game = answer.get_json()
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert api.get(answer.headers["Location"]) == game
    assert game["status"] == "open"
    assert [seat["player"] for seat in game["seats"]] == [ragna.id, None, None]
    assert len(game["commitment"]) == 64
    assert game["seed"] is game["result"] is game["kind"] is None
    assert (game["turn"], game["awaited"], game["visibility"]) == (0, [], "public")


def test_nobody_sits_before_entropy_is_given_with_join_false(api: Api) -> None:
    ragna = api.register()
    game = api.call("POST", "/v1/games", token=ragna.token, json={**NEW, "join": False}, status=201).get_json()
    assert all(seat["player"] is None for seat in game["seats"])
    entropy = base64.urlsafe_b64encode(bytes(range(200, 220))).rstrip(b"=").decode()
    path = f"/v1/games/{game['id']}"
    answer = api.call("POST", f"{path}/seats", token=ragna.token, json={"entropy": entropy, "seat": 1}, status=201)
    assert answer.headers["Location"] == f"{path}/seats/1"
    assert answer.get_json()["seat"] == 1
    assert api.get(f"{path}/seats/1")["entropy"] is None, "entropy is not shown before the start"
    for _ in range(2):
        api.call("POST", f"{path}/seats", token=api.register().token, json={}, status=201)
    assert api.get(path)["status"] == "active"
    assert api.get(f"{path}/seats/1")["entropy"] == entropy


def test_a_seat_taken_again_is_the_same_seat(api: Api) -> None:
    table = api.table(taken=2)
    again = api.call("POST", f"{table.path}/seats", token=table.token(1), json={}, status=200).get_json()
    assert again["seat"] == 1
    other = {"seat": 2}
    assert (
        api.problem("POST", f"{table.path}/seats", 409, "already_seated", token=table.token(1), json=other)["seat"] == 1
    )
    taken = api.problem("POST", f"{table.path}/seats", 409, "seat_taken", token=table.token(2), json={"seat": 0})
    assert taken["free"] == [2]
    api.problem("POST", f"{table.path}/seats", 422, "invalid_field", token=table.token(2), json={"seat": 3})
    api.call("POST", f"{table.path}/seats", token=table.token(2), json={}, status=201)
    api.problem("POST", f"{table.path}/seats", 409, "game_full", token=api.register().token, json={})


def test_a_seat_is_left_before_the_start_only_and_by_its_holder(api: Api) -> None:
    table = api.table(taken=2)
    api.problem("DELETE", f"{table.path}/seats/1", 403, "not_yours", token=table.token(0))
    api.problem("DELETE", f"{table.path}/seats/2", 404, "not_found", token=table.token(0))
    api.problem("DELETE", f"{table.path}/seats/99999", 404, "not_found", token=table.token(0))
    api.call("DELETE", f"{table.path}/seats/1", token=table.token(1), status=204)
    assert api.get(f"{table.path}/seats/1")["player"] is None
    for seat in (1, 2):
        api.call("POST", f"{table.path}/seats", token=table.token(seat), json={"seat": seat}, status=201)
    api.problem("DELETE", f"{table.path}/seats/1", 409, "game_not_open", token=table.token(1))


def test_games_are_found_by_filters_and_pages(api: Api) -> None:
    ragna = api.register()
    mine = [api.call("POST", "/v1/games", token=ragna.token, json=NEW).get_json()["id"] for _ in range(3)]
    started = api.table()
    assert started.game in _ids(api, "/v1/games?status=active")
    assert started.game not in _ids(api, "/v1/games?open_seats=true")
    assert started.game in _ids(api, "/v1/games?open_seats=false")
    assert _ids(api, "/v1/games?ruleset=chess") == []
    assert _ids(api, f"/v1/games?player={ragna.id}&limit=2") == mine[::-1]
    assert _ids(api, "/v1/me/games?limit=2&status=open", ragna.token) == mine[::-1]
    assert _ids(api, "/v1/me/games?status=over", ragna.token) == []


def _ids(api: Api, path: str | None, token: str | None = None) -> list[str]:
    """Those of all pages."""
    found: list[str] = []
    while path:
        answer = api.call("GET", path, token=token, status=200)
        page = answer.get_json()
        found += [game["id"] for game in page["items"]]
        path = page["next"]
        assert answer.headers.get("Link") == (f'<{path}>; rel="next"' if path else None)
    return found


@pytest.mark.parametrize(
    ("fields", "code", "pointer", "says"),
    [
        ({"ruleset": "chess"}, "invalid_field", "/ruleset", "no ruleset"),
        ({"seats": 99}, "invalid_field", "/seats", "players"),
        ({"options": {"no_such": 1}}, "invalid_option", "/options/no_such", ""),
        ({"options": {"a/b~c": 1}}, "invalid_option", "/options/a~1b~0c", "no option 'a/b~c'"),
        ({"visibility": "secret"}, "invalid_request", "/visibility", "Must be one of"),
        ({"turn_seconds": 0}, "invalid_request", "/turn_seconds", "Must be greater"),
        ({"absence": "bot:nobody"}, "invalid_request", "/absence", "Must be one of"),
        ({"rated": True}, "invalid_field", "/turn_seconds", "needs a deadline"),
        ({"rated": True, "turn_seconds": 60, "practice": True}, "invalid_field", "/rated", "Practice games"),
        ({"clock": "runs"}, "invalid_field", "/clock", "needs a deadline"),
        ({"clock": "stops", "turn_seconds": 60}, "invalid_request", "/clock", "Must be one of"),
        ({"rated": True, "turn_seconds": 60, "clock": "waits"}, "invalid_field", "/clock", "the clock runs"),
        ({"rated": 1}, "invalid_request", "/rated", "Must be true or false"),
        ({"seed": "00" * 32}, "invalid_field", "/seed", "Only practice games"),
        ({"seed": "00", "practice": True}, "invalid_request", "/seed", "64 lowercase"),
        ({"colour": "red"}, "invalid_request", "/colour", "Unknown field"),
    ],
)
def test_games_are_refused(api: Api, fields: dict[str, Any], code: str, pointer: str, says: str) -> None:
    ragna = api.register()
    problem = api.problem("POST", "/v1/games", 422, code, token=ragna.token, json={**NEW, **fields})
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert says in problem["errors"][0]["detail"]
    assert _ids(api, "/v1/me/games", ragna.token) == []


def test_a_resignation_is_made_once(api: Api) -> None:
    table = api.table()
    answer = api.call("POST", f"{table.path}/resignations", token=table.token(2), json={}, status=201)
    assert answer.headers["Location"] == f"{table.path}/seats/2"
    assert answer.get_json()["game"]["seats"][2]["resigned_at"] is not None
    again = api.call("POST", f"{table.path}/resignations", token=table.token(2), json={}, status=200)
    assert again.get_json()["seat"] == 2
    stranger = api.register()
    api.problem("POST", f"{table.path}/resignations", 403, "not_seated", token=stranger.token, json={})
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    over = api.get(table.path)
    assert over["status"] == "over"
    assert over["result"]["winners"] == [0]
    api.problem("POST", f"{table.path}/resignations", 409, "game_not_active", token=table.token(0), json={})


def test_one_does_not_resign_before_the_start(api: Api) -> None:
    table = api.table(taken=1)
    api.problem("POST", f"{table.path}/resignations", 409, "game_not_active", token=table.token(0), json={})


def test_the_seed_is_shown_at_the_end_and_fits_the_commitment(api: Api, finished: Table) -> None:
    summary = api.get(finished.path)
    record = api.get(f"{finished.path}/record")
    assert summary["seed"] == record["seed"]
    assert record["commitment"] == summary["commitment"]
    terms = record["terms"].encode()
    told = b"holmgang-commitment-1" + bytes.fromhex(summary["id"].replace("-", ""))
    told += len(terms).to_bytes(4, "big") + terms + bytes.fromhex(record["seed"])
    assert hashlib.sha256(told).hexdigest() == summary["commitment"]


def test_an_unknown_game_is_not_found(api: Api) -> None:
    nowhere = "/v1/games/0192f0c1-0000-7000-8000-000000000000"
    for path in ("", "/view", "/turn", "/events", "/combats", "/combats/1", "/record", "/seats/0"):
        assert api.problem("GET", nowhere + path, 404, "not_found")["what"] == "game"
    for path in ("/v1/games/abc", "/v1/games/abc/turn", "/v1/nothing", "/v2/games"):
        api.problem("GET", path, 404, "not_found")
