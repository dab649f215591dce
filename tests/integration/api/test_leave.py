"""Time banks and leave over HTTP: what a client has to know to show clocks, and when it is told."""

from __future__ import annotations

from datetime import datetime, timedelta

from .calling import Api

DAY = 86_400


def test_a_client_has_all_that_it_needs_to_show_clocks(api: Api) -> None:
    table = api.table(2, ruleset="claim", bank_seconds=300, increment_seconds=5, turn_seconds=60)
    game = api.get(table.path)
    assert (game["bank_seconds"], game["increment_seconds"], game["leave_days"]) == (300, 5, None)
    (seat,) = game["awaited"]
    turn = api.get(f"{table.path}/turn", table.token(seat))
    assert turn["clocks"] == game["clocks"]
    clock, other = turn["clocks"][seat], turn["clocks"][1 - seat]
    since = datetime.fromisoformat(clock["since"])
    assert datetime.fromisoformat(clock["deadline"]) == since + timedelta(seconds=60)
    assert datetime.fromisoformat(turn["deadline"]) == since + timedelta(seconds=60)
    assert (clock["bank_ms"], clock["turn_ms"]) == (300_000, 60_000)
    assert (other["bank_ms"], other["turn_ms"], other["since"], other["deadline"]) == (300_000, None, None, None)
    choice = table.choice(seat)
    api.call("POST", f"{table.path}/submissions", token=table.token(seat), json=choice, status=201)
    events = api.get(f"{table.path}/events?after={turn['version']}")["items"]
    (charge,) = [event["payload"] for event in events if event["payload"]["type"] == "bank_charged"]
    assert charge == {
        "type": "bank_charged",
        "seat": seat,
        "spent_ms": charge["spent_ms"],
        "added_ms": 5_000,
        "left_ms": 305_000 - charge["spent_ms"],
    }
    assert api.get(table.path)["clocks"][seat]["bank_ms"] == charge["left_ms"]


def test_one_goes_on_leave_and_is_back(api: Api) -> None:
    table = api.table(2, ruleset="claim", turn_seconds=DAY, leave_days=3)
    (seat,) = api.get(table.path)["awaited"]
    token, path, turn = table.token(seat), f"{table.path}/seats/{seat}/leave", f"{table.path}/turn"
    tag = api.call("GET", turn, token=token, status=200).headers["ETag"]
    answer = api.call("POST", path, token=token, json={}, status=200).get_json()
    clock = answer["game"]["clocks"][seat]
    assert answer["seat"] == seat
    assert clock["leave_ms"] == 3 * DAY * 1000
    away, since = datetime.fromisoformat(clock["on_leave_since"]), datetime.fromisoformat(clock["since"])
    assert since == away + timedelta(days=3)
    assert datetime.fromisoformat(answer["game"]["deadline"]) >= since
    news = api.call("GET", turn, token=token, status=200, If_None_Match=tag)
    assert news.headers["ETag"] != tag
    assert api.call("POST", path, token=token, json={}, status=200).get_json() == answer, "nothing changes"
    api.call("DELETE", path, token=token, status=204)
    after = api.get(table.path)["clocks"][seat]
    assert after["on_leave_since"] is None
    assert after["leave_ms"] == clock["leave_ms"] - (datetime.fromisoformat(after["since"]) - away) / timedelta(
        milliseconds=1
    )
    api.call("DELETE", path, token=token, status=204)
    refused = api.call("POST", path, token=table.token(1 - seat), json={}).get_json()
    assert refused["code"] == "not_yours"


def test_a_game_without_leave_gives_none(api: Api) -> None:
    table = api.table(2, ruleset="claim", turn_seconds=DAY)
    refused = api.call("POST", f"{table.path}/seats/0/leave", token=table.token(0), json={}).get_json()
    assert (refused["code"], refused["what"], refused["limit"]) == ("limit_reached", "leave_days", 0)
