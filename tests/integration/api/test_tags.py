"""Conditional polls: 304 exactly while nothing has changed for the caller."""

from __future__ import annotations

import pytest

from .calling import Api, Table
from .test_play import another_action

PARTS = ("view", "board.svg", "board.svg?theme=dark", "turn", "turn?include=view", "events", "events?after=2&limit=5")


def tag(api: Api, path: str, token: str | None = None) -> str:
    return api.call("GET", path, token=token, status=200).headers["ETag"]


@pytest.mark.parametrize("part", PARTS)
def test_nothing_new_is_304_with_its_headers(api: Api, part: str) -> None:
    table = api.table()
    path = f"{table.path}/{part}"
    for token in (table.token(0), None):
        first = api.call("GET", path, token=token, status=200)
        again = api.call("GET", path, token=token, status=304, If_None_Match=first.headers["ETag"])
        assert again.get_data() == b""
        assert "Content-Type" not in again.headers
        for name in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[name] == first.headers[name]
        assert again.headers["Cache-Control"] == "private, no-cache"
        vary = ("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Holmgang-Invitation")
        assert all(name in again.vary for name in vary)
        assert again.headers["Access-Control-Allow-Origin"] == "*"
        table.submit(0 if token else 1, status=201)
        changed = api.call("GET", path, token=token, status=200, If_None_Match=first.headers["ETag"])
        assert changed.headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize(
    "wanted",
    ["{0}", "{1}", '"other", {0}', '{1} , W/"x"', '"a",{0},"b"', "*", "  {0}  "],
)
def test_tags_are_compared_weakly_and_in_lists(api: Api, wanted: str) -> None:
    table = api.table()
    for part in ("view", "events"):
        weak = tag(api, f"{table.path}/{part}", table.token(0))
        assert weak.startswith('W/"')
        header = wanted.format(weak, weak.removeprefix("W/"))
        api.call("GET", f"{table.path}/{part}", token=table.token(0), status=304, If_None_Match=header)
        api.call("HEAD", f"{table.path}/{part}", token=table.token(0), status=304, If_None_Match=header)


@pytest.mark.parametrize("wanted", ['"other"', 'W/"1.0.0.v1"', "", ",", "nonsense", '"a", "b"'])
def test_other_tags_get_the_whole_answer(api: Api, wanted: str) -> None:
    table = api.table()
    api.call("GET", f"{table.path}/view", token=table.token(0), status=200, If_None_Match=wanted)


def test_an_open_game_has_no_view_even_for_any_tag(api: Api) -> None:
    ragna = api.register()
    game = api.call(
        "POST", "/v1/games", token=ragna.token, status=201, json={"ruleset": "claim", "seats": 2}
    ).get_json()
    path = f"/v1/games/{game['id']}/view"
    api.problem("GET", path, 409, "game_not_active", token=ragna.token, If_None_Match="*")


def test_tags_differ_by_seat_and_form(api: Api) -> None:
    table = api.table()
    tags = [
        tag(api, f"{table.path}/{part}", token) for part in PARTS for token in (table.token(0), table.token(1), None)
    ]
    assert len(set(tags)) == len(tags)


def test_ones_own_replacement_is_noticed_by_oneself_alone(api: Api) -> None:
    table = api.table()
    first = table.choice(0)
    receipt = table.submit(0, first, status=201).get_json()
    other = another_action(api, table, 0, first["action"])
    paths = [f"{table.path}/{part}" for part in PARTS]
    before = {
        (path, token): tag(api, path, token) for path in paths for token in (table.token(0), table.token(1), None)
    }
    body = {"turn": 1, "action": other, "revision": 1}
    api.call("PUT", f"{table.path}/submissions/{receipt['id']}", token=table.token(0), json=body, status=200)
    for (path, token), known in before.items():
        mine = token == table.token(0)
        api.call("GET", path, token=token, status=200 if mine else 304, If_None_Match=known)


def test_waiting_turns_have_a_tag_of_their_set(api: Api) -> None:
    table = api.table()
    path, token = "/v1/me/turns", table.token(0)
    known = tag(api, path, token)
    api.call("GET", path, token=token, status=304, If_None_Match=known)
    table.submit(1, status=201)
    api.call("GET", path, token=token, status=304, If_None_Match=known)
    table.submit(0, status=201)
    empty = api.call("GET", path, token=token, status=200, If_None_Match=known).headers["ETag"]
    api.call("GET", path, token=token, status=304, If_None_Match=empty)


def test_a_match_is_no_way_around_the_gate(api: Api) -> None:
    table = api.table(spectators=False)
    known = tag(api, f"{table.path}/view", table.token(0))
    for part in ("view", "turn", "events"):
        path = f"{table.path}/{part}"
        api.problem("GET", path, 401, "unauthenticated", If_None_Match="*")
        api.problem("GET", path, 401, "invalid_token", token="hg_unknown", If_None_Match=known)
        api.problem("GET", path, 403, "spectators_excluded", token=api.register().token, If_None_Match="*")
    api.problem("GET", "/v1/me/turns", 401, "unauthenticated", If_None_Match="*")
    api.problem("GET", "/v1/games/0192f0c1-0000-7000-8000-000000000000/view", 404, "not_found", If_None_Match="*")
    api.problem("GET", f"{table.path}/view?x=1", 422, "invalid_request", token=table.token(0), If_None_Match=known)
    playing = {"label": "p", "scopes": ["play"]}
    blind = api.call("POST", "/v1/me/tokens", token=table.token(0), json=playing, status=201).get_json()["token"]
    api.problem("GET", f"{table.path}/view", 403, "missing_scope", token=blind, If_None_Match=known)
    api.problem("GET", "/v1/me/turns", 403, "missing_scope", token=blind, If_None_Match="*")


def test_tags_move_with_resignations(api: Api, finished: Table) -> None:
    table = api.table()
    known = tag(api, f"{table.path}/view")
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    api.call("GET", f"{table.path}/view", status=200, If_None_Match=known)
    api.call("GET", f"{finished.path}/view", status=304, If_None_Match=tag(api, f"{finished.path}/view"))


def test_a_ruleset_is_cached_strongly(api: Api) -> None:
    first = api.call("GET", "/v1/rulesets/eketorp", status=200)
    assert not first.headers["ETag"].startswith("W/")
    assert "public" in first.headers["Cache-Control"]
    again = api.call("GET", "/v1/rulesets/eketorp", status=304, If_None_Match=first.headers["ETag"])
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert again.headers["Vary"] == first.headers["Vary"] == "Accept-Language, Accept-Encoding"


@pytest.mark.parametrize("part", ["turn", "turn?include=view"])
def test_a_turn_with_another_tag_says_something_else(api: Api, part: str) -> None:
    """Or clients, which pause where a wait is answered at once with what they have, would pause over news."""
    table = api.table(taken=1)
    told: dict[str, str] = {}

    def look() -> None:
        answer = api.call("GET", f"{table.path}/{part}", token=table.token(0), status=200)
        facts = {**answer.get_json(), "server_time": None, "next_poll_ms": None}
        assert told.setdefault(answer.headers["ETag"], str(facts)) == str(facts)

    look()
    for seat in (1, 2):
        api.call("POST", f"{table.path}/seats", token=table.token(seat), json={"seat": seat}, status=201)
        look()
    for seat in range(3):
        table.submit(seat)
        look()
    api.call("POST", f"{table.path}/resignations", token=table.token(2), json={}, status=201)
    look()
    assert len(told) == len(set(told.values())) == 7
