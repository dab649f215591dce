"""Profiles: who a player is, how they are found and renamed, and what they have to show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import UUID, uuid4

import psycopg
import pytest

from holmgang.app.accounts.players import fold_names
from holmgang.app.games import ratings
from holmgang.app.reading import profiles
from holmgang.app.records.players import Meetings
from holmgang.store.database import conninfo

from .calling import Api, Person, Table
from .test_leaderboards import count

if TYPE_CHECKING:
    from holmgang.app.ports import Store

RATED: dict[str, Any] = {"rated": True, "turn_seconds": 3600}


def store_of(api: Api) -> Store:
    found: Store = api.app.extensions["holmgang"].store
    return found


def rate(api: Api) -> None:
    """Count all rated games that are over, as the worker does."""
    while True:
        with store_of(api).transaction() as tables:
            if not (due := ratings.due(tables)):
                return
            for ruleset, game in due:
                assert ratings.count(tables, ruleset, game)


def played(api: Api, *people: Person, **terms: Any) -> str:
    """A game in which these sit in order, which the first of them gives up, so that they lose."""
    seats = len(people)
    wanted = {"ruleset": "claim", "seats": seats, "join": False, **terms}
    game: str = api.call("POST", "/v1/games", token=people[0].token, json=wanted, status=201).get_json()["id"]
    invitation = {}
    if terms.get("visibility") == "private":
        made = api.call(
            "POST", f"/v1/games/{game}/invitations", token=people[0].token, json={"uses": seats}, status=201
        )
        invitation = {"invitation": made.get_json()["secret"]}
    for seat, person in enumerate(people):
        body = {"seat": seat, **invitation}
        api.call("POST", f"/v1/games/{game}/seats", token=person.token, json=body, status=201)
    api.call("POST", f"/v1/games/{game}/resignations", token=people[0].token, json={}, status=201)
    return game


def found(api: Api, name: str, more: str = "") -> list[str]:
    return [one["name"] for one in api.get(f"/v1/players?name={quote(name)}{more}")["items"]]


def test_a_profile_says_who_it_is(api: Api) -> None:
    me = api.register("Asta")
    profile = api.get(f"/v1/players/{me.id}")
    assert (profile["kind"], profile["bot"], profile["owner"], profile["deleted"]) == ("person", None, None, False)
    assert profile["former_names"] == []
    assert api.get("/v1/me", me.token)["player"] == profile
    body = {"name": "Asta's bot", "kind": "bot"}
    mine = api.call("POST", "/v1/players", token=me.token, json=body, status=201).get_json()["player"]
    assert (mine["kind"], mine["owner"]) == ("bot", me.id)
    assert api.get(f"/v1/players/{mine['id']}") == mine
    nobodys = api.call("POST", "/v1/players", json={"name": "A stray", "kind": "bot"}, status=201).get_json()["player"]
    assert (nobodys["kind"], nobodys["owner"]) == ("bot", None)
    person = api.call("POST", "/v1/players", token=me.token, json={"name": "Bo"}, status=201).get_json()["player"]
    assert (person["kind"], person["owner"]) == ("person", None), "people are nobody's"


def test_a_bot_is_registered_for_its_owner_by_a_token_that_manages(api: Api) -> None:
    me = api.register()
    made = api.call("POST", "/v1/me/tokens", token=me.token, json={"label": "t", "scopes": ["read", "play"]})
    body = {"name": "Somebody's bot", "kind": "bot"}
    api.problem("POST", "/v1/players", 403, "missing_scope", token=made.get_json()["token"], json=body)


def test_a_built_in_bot_is_the_houses(api: Api) -> None:
    me = api.register()
    game = api.call("POST", "/v1/games", token=me.token, json={"ruleset": "claim", "seats": 2}, status=201).get_json()
    seat = {"bot": "greedy"}
    api.call("POST", f"/v1/games/{game['id']}/seats", token=me.token, json=seat, status=201)
    ident = api.get(f"/v1/games/{game['id']}")["seats"][1]["player"]
    profile = api.get(f"/v1/players/{ident}")
    assert (profile["kind"], profile["bot"], profile["owner"]) == ("bot", "greedy", None)


def test_an_account_says_that_it_is_a_bot_before_its_first_game(api: Api) -> None:
    me = api.register()
    for kind in ("bot", "person", "bot"):
        assert api.call("PATCH", "/v1/me", token=me.token, json={"kind": kind}, status=200).get_json()["kind"] == kind
    api.call("POST", "/v1/games", token=me.token, json={"ruleset": "claim", "seats": 2}, status=201)
    refused = api.problem("PATCH", "/v1/me", 422, "invalid_field", token=me.token, json={"kind": "person"})
    assert refused["errors"][0]["pointer"] == "/kind"
    api.call("PATCH", "/v1/me", token=me.token, json={"kind": "bot"}, status=200)


def test_players_are_found_by_how_their_names_begin(api: Api) -> None:
    for name in ("Ylva Storm", "ylva", "YLVA THE OLD", "Ylvi", "Åse Ylva"):
        api.register(name)
    assert found(api, "ylva") == ["ylva", "Ylva Storm", "YLVA THE OLD"]
    assert found(api, "YLV") == ["ylva", "Ylva Storm", "YLVA THE OLD", "Ylvi"]
    assert found(api, "ylva", "&exact=true") == ["ylva"]
    assert found(api, "A\u030ase y") == ["Åse Ylva"], "composed or not"
    assert found(api, "%") == found(api, "_") == []
    api.problem("GET", "/v1/players", 422, "invalid_request")


def test_found_players_come_in_pages(api: Api) -> None:
    people = [api.register("Of many").id for _ in range(5)] + [api.register("Of many more").id]
    page, seen = api.get("/v1/players?name=of+many&limit=2"), []
    while True:
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        page = api.get(page["next"])
    assert seen == people, "those of one name by their age"
    assert len(api.get("/v1/players?name=of+many&exact=true&limit=200")["items"]) == 5
    for wrong in ("_" * 30, "AAAA", "A" * 25):
        api.problem("GET", f"/v1/players?name=of&cursor={wrong}", 422, "invalid_request")


def test_whom_an_earlier_release_registers_is_found_by_name_later(api: Api, module_database: str) -> None:
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        rows.execute("INSERT INTO players (id, name) VALUES (%s, 'Frida the Early')", [uuid4()])
    assert found(api, "frida the") == []
    with store_of(api).transaction() as tables:
        assert not fold_names(tables), "no more"
    assert found(api, "frida the") == ["Frida the Early"]


def test_a_player_is_renamed_and_leaves_a_trace(api: Api) -> None:
    me = api.register("Hilde of Before")
    answer = api.call("PATCH", "/v1/me", token=me.token, json={"name": "Hilde of Now"}, status=200).get_json()
    assert answer == api.get(f"/v1/players/{me.id}")
    assert answer["name"] == "Hilde of Now"
    assert [former["name"] for former in answer["former_names"]] == ["Hilde of Before"]
    assert (found(api, "hilde of before"), found(api, "hilde of now")) == ([], ["Hilde of Now"])
    refused = api.problem("PATCH", "/v1/me", 409, "limit_reached", token=me.token, json={"name": "Hilde Again"})
    assert refused["what"] == "renames"
    api.call("PATCH", "/v1/me", token=me.token, json={"name": "Hilde of Now"}, status=200)
    api.problem("POST", "/v1/players", 422, "invalid_field", json={"name": "Hi1de of Before"})


def test_names_are_changed_again_after_a_while(api: Api, module_database: str) -> None:
    me = api.register("Ingrid One")
    api.call("PATCH", "/v1/me", token=me.token, json={"name": "Ingrid Two"}, status=200)
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        rows.execute("UPDATE players SET renamed_at = renamed_at - interval '30 days' WHERE id = %s", [me.id])
        rows.execute("UPDATE former_names SET until = until - interval '30 days' WHERE player_id = %s", [me.id])
    answer = api.call("PATCH", "/v1/me", token=me.token, json={"name": "Ingrid Three"}, status=200).get_json()
    assert [former["name"] for former in answer["former_names"]] == ["Ingrid Two", "Ingrid One"]
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        rows.execute("UPDATE former_names SET until = until - interval '340 days' WHERE player_id = %s", [me.id])
    assert [former["name"] for former in api.get(f"/v1/players/{me.id}")["former_names"]] == ["Ingrid Two"]


def test_nobody_is_renamed_into_another(api: Api) -> None:
    api.register("Jorunn")
    me = api.register("Kari")
    for wrong in ("J\u03bfrunn", "greedy (built in)", "Deleted player", "a\u200bb"):
        refused = api.call("PATCH", "/v1/me", token=me.token, json={"name": wrong}, status=422).get_json()
        assert refused["code"] in ("invalid_field", "invalid_request")
    assert api.get(f"/v1/players/{me.id}")["name"] == "Kari"


def test_a_new_name_is_on_leaderboards_at_once(api: Api) -> None:
    loser, winner = api.register("Liv"), api.register("Magni")
    played(api, loser, winner, **RATED)
    rate(api)
    before = api.call("GET", "/v1/leaderboards/claim?limit=200", status=200)
    assert "Magni" in [line["player"]["name"] for line in before.get_json()["items"]]
    api.call("PATCH", "/v1/me", token=winner.token, json={"name": "Magni the Great"}, status=200)
    after = api.call("GET", "/v1/leaderboards/claim?limit=200", status=200, If_None_Match=before.headers["ETag"])
    assert "Magni the Great" in [line["player"]["name"] for line in after.get_json()["items"]]


@pytest.fixture(scope="module")
def rivals(api: Api) -> tuple[Person, Person, list[str]]:
    """Two who have played four rated games, of which the first has lost three; one of those was private."""
    one, other = api.register("Rival One"), api.register("Rival Two")
    games = [
        played(api, one, other, **RATED),
        played(api, one, other, visibility="private", **RATED),
        played(api, other, one, **RATED),
        played(api, one, other, **RATED),
    ]
    rate(api)
    return one, other, games


def test_ratings_have_a_history(api: Api, rivals: tuple[Person, Person, list[str]]) -> None:
    one, _, games = rivals
    path = f"/v1/players/{one.id}/ratings/claim/history"
    mine = api.get(path, one.token)["items"]
    assert [point["game"] for point in mine] == games[::-1]
    assert [point["rank"] for point in mine] == [2, 1, 2, 2]
    now = api.get(f"/v1/players/{one.id}")["ratings"]["claim"]
    assert (mine[0]["rating"], mine[0]["mu"]) == (now["rating"], now["mu"])
    assert mine[0]["number"] > mine[1]["number"] > mine[2]["number"]
    first = api.get(f"{path}?limit=3", one.token)
    assert first["items"] + api.get(first["next"], one.token)["items"] == mine


def test_the_history_does_not_tell_of_private_games(api: Api, rivals: tuple[Person, Person, list[str]]) -> None:
    one, other, games = rivals
    path = f"/v1/players/{one.id}/ratings/claim/history"
    shown = [games[3], games[2], games[0]]
    stranger = api.register()
    assert [point["game"] for point in api.get(path)["items"]] == shown
    assert [point["game"] for point in api.get(path, stranger.token)["items"]] == shown
    assert [point["game"] for point in api.get(path, other.token)["items"]] == games[::-1]
    body = {"label": "t", "scopes": ["play", "manage"]}
    blind = api.call("POST", "/v1/me/tokens", token=one.token, json=body, status=201).get_json()["token"]
    assert [point["game"] for point in api.get(path, blind)["items"]] == shown, "this token reads nothing"
    body = {"label": "t", "scopes": ["read"], "game": games[0]}
    limited = api.call("POST", "/v1/me/tokens", token=one.token, json=body, status=201).get_json()["token"]
    assert [point["game"] for point in api.get(path, limited)["items"]] == shown, "this one is for one game"


def test_ratings_have_a_picture(api: Api, rivals: tuple[Person, Person, list[str]]) -> None:
    one, _, _ = rivals
    path = f"/v1/players/{one.id}/ratings/claim/history.svg"
    answer = api.call("GET", path, status=200)
    assert answer.mimetype == "image/svg+xml"
    text = answer.get_data(as_text=True)
    assert "Rival One" in text
    points = re.search(r'<polyline[^>]* points="([^"]*)"', text)
    assert points is not None
    assert len(points[1].split()) == 3, "a private game is no point"
    tag = answer.headers["ETag"]
    api.call("GET", path, status=304, If_None_Match=tag)
    assert api.call("GET", f"{path}?theme=dark", status=200, If_None_Match=tag).get_data(as_text=True) != text
    french = api.call("GET", path, status=200, If_None_Match=tag, Accept_Language="fr")
    assert french.headers["Content-Language"] == "fr"
    assert "No rated game" in api.call("GET", f"/v1/players/{one.id}/ratings/eketorp/history.svg", status=200).get_data(
        as_text=True
    )
    api.problem("GET", f"/v1/players/{one.id}/ratings/chess/history.svg", 404, "not_found")
    api.problem("GET", f"/v1/players/{uuid4()}/ratings/claim/history", 404, "not_found")


def test_players_have_a_record_against_each_other(api: Api, rivals: tuple[Person, Person, list[str]]) -> None:
    one, other, _ = rivals
    path = f"/v1/players/{one.id}/against/{other.id}"
    public = [{"ruleset": "claim", "games": 3, "wins": 1, "shared": 0, "losses": 2}]
    whole = [{"ruleset": "claim", "games": 4, "wins": 1, "shared": 0, "losses": 3}]
    assert api.get(path)["items"] == public
    assert api.get(path, api.register().token)["items"] == public
    assert api.get(path, one.token)["items"] == api.get(path, other.token)["items"] == whole
    turned = [{"ruleset": "claim", "games": 3, "wins": 2, "shared": 0, "losses": 1}]
    assert api.get(f"/v1/players/{other.id}/against/{one.id}")["items"] == turned
    assert api.get(f"/v1/players/{one.id}/against/{one.id}")["items"] == []
    assert api.get(f"/v1/players/{one.id}/against/{api.register().id}")["items"] == []
    api.problem("GET", f"/v1/players/{one.id}/against/{uuid4()}", 404, "not_found")


@pytest.mark.parametrize(
    ("mine", "theirs", "ranking", "outcome"),
    [
        ((0,), (1,), "[[0], [1], [2]]", 0),
        ((2,), (1,), "[[0], [1], [2]]", 2),
        ((0,), (1,), "[[0, 1], [2]]", 1),
        ((0, 2), (1,), "[[2], [1], [0]]", 0),
        ((0,), (0,), "[[0], [1], [2]]", None),
    ],
)
def test_who_came_in_better_has_won(
    mine: tuple[int, ...], theirs: tuple[int, ...], ranking: str, outcome: int | None
) -> None:
    assert profiles._outcome(Meetings("eketorp", 3, mine, theirs, ranking, 1)) == outcome


def test_partners_do_not_play_against_each_other() -> None:
    assert profiles._outcome(Meetings("eketorp", 4, (0,), (2,), "[[0, 2], [1, 3]]", 1)) in (None, 1)
    partners = next(
        (ruleset, seats, side)
        for ruleset, seats in (("eketorp", 4), ("drakkars", 4), ("eketorp", 6), ("claim", 4))
        for side in profiles._sides(Meetings(ruleset, seats, (), (), "[]", 0))
        if len(side) > 1
    )
    ruleset, seats, side = partners
    ranking = [list(side), [seat for seat in range(seats) if seat not in side]]
    assert profiles._outcome(Meetings(ruleset, seats, (side[0],), (side[1],), str(ranking), 1)) is None


def test_games_are_listed_by_time_and_kind(api: Api, rivals: tuple[Person, Person, list[str]]) -> None:
    one, other, games = rivals
    casual = played(api, one, other)
    at = {game: api.get(f"/v1/games/{game}", one.token)["created_at"] for game in games}
    path = f"/v1/games?player={one.id}"

    def listed(query: str, token: str | None = None) -> list[str]:
        return [game["id"] for game in api.get(query, token)["items"]]

    public = [games[3], games[2], games[0]]
    assert listed(path) == [casual, *public]
    assert listed(f"{path}&rated=true") == public
    assert listed(f"{path}&rated=false") == [casual]
    assert listed(f"{path}&since={at[games[2]]}") == [casual, games[3], games[2]]
    assert listed(f"{path}&until={at[games[2]]}") == [games[0]]
    assert listed(f"{path}&since={at[games[0]]}&until={at[games[3]]}&rated=true") == [games[2], games[0]]
    assert listed("/v1/me/games?rated=true&ruleset=claim", one.token) == games[::-1]
    assert listed(f"/v1/me/games?until={at[games[2]]}", one.token) == [games[1], games[0]]
    assert listed("/v1/games?since=1900-01-01T00:00:00Z&until=9999-12-31T23:59:59Z&limit=1") == [casual]
    assert listed("/v1/games?since=9999-12-31T23:59:59Z") == []
    assert listed("/v1/games?until=1900-01-01T00:00:00Z") == []


def test_games_are_listed_by_who_played_and_who_won(api: Api) -> None:
    one, other, third = (api.register(f"Opponent {n}") for n in range(3))
    won = played(api, other, one)
    lost = [played(api, one, other), played(api, one, third)]
    hidden = played(api, other, one, visibility="private")
    api.call("POST", "/v1/games", token=one.token, json={"ruleset": "claim", "seats": 2}, status=201)

    def listed(query: str) -> list[str]:
        return [game["id"] for game in api.get(f"/v1/games?{query}")["items"]]

    assert listed(f"player={one.id}&won_by={one.id}") == [won]
    assert listed(f"player={one.id}&lost_by={one.id}") == lost[::-1]
    assert listed(f"player={one.id}&other={other.id}") == [lost[0], won] == listed(f"player={other.id}&other={one.id}")
    assert listed(f"player={one.id}&other={third.id}&lost_by={one.id}") == [lost[1]]
    assert listed(f"won_by={other.id}") == [lost[0]]
    assert listed(f"lost_by={one.id}&limit=1") == [lost[1]]
    assert listed(f"other={third.id}") == [lost[1]]
    assert listed(f"won_by={one.id}&lost_by={one.id}") == []
    assert listed(f"other={api.register().id}") == []
    assert hidden not in listed("lost_by=" + other.id)


def test_a_bot_with_several_seats_plays_a_game_once(api: Api) -> None:
    host = api.register()
    terms = {"ruleset": "eketorp", "seats": 3}
    game = api.call("POST", "/v1/games", token=host.token, json=terms, status=201).get_json()["id"]
    for _ in range(2):
        api.call("POST", f"/v1/games/{game}/seats", token=host.token, json={"bot": "random"}, status=201)
    bot = api.get(f"/v1/games/{game}")["seats"][1]["player"]
    path = f"/v1/games?player={bot}&other={host.id}"
    assert [one["id"] for one in api.get(path)["items"]] == [game]
    api.call("POST", f"/v1/games/{game}/resignations", token=host.token, json={}, status=201)
    count(api)  # the bots play on to the end
    assert len(api.get(f"/v1/games/{game}")["result"]["winners"]) == 1, "one seat has won and the other has not"
    assert [one["id"] for one in api.get(f"{path}&won_by={bot}")["items"]] == [game]
    assert api.get(f"{path}&lost_by={bot}")["items"] == []


def test_a_table_is_named_as_its_players_are_now(api: Api) -> None:
    table: Table = api.table()
    api.call("PATCH", "/v1/me", token=table.token(1), json={"name": "Somebody Else"}, status=200)
    assert api.get(table.path)["seats"][1]["name"] == "Somebody Else"
    assert UUID(table.people[1].id)
