"""Players and tokens over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from .calling import Api


@pytest.mark.parametrize("name", ["x", "Åsa Þórsdóttir", "क्\u200dष", "👨\u200d👩\u200d👧 & co", "محمد", "n" * 64])
def test_names_of_all_scripts_are_taken(api: Api, name: str) -> None:
    made = api.call("POST", "/v1/players", json={"name": name}, status=201).get_json()
    assert made["player"]["name"] == name


def test_names_are_kept_composed(api: Api) -> None:
    made = api.call("POST", "/v1/players", json={"name": "Zoe\u0308"}, status=201).get_json()
    assert made["player"]["name"] == "Zo\u00eb"


UNSEEN: tuple[str, ...] = (
    "",
    " x",
    "x ",
    "a\nb",
    "a\n",
    "a\x7fb",
    "n" * 65,
    "A\u202eevil",
    "\u200b",
    "a\ufeff",
    "\u200d",
    "\u2066x\u2069",
)
UNSEEN = (
    *UNSEEN,
    "a\u00adb",
    "\u3164",
    "\u115f",
    "a\ufe0f",
    "a" + "\u0301" * 60,
    "\u0301",
    "a  b",
    "a\u2003b",
    "\ue000",
)


@pytest.mark.parametrize("text", UNSEEN)
def test_names_and_labels_that_cannot_be_seen_are_refused(api: Api, text: str) -> None:
    ragna = api.register()
    label = {"label": text, "scopes": ["read"]}
    for path, pointer, body in (("/v1/players", "/name", {"name": text}), ("/v1/me/tokens", "/label", label)):
        refused = api.call("POST", path, token=ragna.token, json=body, status=422).get_json()
        assert [error["pointer"] for error in refused["errors"]] == [pointer]
    assert len(api.get("/v1/me/tokens", ragna.token)["items"]) == 1


@pytest.mark.parametrize("name", ["greedy (built in)", "Greedy", "grееdу", "Random bot", "Robot réfléchi", "Аstrid"])
def test_names_that_are_taken_for_others_are_refused_and_labels_are_free(api: Api, name: str) -> None:
    refused = api.call("POST", "/v1/players", json={"name": name}, status=422).get_json()
    assert [error["pointer"] for error in refused["errors"]] == ["/name"]
    ragna = api.register()
    api.call("POST", "/v1/me/tokens", token=ragna.token, json={"label": name, "scopes": ["read"]}, status=201)


TWINS = [("ACE", "АСЕ"), ("Вера", "Bepa"), ("Iris", "lris"), ("Tom", "Torn"), ("O'Neil", "O’Neil"), ("Vera", "𝖵era")]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_a_name_is_shared_openly_or_not_at_all(api: Api, one: str, other: str) -> None:
    api.call("POST", "/v1/players", json={"name": one}, status=201)
    refused = api.problem("POST", "/v1/players", 422, "invalid_field", json={"name": other})
    assert refused["errors"][0]["detail"] == (
        f"Another player's name, '{one}', can be taken for this one: write yours just like it, or choose another."
    )
    assert refused["errors"][0]["pointer"] == "/name"
    api.call("POST", "/v1/players", json={"name": one}, status=201)
    api.call("POST", "/v1/players", json={"name": one.lower()}, status=201)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "U+115F HANGUL CHOSEONG FILLER cannot be seen here: leave it out."),
        ("fr", "U+115F HANGUL CHOSEONG FILLER ne se voit pas ici : retire-le."),
        ("nl", "U+115F HANGUL CHOSEONG FILLER is hier niet te zien: laat het weg."),
    ],
)
def test_a_refusal_names_the_character_in_ones_language(api: Api, language: str, said: str) -> None:
    refused = api.call("POST", "/v1/players", json={"name": "a\u115f"}, Accept_Language=language, status=422).get_json()
    assert [error["detail"] for error in refused["errors"]] == [said]


def test_a_new_player_gets_a_token_and_a_location(api: Api) -> None:
    answer = api.call("POST", "/v1/players", json={"name": "Åsa Þórsdóttir"}, status=201)
    made = answer.get_json()
    assert answer.headers["Location"] == f"/v1/players/{made['player']['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert UUID(made["player"]["id"]).version == 7
    assert api.get(answer.headers["Location"]) == made["player"]
    assert made["player"]["created_at"].endswith("Z")
    me = api.get("/v1/me", made["token"])
    assert me["player"] == made["player"]
    assert me["token"] == {
        "id": made["token_id"],
        "scopes": ["read", "play", "manage"],
        "game": None,
        "seat": None,
    }


def test_tokens_are_listed_without_secrets_and_revoked_at_once(api: Api) -> None:
    ragna = api.register()
    answer = api.call("POST", "/v1/me/tokens", token=ragna.token, json={"label": "b", "scopes": ["read"]}, status=201)
    made = answer.get_json()
    secret = made.pop("token")
    assert api.get(answer.headers["Location"], ragna.token) == made
    assert [t["id"] for t in api.get("/v1/me/tokens", ragna.token)["items"]] == [ragna.token_id, made["id"]]
    assert secret not in api.call("GET", "/v1/me/tokens", token=ragna.token).get_data(as_text=True)
    assert api.get("/v1/me", secret)["token"]["scopes"] == ["read"]
    assert api.problem("POST", "/v1/games", 403, "missing_scope", token=secret, json={})["scope"] == "play"
    assert api.problem("GET", "/v1/me/tokens", 403, "missing_scope", token=secret)["scope"] == "manage"
    api.call("DELETE", answer.headers["Location"], token=ragna.token, status=204)
    api.problem("GET", "/v1/me", 401, "invalid_token", token=secret)
    api.problem("DELETE", answer.headers["Location"], 404, "not_found", token=ragna.token)


def test_a_token_revokes_itself_without_the_scope(api: Api) -> None:
    ragna = api.register()
    made = api.call("POST", "/v1/me/tokens", token=ragna.token, json={"label": "b", "scopes": ["read"]}).get_json()
    api.problem("DELETE", f"/v1/me/tokens/{ragna.token_id}", 403, "missing_scope", token=made["token"])
    api.call("DELETE", f"/v1/me/tokens/{made['id']}", token=made["token"], status=204)
    api.problem("GET", "/v1/me", 401, "invalid_token", token=made["token"])


def test_a_token_gives_out_no_more_than_it_has(api: Api) -> None:
    ragna = api.register()
    wanted = {"label": "m", "scopes": ["manage"]}
    manager = api.call("POST", "/v1/me/tokens", token=ragna.token, json=wanted, status=201).get_json()["token"]
    more = {"label": "x", "scopes": ["play"]}
    assert api.problem("POST", "/v1/me/tokens", 403, "missing_scope", token=manager, json=more)["scope"] == "play"


def test_an_expiry_is_kept_and_must_lie_ahead(api: Api) -> None:
    ragna = api.register()
    ahead = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    wanted: dict[str, Any] = {"label": "soon gone", "scopes": ["read"]}
    local = ahead.astimezone(tz=None).isoformat()
    made = api.call("POST", "/v1/me/tokens", token=ragna.token, json={**wanted, "expires_at": local}, status=201)
    assert made.get_json()["expires_at"] == ahead.isoformat().replace("+00:00", "Z")
    past = {**wanted, "expires_at": "2020-01-01T00:00:00Z"}
    problem = api.problem("POST", "/v1/me/tokens", 422, "invalid_field", token=ragna.token, json=past)
    assert problem["errors"][0]["pointer"] == "/expires_at"


def test_tokens_are_paged(api: Api) -> None:
    ragna = api.register()
    for number in range(4):
        api.call("POST", "/v1/me/tokens", token=ragna.token, json={"label": f"t{number}", "scopes": ["read"]})
    labels, path = [], "/v1/me/tokens?limit=2"
    while path:
        answer = api.call("GET", path, token=ragna.token, status=200)
        page = answer.get_json()
        assert len(page["items"]) <= 2
        labels += [token["label"] for token in page["items"]]
        path = page["next"]
        assert answer.headers.get("Link") == (f'<{path}>; rel="next"' if path else None)
    assert labels == ["first token", "t0", "t1", "t2", "t3"]


def test_a_token_for_one_seat_does_that_and_no_more(api: Api) -> None:
    table, other = api.table(), api.table()
    wanted = {"label": "bot", "scopes": ["read", "play"], "game": table.game}
    made = api.call("POST", "/v1/me/tokens", token=table.token(1), json=wanted, status=201).get_json()
    assert (made["game"], made["seat"]) == (table.game, 1)
    bot = made["token"]
    assert api.get(f"{table.path}/turn", bot)["seat"] == 1
    assert [turn["game"] for turn in api.get("/v1/me/turns", bot)["items"]] == [table.game]
    choice = table.choice(1)
    api.call("POST", f"{table.path}/submissions", token=bot, json=choice, status=201)
    api.problem("GET", f"{other.path}/view", 403, "token_limited", token=bot)
    api.problem("POST", f"{other.path}/submissions", 403, "token_limited", token=bot, json=choice)
    api.problem("POST", "/v1/games", 403, "token_limited", token=bot, json={"ruleset": "eketorp", "seats": 3})
    api.problem("GET", "/v1/me/games", 403, "token_limited", token=bot)


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"scopes": ["read", "manage"], "game": "own"}, 422, "invalid_field"),
        ({"scopes": ["read"], "game": "other"}, 403, "not_yours"),
        ({"scopes": ["read"], "game": "0192f0c1-0000-7000-8000-000000000000"}, 404, "not_found"),
    ],
)
def test_tokens_for_a_seat_are_refused(api: Api, fields: dict[str, Any], status: int, code: str) -> None:
    table, other = api.table(), api.table()
    game = {"own": table.game, "other": other.game}.get(fields["game"], fields["game"])
    wanted = {"label": "bot", **fields, "game": game}
    api.problem("POST", "/v1/me/tokens", status, code, token=table.token(0), json=wanted)


def test_an_unknown_player_is_not_found(api: Api) -> None:
    problem = api.problem("GET", "/v1/players/0192f0c1-0000-7000-8000-000000000000", 404, "not_found")
    assert problem["what"] == "player"
