"""Views, turns, submissions, combats, events and records over HTTP."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from .calling import Api, Table

NOBODY = "0192f0c1-0000-7000-8000-000000000000"


def test_a_turn_says_what_is_asked_of_whom(api: Api) -> None:
    table = api.table()
    turn = table.turn(1)
    assert (turn["game"], turn["status"], turn["seat"]) == (table.game, "active", 1)
    assert turn["turn"] == 1
    assert turn["last_turn"] is None
    assert turn["yours"] is (1 in turn["awaited"])
    assert turn["legal"] is not None
    assert turn["server_time"].endswith("Z")
    spectator = api.get(f"{table.path}/turn")
    assert spectator["seat"] is spectator["legal"] is None
    assert spectator["yours"] is False
    assert "view" not in turn
    assert api.get(f"{table.path}/turn?include=view", table.token(1))["view"] == api.get(
        f"{table.path}/view", table.token(1)
    )


def test_a_turn_tells_how_the_last_one_ended(api: Api) -> None:
    table = api.table()
    kind = table.turn(0)["kind"]
    table.play(1)
    last = table.turn(0)["last_turn"]
    assert (last["turn"], last["kind"], last["ended"]) == (1, kind, "played")
    asked = table.turn(0)["awaited"][0]
    running = table.turn(0)["turn"]
    for seat in {0, 1, 2} - {asked}:
        api.call("POST", f"{table.path}/resignations", token=table.token(seat), json={}, status=201)
        break
    now = table.turn(0)
    assert now["turn"] > running or now["last_turn"] == last, "a running turn has not ended"
    api.call("POST", f"{table.path}/resignations", token=table.token(asked), json={}, status=201)
    over = table.turn(0)
    assert (over["status"], over["last_turn"]["ended"]) == ("over", "resigned")


def test_times_are_utc_whatever_the_database_thinks(api: Api, module_database: str) -> None:
    name = module_database.rsplit("/", 1)[1].partition("?")[0]
    with psycopg.connect(module_database, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE \"{name}\" SET timezone = 'Asia/Kolkata'".encode())
    abroad = Api(module_database)
    try:
        table = abroad.table()
        table.submit(0, status=201)
        assert table.turn(1)["server_time"].endswith("Z")
        assert abroad.get("/v1/me/turns", table.token(1))["items"][0]["since"].endswith("Z")
        assert all(event["at"].endswith("Z") for event in abroad.get(f"{table.path}/events")["items"])
        assert abroad.get(table.path)["started_at"].endswith("Z")
    finally:
        abroad.close()


def test_views_differ_by_viewer(api: Api) -> None:
    table = api.table()
    seen = [api.get(f"{table.path}/view", token) for token in (table.token(0), table.token(1), None)]
    assert seen[0] != seen[1] != seen[2] != seen[0]
    assert seen[2] == api.get(f"{table.path}/view", api.register().token)


def test_an_open_game_has_no_view_and_an_empty_turn(api: Api) -> None:
    table = api.table(taken=1)
    api.problem("GET", f"{table.path}/view", 409, "game_not_active")
    turn = table.turn(0)
    assert (turn["status"], turn["turn"], turn["awaited"], turn["legal"]) == ("open", 0, [], None)
    body = {"turn": 0, "action": {"type": "anything"}}
    api.problem("POST", f"{table.path}/submissions", 409, "game_not_active", token=table.token(0), json=body)


def test_only_players_see_a_game_without_spectators(api: Api) -> None:
    table = api.table(spectators=False)
    for part in ("view", "turn", "events", "combats", "combats/1", "record"):
        api.problem("GET", f"{table.path}/{part}", 401, "unauthenticated")
        api.problem("GET", f"{table.path}/{part}", 403, "spectators_excluded", token=api.register().token)
    assert api.get(f"{table.path}/view", table.token(2))
    assert api.get(table.path)["spectators"] is False


def test_a_sealed_choice_is_received_read_replaced_and_repeated(api: Api) -> None:
    table = api.table()
    first = table.choice(0)
    answer = table.submit(0, first, status=201)
    receipt = answer.get_json()
    assert answer.headers["Location"] == f"{table.path}/submissions/{receipt['id']}"
    assert (receipt["state"], receipt["revision"], receipt["seat"], receipt["turn"]) == ("sealed", 1, 0, 1)
    assert receipt["action"] == first["action"]
    assert api.get(answer.headers["Location"], table.token(0)) == receipt
    assert table.turn(0)["submission"] == receipt["id"]
    assert table.submit(0, first, status=200).get_json() == receipt
    other = {**first, "action": another_action(api, table, 0, first["action"])}
    problem = api.problem(
        "POST", f"{table.path}/submissions", 409, "already_submitted", token=table.token(0), json=other
    )
    assert problem["receipt"] == answer.headers["Location"]
    assert problem["revision"] == 1
    path = problem["receipt"]
    replaced = api.call("PUT", path, token=table.token(0), json={**other, "revision": 1}, status=200).get_json()
    assert (replaced["revision"], replaced["action"], replaced["id"]) == (2, other["action"], receipt["id"])
    stale = api.problem("PUT", path, 409, "revision_conflict", token=table.token(0), json={**first, "revision": 1})
    assert stale["revision"] == 2
    api.problem("PUT", path, 404, "not_found", token=table.token(1), json={**first, "revision": 1})
    api.problem("GET", path, 403, "not_yours", token=table.token(1))
    api.problem("GET", path, 401, "unauthenticated")
    api.problem("GET", path, 403, "not_seated", token=api.register().token)
    for seat in (1, 2):
        table.submit(seat, status=201)
    assert api.get(path, table.token(0))["state"] == "applied"
    assert table.submit(0, other, status=200).get_json()["state"] == "applied"
    current = table.turn(0)["turn"]
    problem = api.problem("PUT", path, 409, "stale_turn", token=table.token(0), json={**first, "revision": 2})
    assert problem["current_turn"] == current


def another_action(api: Api, table: Table, seat: int, than: Any) -> Any:
    """A legal action of the seat besides `than`, of the first turn."""
    turn = table.turn(seat)
    if turn["legal"] and "actions" in turn["legal"]:
        return next(action for action in turn["legal"]["actions"] if action != than)
    for number in range(50):
        other = api.table()
        found = other.choice(number % 3)["action"]
        body = {"turn": 1, "action": found}
        path = f"{table.path}/submissions?dry_run=true"
        legal = api.call("POST", path, token=table.token(seat), json=body).status_code in (200, 409)
        if found != than and legal:
            return found
    raise AssertionError("no other action was found")


def test_a_dry_run_changes_nothing(api: Api) -> None:
    table = api.table()
    body = table.choice(0)
    before = api.get(table.path)
    path = f"{table.path}/submissions?dry_run=true"
    verdict = api.call("POST", path, token=table.token(0), json=body, status=200).get_json()
    assert verdict == {"dry_run": True, "turn": 1, "seat": 0, "kind": table.turn(0)["kind"], "action": body["action"]}
    assert api.get(table.path) == before
    api.problem("POST", path, 409, "stale_turn", token=table.token(0), json={**body, "turn": 9})
    api.problem("POST", path, 422, "malformed_action", token=table.token(0), json={**body, "action": {"type": "?"}})


@pytest.mark.parametrize("action", [None, 3, "text", [], {}, {"type": 1}, {"type": "no_such"}, {"nothing": True}])
def test_malformed_actions_point_at_the_fault(api: Api, action: Any) -> None:
    table = api.table()
    body = {"turn": 1, "action": action}
    problem = api.problem("POST", f"{table.path}/submissions", 422, "malformed_action", token=table.token(0), json=body)
    assert problem["errors"][0]["pointer"].startswith("/action")
    assert api.get(table.path)["awaited"] == [0, 1, 2]


def test_illegal_actions_name_their_rule(api: Api) -> None:
    table = api.table()
    body = {"turn": 1, "action": illegal_action(api)}
    problem = api.problem("POST", f"{table.path}/submissions", 422, "illegal_action", token=table.token(0), json=body)
    rules = [rule["id"] for rule in api.get("/v1/rulesets/eketorp")["rules"]]
    assert problem["rule"] in rules
    assert api.get(table.path)["awaited"] == [0, 1, 2]


def illegal_action(api: Api) -> Any:
    """An action of another kind of turn than the first."""
    return {"type": "build", "stones": []}


def test_stale_and_foreign_turns_are_refused(api: Api) -> None:
    table, other = api.table(), api.table()
    body = table.choice(0)
    problem = api.problem(
        "POST", f"{table.path}/submissions", 409, "stale_turn", token=table.token(0), json={**body, "turn": 7}
    )
    assert problem["current_turn"] == 1
    api.problem("POST", f"{table.path}/submissions", 403, "not_seated", token=other.token(0), json=body)
    api.problem("GET", f"{table.path}/submissions/{NOBODY}", 404, "not_found", token=table.token(0))
    receipt = other.submit(0, status=201).get_json()
    api.problem("GET", f"{table.path}/submissions/{receipt['id']}", 404, "not_found", token=table.token(0))


def test_waiting_turns_are_the_whole_current_set(api: Api) -> None:
    table = api.table()
    waiting = api.get("/v1/me/turns", table.token(1))["items"]
    assert [(turn["game"], turn["seat"], turn["turn"]) for turn in waiting] == [(table.game, 1, 1)]
    table.submit(1, status=201)
    assert api.get("/v1/me/turns", table.token(1))["items"] == []


def test_events_are_numbered_without_gaps_and_read_on_by_next(api: Api, finished: Table) -> None:
    path, items = f"{finished.path}/events?limit=7", []
    while path:
        page = api.get(path, finished.token(0))
        items += page["items"]
        path = page["next"]
    assert [event["seq"] for event in items] == list(range(1, api.get(finished.path)["version"] + 1))
    assert items[0]["payload"]["type"] == "game_created"
    whole = api.get(f"{finished.path}/events?limit=200")
    assert [event["seq"] for event in whole["items"]] == list(range(1, len(whole["items"]) + 1))


def test_events_hide_what_the_viewer_may_not_see(api: Api) -> None:
    table = api.table()
    seen = [
        [event["payload"] for event in api.get(f"{table.path}/events", token)["items"]]
        for token in (table.token(0), table.token(1), None)
    ]
    assert [len(one) for one in seen] == [len(seen[0])] * 3
    assert seen[0] != seen[1]
    assert seen[0] != seen[2]


def test_the_feed_of_a_running_game_goes_on(api: Api) -> None:
    table = api.table()
    answer = api.call("GET", f"{table.path}/events?limit=200", status=200)
    following = answer.get_json()["next"]
    assert answer.headers["Link"] == f'<{following}>; rel="next"'
    assert api.get(following)["items"] == []
    table.submit(0, status=201)
    assert [event["payload"]["type"] for event in api.get(following)["items"]] == ["choice_sealed"]


def test_combats_are_resources(api: Api, finished: Table) -> None:
    path, items = f"{finished.path}/combats?limit=2", []
    while path:
        page = api.get(path)
        items += page["items"]
        path = page["next"]
    assert [combat["number"] for combat in items] == list(range(1, len(items) + 1))
    assert len(items) > 2
    for combat in items[:3]:
        assert api.get(f"{finished.path}/combats/{combat['number']}") == combat
        assert combat["record"]["number"] == combat["number"]
        assert combat["status"] == combat["record"]["status"]
    for number in (0, len(items) + 1, 999_999_999):
        assert api.problem("GET", f"{finished.path}/combats/{number}", 404, "not_found")["what"] == "combat"
    api.problem("GET", f"{finished.path}/combats/{10**30}", 404, "not_found")
    api.problem("GET", f"{finished.path}/combats/-1", 404, "not_found")


def test_the_record_and_others_submissions_are_shown_at_the_end(api: Api, finished: Table) -> None:
    record = api.get(f"{finished.path}/record")
    assert record["result"] == api.get(finished.path)["result"]
    assert [line["seq"] for line in record["log"]] == list(range(len(record["log"])))
    assert record["head"] == record["log"][-1]["row_hash"]
    assert record["entropy"] == [None, None, None]
    theirs = finished.receipts[-1]
    shown = api.get(f"{finished.path}/submissions/{theirs['id']}")
    assert (shown["action"], shown["state"]) == (theirs["action"], "applied")
    assert api.get(f"{finished.path}/turn")["status"] == "over"
    assert api.get(f"{finished.path}/view")
    body = {"turn": theirs["turn"] + 1, "action": theirs["action"]}
    problem = api.problem(
        "POST", f"{finished.path}/submissions", 409, "stale_turn", token=finished.token(theirs["seat"]), json=body
    )
    assert problem["current_turn"] is None
    running = api.table()
    api.problem("GET", f"{running.path}/record", 409, "game_not_over", token=running.token(0))
