"""Rated games, leaderboards and players' ratings over HTTP."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from holmgang.worker.loop import Worker
from tests.api_document import check

from .calling import Api, Person
from .test_document import DOCUMENT

RATED = {"ruleset": "claim", "seats": 2, "rated": True, "turn_seconds": 3600}
SCHEMAS = {
    operation["operationId"]: operation["responses"]["200"]["content"]["application/json"]["schema"]
    for verbs in DOCUMENT["paths"].values()
    for operation in verbs.values()
    if operation["operationId"] in ("getLeaderboard", "getPlayer", "getGame")
}


def count(api: Api) -> None:
    """Have the worker rate what is over."""
    worker = Worker(api.app.extensions["holmgang"].store, random.Random(1))
    while worker.work():
        pass


def duel(api: Api, winner: Person, loser: Person, ruleset: str = "claim") -> str:
    """A rated game that the second resigns."""
    wanted = {**RATED, "ruleset": ruleset}
    path: str = api.call("POST", "/v1/games", token=winner.token, json=wanted, status=201).headers["Location"]
    api.call("POST", f"{path}/seats", token=loser.token, json={}, status=201)
    api.call("POST", f"{path}/resignations", token=loser.token, json={}, status=201)
    return path


def board(api: Api, path: str | None) -> list[dict[str, Any]]:
    """The lines of all pages."""
    found: list[dict[str, Any]] = []
    while path:
        answer = api.call("GET", path, status=200)
        page = answer.get_json()
        check(page, SCHEMAS["getLeaderboard"])
        found += page["items"]
        path = page["next"]
        assert answer.headers.get("Link") == (f'<{path}>; rel="next"' if path else None)
    return found


@pytest.fixture(scope="module")
def ladder(api: Api) -> list[Person]:
    """Seven players of Drakkars of whom each has beaten the next, and two who have beaten nobody but a bot."""
    crowd = [api.register(f"player {n}") for n in range(7)]
    for better, worse in itertools.pairwise(crowd):
        duel(api, better, worse, "drakkars")
    for _ in range(2):
        alone = api.register("a friend of bots")
        wanted = {**RATED, "ruleset": "drakkars"}
        path = api.call("POST", "/v1/games", token=alone.token, json=wanted, status=201).headers["Location"]
        api.call("POST", f"{path}/seats", token=alone.token, json={"bot": "greedy"}, status=201)
        api.call("POST", f"{path}/resignations", token=alone.token, json={}, status=201)
        crowd.append(alone)
    count(api)
    return crowd


def test_the_game_tells_what_it_did_to_ratings(api: Api) -> None:
    ragna, sigrid = api.register("Ragna"), api.register("Sigrid")
    path = duel(api, ragna, sigrid)
    before = api.get(path)
    assert before["rated"] is True
    assert before["status"] == "over"
    assert before["rating_changes"] is None
    assert api.get(f"/v1/players/{ragna.id}")["ratings"] == {}
    count(api)
    game = api.get(path)
    check(game, SCHEMAS["getGame"])
    won, lost = game["rating_changes"]
    assert (won["seat"], won["player"], won["rank"]) == (0, ragna.id, 1)
    assert (lost["seat"], lost["player"], lost["rank"]) == (1, sigrid.id, 2)
    assert won["before"]["rating"] == lost["before"]["rating"] == 1500
    assert won["after"]["mu"] > 25 > lost["after"]["mu"]
    assert {**before, "rating_changes": game["rating_changes"]} == game, "nothing else has changed"
    assert api.get(f"/v1/games?player={ragna.id}")["items"] == [game]
    profile = api.get(f"/v1/players/{ragna.id}")
    check(profile, SCHEMAS["getPlayer"])
    assert profile["ratings"] == {"claim": {**won["after"], "games": 1, "wins": 1}}
    assert api.get("/v1/me", ragna.token)["player"] == profile


def test_other_games_have_no_rating_changes(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    count(api)
    game = api.get(table.path)
    assert (game["status"], game["rated"], game["rating_changes"]) == ("over", False, None)
    assert api.get(f"/v1/players/{table.people[0].id}")["ratings"] == {}


def test_a_refused_rated_game_is_not_made(api: Api) -> None:
    ragna = api.register()
    for fields in ({"turn_seconds": None}, {"practice": True}):
        api.problem("POST", "/v1/games", 422, "invalid_field", token=ragna.token, json={**RATED, **fields})
    assert api.get("/v1/me/games", ragna.token)["items"] == []


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_a_leaderboard_comes_in_pages_highest_rating_first(api: Api, ladder: list[Person], limit: int) -> None:
    lines = board(api, f"/v1/leaderboards/drakkars?limit={limit}")
    assert len({line["player"]["id"] for line in lines}) == len(lines) == len(ladder) + 1
    ordinals = [line["mu"] - 3 * line["sigma"] for line in lines]
    assert ordinals == sorted(ordinals, reverse=True)
    for line, ordinal in zip(lines, ordinals, strict=True):
        assert line["rating"] == round(1500 + 24 * ordinal)
        assert line["rank"] == 1 + sum(other > ordinal for other in ordinals)
    best = lines[0]
    assert best["player"] == {"id": best["player"]["id"], "name": best["player"]["name"], "bot": best["player"]["bot"]}
    assert all(line["games"] >= line["wins"] >= 0 for line in lines)


def test_equal_ratings_share_a_rank_across_pages(api: Api, ladder: list[Person]) -> None:
    """Winners of first games between newcomers are all alike."""
    path = "/v1/leaderboards/eketorp"
    assert board(api, path) == []
    for _ in range(3):
        table = api.table(3, rated=True, turn_seconds=3600)
        for seat in (1, 2):
            api.call("POST", f"{table.path}/resignations", token=table.token(seat), json={}, status=201)
    count(api)
    for limit in (1, 2, 4, 50):
        ranks = [line["rank"] for line in board(api, f"{path}?limit={limit}")]
        assert ranks == sorted(ranks)
        assert ranks[:4] == [1, 1, 1, 4], "and the next comes after all of them"


def test_bots_may_be_left_out(api: Api, ladder: list[Person]) -> None:
    path = "/v1/leaderboards/drakkars"
    everybody = board(api, path)
    assert board(api, f"{path}?bots=true") == everybody
    bots = [line for line in everybody if line["player"]["bot"]]
    assert [line["player"]["bot"] for line in bots] == ["greedy"]
    assert (bots[0]["games"], bots[0]["wins"]) == (2, 2)
    for limit in (2, 50):
        people = board(api, f"{path}?bots=false&limit={limit}")
        assert [line["player"]["id"] for line in people] == [
            line["player"]["id"] for line in everybody if not line["player"]["bot"]
        ]
        assert people[0]["rank"] == 1
        below = [line["rank"] for line in everybody if not line["player"]["bot"] and line["rank"] > bots[0]["rank"]]
        assert [line["rank"] for line in people][-len(below) :] == [rank - 1 for rank in below]


def test_one_player_is_found_with_the_rank_that_they_have(api: Api, ladder: list[Person]) -> None:
    path = "/v1/leaderboards/drakkars"
    for bots in ("true", "false"):
        for line in board(api, f"{path}?bots={bots}"):
            assert board(api, f"{path}?bots={bots}&player={line['player']['id']}&limit=1") == [line]
    bot = next(line["player"]["id"] for line in board(api, path) if line["player"]["bot"])
    assert board(api, f"{path}?bots=false&player={bot}") == []
    assert board(api, f"{path}?player={api.register().id}") == []


def test_a_leaderboard_that_has_not_changed_is_304(api: Api, ladder: list[Person]) -> None:
    path = "/v1/leaderboards/drakkars?limit=2"
    first = api.call("GET", path, status=200)
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"].startswith("public")
    same = api.call("GET", path, status=304, If_None_Match=tag)
    assert same.data == b""
    assert same.headers["ETag"] == tag
    assert same.headers["Cache-Control"] == first.headers["Cache-Control"]
    duel(api, ladder[6], ladder[0], "drakkars")
    assert api.call("GET", path, If_None_Match=tag).status_code == 304, "not before the game is counted"
    count(api)
    changed = api.call("GET", path, status=200, If_None_Match=tag)
    assert changed.headers["ETag"] != tag


def test_what_is_no_leaderboard(api: Api) -> None:
    assert api.problem("GET", "/v1/leaderboards/chess", 404, "not_found")["what"] == "ruleset"
    for query in ("cursor=x", "cursor=" + "A" * 33, "cursor=" + "A" * 31 + "!", "limit=0", "bots=1", "page=2"):
        problem = api.problem("GET", f"/v1/leaderboards/claim?{query}", 422, "invalid_request")
        assert [error["pointer"] for error in problem["errors"]] == ["?" + query.partition("=")[0]]


@pytest.mark.parametrize("cursor", ["A" * 32, "_" * 32, "f_gAAAAAAAA" + "A" * 21])
def test_any_place_may_be_read_on_from(api: Api, ladder: list[Person], cursor: str) -> None:
    """Also numbers that no rating has, such as NaN."""
    lines = board(api, f"/v1/leaderboards/drakkars?limit=3&cursor={cursor}")
    assert [line["rank"] for line in lines] == sorted(line["rank"] for line in lines)


def test_those_who_play_no_more_may_be_left_out(api: Api, ladder: list[Person], module_database: str) -> None:
    """By the day on which their last rated game was counted: ranks and pages are of the others alone."""
    path = "/v1/leaderboards/drakkars?bots=false"
    everybody = board(api, path)
    away = [line["player"]["id"] for line in everybody[::2]]
    today = datetime.now(UTC)
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute("UPDATE ratings SET active_on = %s WHERE player_id = ANY(%s)", [today - timedelta(days=9), away])
    late = urlencode({"active_since": (today - timedelta(days=8)).isoformat()})
    lines = board(api, f"{path}&limit=2&{late}")
    ids = [line["player"]["id"] for line in lines]
    assert ids == [line["player"]["id"] for line in everybody if line["player"]["id"] not in away]
    ratings = [line["mu"] - 3 * line["sigma"] for line in lines]
    assert [line["rank"] for line in lines] == [1 + sum(other > one for other in ratings) for one in ratings]
    for line in lines:
        assert board(api, f"{path}&{late}&player={line['player']['id']}") == [line]
    assert board(api, f"{path}&{late}&player={away[0]}") == []
    for moment, listed in (("T00:00:00Z", everybody), ("T23:59:59Z", everybody), ("T23:59:59-01:00", lines)):
        day = f"{today - timedelta(days=9):%F}{moment}"  # the time of the day does not count
        assert board(api, f"{path}&{urlencode({'active_since': day})}") == listed
    people = {person.id: person for person in ladder}
    duel(api, people[away[0]], people[away[1]], "drakkars")
    count(api)
    assert {away[0], away[1]} < {line["player"]["id"] for line in board(api, f"{path}&{late}")}, "they play again"


def test_what_is_no_time_is_refused(api: Api) -> None:
    for wrong in ("30d", "2026-11-30", "yesterday", ""):
        problem = api.problem("GET", f"/v1/leaderboards/claim?active_since={wrong}", 422, "invalid_request")
        assert [error["pointer"] for error in problem["errors"]] == ["?active_since"]
