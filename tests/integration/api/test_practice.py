"""Practice games: a given seed, no commitment, and their creator's look from every seat."""

from __future__ import annotations

from typing import Any

from .calling import Api, Table

SEED = "0f" * 32


def practice(api: Api, **more: Any) -> Table:
    return api.table(3, ruleset="drakkars", practice=True, seed=SEED, **more)


def test_the_same_seed_gives_the_same_game(api: Api) -> None:
    """All chance follows from seed and entropy."""
    views = [api.get(f"{practice(api).path}/view") for _ in range(2)]
    assert views[0] == views[1]
    other = api.get(f"{api.table(3, ruleset='drakkars', practice=True, seed='0e' * 32).path}/view")
    assert other["towns"] != views[0]["towns"]


def test_it_commits_to_nothing(api: Api) -> None:
    game = api.get(practice(api).path)
    assert game["practice"]
    assert game["commitment"] is None
    assert game["seed"] is None, "also of a given one, until the end"
    assert api.get(api.table().path)["commitment"] is not None


def test_its_creator_looks_as_any_seat(api: Api) -> None:
    table = practice(api)
    for part in ("view", "turn", "turn?include=view", "events"):
        sign = "&" if "?" in part else "?"
        for seat in range(3):
            as_seat = api.get(f"{table.path}/{part}{sign}as_seat={seat}", table.token(0))
            own = api.get(f"{table.path}/{part}", table.token(seat))
            for answer in (as_seat, own):
                answer.pop("server_time", None)
                answer.pop("next", None)
            assert as_seat == own


def test_its_creator_follows_its_events_as_any_seat(api: Api) -> None:
    table = practice(api)
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    path = f"{table.path}/events"
    stream: dict[str, Any] = {"Accept": "text/event-stream"}
    told = [
        api.call("GET", f"{path}{query}", token=table.token(seat), status=200, **stream).get_data()
        for query, seat in (("?as_seat=2", 0), ("", 2), ("", 0))
    ]
    assert told[0] == told[1] != told[2]
    api.problem("GET", f"{path}?as_seat=1", 403, "not_yours", token=table.token(2), **stream)


def test_tags_of_seats_differ(api: Api) -> None:
    table = practice(api)
    tags = {
        api.call("GET", f"{table.path}/view?as_seat={seat}", token=table.token(0)).headers["ETag"] for seat in range(3)
    }
    assert len(tags) == 3
    (known, *_) = tags
    path = f"{table.path}/view?as_seat=0"
    assert api.call("GET", path, token=table.token(0)).headers["ETag"] in tags
    assert known


def test_nobody_else_does(api: Api) -> None:
    table, usual = practice(api), api.table()
    path = f"{table.path}/view?as_seat=1"
    api.problem("GET", path, 403, "not_yours", token=table.token(2))
    api.problem("GET", path, 403, "not_yours")
    api.problem("GET", f"{usual.path}/view?as_seat=1", 403, "not_yours", token=usual.token(0))
    api.problem("GET", f"{usual.path}/events?as_seat=1&wait=20", 403, "not_yours", token=usual.token(0))
    api.problem("GET", f"{table.path}/turn?as_seat=3", 404, "not_found", token=table.token(0))
    api.problem("GET", f"{table.path}/turn?as_seat=x", 422, "invalid_request", token=table.token(0))


def test_one_cannot_play_as_any_seat(api: Api) -> None:
    table = practice(api)
    asked = api.get(f"{table.path}/turn", table.token(0))["awaited"][0]
    other = (asked + 1) % 3
    if other == 0:
        other = (asked + 2) % 3
    body = table.choice(asked)
    api.problem("POST", f"{table.path}/submissions", 409, "not_awaited", token=table.token(other), json=body)
